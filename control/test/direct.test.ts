import { expect, test } from 'vitest'
import { fitRoom, predictAirC, type RoomControl, roomPlan, type Slot, stepRoom } from '../src/index.ts'
import { HOUR_MS, input, settings, WINTER_MS } from './room.ts'

const SLOT_MS = HOUR_MS / 2
const AHEAD_SLOTS = 24

/** Sunny, half sunny and dull days take turns. */
function sunAt(i: number): number {
  const clear = [1, 0.5, 0.1][Math.floor(i / 48) % 3] as number
  return 400 * clear * Math.max(0, Math.sin((Math.PI * (((i % 48) - 16) / 2)) / 8))
}

/** A room that no model of a floor explains: when the sun shines, somebody opens the window. */
const airAt = (i: number): number => 21 - sunAt(i) / 150

const conditions = (i: number) => ({
  air: { kind: 'fresh' as const, airC: airAt(i), ageS: 0 },
  weather: { outdoorC: 5, cloudPct: 50, windMs: 3.5, solarWm2: sunAt(i) },
  window: 'closed' as const,
  appliedPower: 0.2,
})

/** Fed half hour by half hour, and fitted every night. */
function lived(slotCount: number): RoomControl {
  let state: RoomControl | null = null
  const slots: Slot[] = []
  for (let i = 0; i < slotCount; i++) {
    const off = settings({ steering: { kind: 'off' } })
    const result = stepRoom(state, input({ ...conditions(i), nowMs: WINTER_MS + i * SLOT_MS, settings: off }))
    state = result.state
    if (result.slot) slots.push(result.slot)
    if (i % 48 === 6) state = fitRoom(state, slots)
  }
  return state as RoomControl
}

const aheadOf = (from: number): Slot[] =>
  Array.from({ length: AHEAD_SLOTS }, (_, k) => ({
    endMs: WINTER_MS + (from + k + 1) * SLOT_MS,
    airC: null,
    ...{ power: 0.2, outdoorC: 5, windMs: 3.5, solarWm2: sunAt(from + k + 1) },
  }))

const byModel = (of: RoomControl): RoomControl => ({ ...of, direct: null })
const WHOLE_DAYS = 9
/** Seven in the morning of a sunny day. */
const MORNING = WHOLE_DAYS * 48 + 14
const state = lived(MORNING + 1)

test('what the model cannot explain is foreseen all the same, in the prediction and in the plan that people see', () => {
  const missedK = (of: RoomControl) => {
    const squares = predictAirC(of, aheadOf(MORNING)).map((airC, k) => (airC - airAt(MORNING + k + 1)) ** 2)
    return Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / squares.length)
  }
  expect(missedK(state)).toBeLessThan(0.75 * missedK(byModel(state)))
  const now = input({ ...conditions(MORNING), nowMs: WINTER_MS + MORNING * SLOT_MS })
  const planned = (of: RoomControl) => roomPlan(of, now).map(({ airC }) => airC)
  expect(planned(state)).not.toEqual(planned(byModel(state)))
})

test('the heat is planned by the model alone: a regression does not know what another power would bring', () => {
  const now = input({ ...conditions(MORNING), nowMs: WINTER_MS + MORNING * SLOT_MS })
  expect(stepRoom(state, now).decision).toEqual(stepRoom(byModel(state), now).decision)
})

test('before its predictions have been judged, a regression does not count', () => {
  const young = lived(48)
  expect(predictAirC(young, aheadOf(47))).toEqual(predictAirC(byModel(young), aheadOf(47)))
})

test('in weather that the days have never shown, the model is corrected by no more than three of its errors', () => {
  const errorK = Math.sqrt(Math.max(...(state.direct?.missed?.model ?? [])))
  const wild = aheadOf(MORNING).map((slot) => ({ ...slot, outdoorC: -40, solarWm2: 1400, power: 1 }))
  const model = predictAirC(byModel(state), wild)
  for (const [k, airC] of predictAirC(state, wild).entries())
    expect(Math.abs(airC - (model[k] as number))).toBeLessThan(3.01 * errorK)
})
