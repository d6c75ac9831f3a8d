import {
  DAY_MS,
  type Feeling,
  HOUR_MS,
  helpOf,
  type Press,
  programmeOfNight,
  proposalOf,
  type ScheduleInputs,
  setpointAt,
} from '@hypocaust/domain'
import {
  type Climate,
  perturbed,
  roomPhysics,
  seededRandom,
  settledState,
  stepRoomState,
  weatherAt,
} from '@hypocaust/simulator'
import { boundaryOf } from '../boundary.ts'
import { type Person, TARGET_C, wishAt } from './person.ts'

export const WEEKS = 8
/** The first weeks are to learn. */
export const SCORED_WEEKS = 4
const START_MS = Date.UTC(2026, 0, 5)
const STEP_S = 600
const ASKED_EVERY_MS = HOUR_MS / 2
/** Before another press, a person waits for what the last one brings. */
const WAITS_MS = 2 * HOUR_MS
const PLACE = { latDeg: 51, lngDeg: 7 }
/** A plain proportional law that looks ahead, so that rooms are at their setpoints: what is tried is not the control. */
const LOOKS_AHEAD_MS = 2 * HOUR_MS
const FLOORS = ['screed', 'dry', 'timber'] as const
const NIGHT = { from: '22:30', to: '06:00', setback: 2 }

export type Lived = {
  pressesOfWeek: number[]
  acceptedOnDays: number[]
  /** Of the scored weeks. */
  heatKwhM2: number
}

/** Weeks of a person in a room: `accepts` what is proposed in the evening, and the target that is set all week. */
export function live(person: Person, { accepts, targetC }: { accepts: boolean; targetC: number }): Lived {
  const random = seededRandom(person.number * 31 + 1)
  const floorType = FLOORS[person.number % FLOORS.length] as (typeof FLOORS)[number]
  const facadeDeg = 60 * random.uniform() - 30
  const physics = perturbed(roomPhysics(floorType, facadeDeg), 0.2, seededRandom(person.number))
  const climate: Climate = { seed: person.number, place: PLACE, meanC: 2, seasonSwingK: 0, clearness: 0.3 }
  const room = settledState(TARGET_C)
  let inputs: ScheduleInputs = {
    ...{ targetC, programme: programmeOfNight(NIGHT), steering: { kind: 'automatic' }, timeZone: 'UTC' },
    ...{ override: null, away: null },
  }
  let presses: Press[] = []
  const lived: Lived = { pressesOfWeek: new Array<number>(WEEKS).fill(0), acceptedOnDays: [], heatKwhM2: 0 }
  const endMs = START_MS + WEEKS * 7 * DAY_MS
  for (let nowMs = START_MS; nowMs < endMs; nowMs += STEP_S * 1000) {
    const weather = weatherAt(climate, nowMs)
    const towardsC = Math.max(setpointAt(inputs, nowMs).setpointC, setpointAt(inputs, nowMs + LOOKS_AHEAD_MS).setpointC)
    const power = Math.min(1, Math.max(0, 0.8 * (towardsC - room.airC) + 0.014 * (towardsC - weather.outdoorC)))
    const heatWh = stepRoomState(room, physics, boundaryOf(physics, PLACE, nowMs, weather), power, STEP_S)
    const week = Math.floor((nowMs - START_MS) / (7 * DAY_MS))
    if (week >= WEEKS - SCORED_WEEKS) lived.heatKwhM2 += heatWh / 1000
    if (nowMs % ASKED_EVERY_MS !== 0) continue
    const feeling = feelingOf(person, nowMs, 0.7 * room.airC + 0.3 * room.wallC)
    const waits = nowMs - (presses.at(-1)?.atMs ?? 0) < WAITS_MS
    if (feeling && !waits && random.uniform() < person.patience) {
      const temperatureC = Math.round(10 * room.airC) / 10
      presses = [...presses, { atMs: nowMs, feeling, setpointC: setpointAt(inputs, nowMs).setpointC, temperatureC }]
      inputs = { ...inputs, override: helpOf(inputs, feeling, temperatureC, nowMs) }
      lived.pressesOfWeek[week] = (lived.pressesOfWeek[week] as number) + 1
    }
    const proposal = accepts && nowMs % DAY_MS === 22 * HOUR_MS ? proposalOf(presses, inputs, nowMs) : null
    if (!proposal) continue
    inputs = { ...inputs, ...proposal.plan }
    lived.acceptedOnDays.push(Math.floor((nowMs - START_MS) / DAY_MS))
  }
  return lived
}

function feelingOf(person: Person, nowMs: number, feltC: number): Feeling | null {
  const wishedC = wishAt(person, nowMs)
  if (wishedC === null || Math.abs(feltC - wishedC) <= person.toleranceK) return null
  return feltC < wishedC ? 'too_cold' : 'too_warm'
}
