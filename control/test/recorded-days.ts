import type { FloorType } from '@hypocaust/domain'
import { programmeOfNight } from '@hypocaust/domain'
import {
  type Climate,
  roomPhysics,
  settledState,
  stepRoomState,
  sunPosition,
  verticalWm2,
  weatherAt,
} from '@hypocaust/simulator'
import {
  type Decision,
  type RoomControl,
  type RoomSettings,
  type StepInput,
  type Strategy,
  stepRoom,
} from '../src/index.ts'
import { HOUR_MS, input, settings, WINTER_MS } from './room.ts'

const STEP_S = 300
const PLACE = { latDeg: 51, lngDeg: 0 }

/** What a room heated by a thermostat of another kind showed, every five minutes: the law looks on and decides. */
export type Recorded = { nowMs: number; airC: number; power: number; weather: NonNullable<StepInput['weather']> }[]

export function recordedDays(floorType: FloorType, days: number, seed: number): Recorded {
  const climate: Climate = { seed, place: PLACE, meanC: 3, seasonSwingK: 0, clearness: 0.3 }
  const physics = roomPhysics(floorType, 180)
  const room = settledState(20)
  return Array.from({ length: (days * 24 * HOUR_MS) / (1000 * STEP_S) }, (_, i) => {
    const nowMs = WINTER_MS + i * STEP_S * 1000
    const weather = weatherAt(climate, nowMs)
    const power = Math.min(1, Math.max(0, 0.6 * (20.8 - room.airC) + 0.01 * (20.8 - weather.outdoorC)))
    const solarGainWm2 = physics.solarShare * verticalWm2(sunPosition(nowMs, PLACE), weather.solarWm2, 180)
    const { outdoorC, windMs } = weather
    const around = { outdoorC, windMs, solarGainWm2, internalWm2: 3, neighbourC: 20, airChange: 1 }
    stepRoomState(room, physics, { ...around, supply: 'running' }, power, STEP_S)
    return { nowMs, airC: Math.round(10 * room.airC) / 10, power, weather }
  })
}

const NIGHT = programmeOfNight({ from: '22:30', to: '06:00', setback: 2 })

/** What the law decides on recorded days. */
export function decisionsOn(
  recorded: Recorded,
  floorType: FloorType,
  strategy: Strategy,
  extra: Partial<StepInput> = {},
  changes: Partial<RoomSettings> = {},
): Decision[] {
  let state: RoomControl | null = null
  return recorded.map(({ nowMs, airC, power, weather }) => {
    const step = stepRoom(
      state,
      input({
        nowMs,
        floorType,
        settings: settings({ strategy, programme: NIGHT, timeZone: 'UTC', ...changes }),
        air: { kind: 'fresh', airC, ageS: 0 },
        weather,
        appliedPower: power,
        ...extra,
      }),
    )
    state = step.state
    return step.decision
  })
}
