import type { Slot } from '@hypocaust/control'
import type { FloorType } from '@hypocaust/domain'
import { roomPhysics, settledState, stepRoomState } from '@hypocaust/simulator'

export type Pair = {
  floors: [FloorType, FloorType]
  days: number
  /** Which of the two sensors each room is given. */
  sensors: [0 | 1, 0 | 1]
  outdoorC?: number
  /** Rooms whose valve stays shut. */
  stuck?: number[]
}

const STEPS = 6
const TARGET_C = 21

/** The half hours of two rooms, the second a kelvin warmer at first, each with a plain thermostat on the sensor that it is given. */
export function slotsOfTwo({ floors, days, sensors, outdoorC = 0, stuck = [] }: Pair, startMs: number): Slot[][] {
  const rooms = floors.map((floorType, i) => ({ physics: roomPhysics(floorType, 180), state: settledState(20 + i) }))
  const slots: Slot[][] = [[], []]
  for (let endMs = startMs + 1_800_000; endMs <= startMs + days * 86_400_000; endMs += 1_800_000) {
    const readings = sensors.map((index) => rooms[index]?.state.airC ?? 0)
    const powers = readings.map((airC) => Math.min(1, Math.max(0, TARGET_C - airC)))
    for (const [i, { physics, state }] of rooms.entries())
      for (let step = 0; step < STEPS; step++)
        stepRoomState(state, physics, boundaryAt(outdoorC), stuck.includes(i) ? 0 : (powers[i] ?? 0), 1800 / STEPS)
    for (const [i, power] of powers.entries())
      slots[i]?.push({
        endMs,
        airC: rooms[sensors[i] ?? 0]?.state.airC ?? null,
        power,
        outdoorC,
        windMs: 3.5,
        solarWm2: 0,
      })
  }
  return slots
}

const boundaryAt = (outdoorC: number) => ({
  ...{ outdoorC, windMs: 3.5, solarGainWm2: 0, internalWm2: 3, neighbourC: 20, airChange: 1 },
  supply: 'running' as const,
})
