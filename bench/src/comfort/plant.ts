import type { FloorType, ScheduleInputs } from '@hypocaust/domain'
import type { Weather } from '@hypocaust/simulator'

/** What a benchmark plant is, ours or a stranger's. Its time starts at 0, a local midnight. */
export type Plant = {
  advance(step: { dtS: number; open: number }): PlantStep
  weather(nowS: number, horizonS: number): { now: Weather; hourly: Weather[] }
  /** At a moment, as far as it is known at another; a plant that tells everything may ignore the second. */
  setpoint(nowS: number, knownS?: number): Setpoint
  /** All that has been said about the room by a moment, where the plant has a week plan. */
  scheduleInputs?(knownS: number): ScheduleInputs | null
}

export type PlantStep = {
  /** Null when no packet came in this step. */
  sensorC: number | null
  sensorRh: number | null
  scoredC: number
  /** The air alone, which people see on a thermometer; a plant that does not tell it is scored by what is felt only. */
  airC?: number
  floorC: number
  /** Of this step. */
  heatWhM2: number
  /** At present. */
  storedWhM2: number
}

export type Setpoint = { targetC: number; bandK: number; night: boolean; occupied: boolean }

export type PlantChoice = { floorType: FloorType; scenario: string; seed: number }
export type CreatePlant = (choice: PlantChoice) => Plant
