import { programmeOfNight } from '@hypocaust/domain'
import { expect, test } from 'vitest'
import { previewWarmUp, type RoomControl, roomPlan, type StepInput, stepRoom } from '../src/index.ts'
import { HOUR_MS, hold, input, settings, WINTER_MS } from './room.ts'

const MINUTE_MS = HOUR_MS / 60
const NOW_MS = WINTER_MS + 12 * HOUR_MS
const RISE_MS = WINTER_MS + 22 * HOUR_MS
// In Berlin.
const NIGHT = settings({ programme: programmeOfNight({ from: '12:00', to: '23:00', setback: 1 }) })
const fresh = (airC: number) => ({ kind: 'fresh' as const, airC, ageS: 10 })
const { state } = hold(12, () => ({ settings: NIGHT, air: fresh(20.1) }))

const late = (warmerK: number): RoomControl => ({ ...state, rise: { ...state.rise, warmerK } })
const promisedBy = (room: RoomControl) => {
  const step = { atMs: NOW_MS + 10 * HOUR_MS, fromC: 20, toC: 21 }
  const warmUp = previewWarmUp(room, input({ nowMs: NOW_MS, settings: NIGHT, air: fresh(20.1) }), step)
  if (!warmUp?.reachedMs) throw new Error('no rise')
  return { ...warmUp, reachedMs: warmUp.reachedMs }
}
const due = (changes: Partial<RoomControl['rise']> = {}) => ({
  ...state,
  rise: { dueMs: RISE_MS, setpointC: 21, expectedC: 20.9, warmerK: 0, ...changes },
})
const riseAfter = (room: RoomControl, atMs: number, changes: Partial<StepInput> = {}) =>
  stepRoom(room, input({ nowMs: atMs, settings: NIGHT, air: fresh(20.4), ...changes })).state.rise

test('a room that has been late at its rises is promised less warmth at the next, and later', () => {
  const [inTime, tooLate] = [promisedBy(late(0)), promisedBy(late(-0.4))]
  expect(tooLate.expectedC).toBeCloseTo(inTime.expectedC - 0.4, 1)
  expect(tooLate.reachedMs).toBeGreaterThanOrEqual(inTime.reachedMs)
  expect(tooLate.isInTime).toBe(false)
  expect(tooLate.heatsFromMs).toBe(inTime.heatsFromMs)
})

test('a room that has been warmer than expected is promised no more than the plan expects', () => {
  expect(promisedBy(late(0.4))).toEqual(promisedBy(late(0)))
})

test('only the promise is later: what the valve does is the same', () => {
  const next = input({ nowMs: NOW_MS + 61 * MINUTE_MS, settings: NIGHT, air: fresh(20.1) })
  const [inTime, tooLate] = [stepRoom(late(0), next), stepRoom(late(-0.4), next)]
  expect(tooLate.power).toBe(inTime.power)
  expect(tooLate.state.block?.openS).toBe(inTime.state.block?.openS)
  const airAt = (room: RoomControl) => roomPlan(room, next).find(({ atMs }) => atMs >= RISE_MS)?.airC ?? 0
  expect(airAt(late(-0.4))).toBeLessThan(airAt(late(0)) - 0.1)
})

test('what the plan expects of a rise is kept from hours before it, without what was taken off for caution', () => {
  const next = input({ nowMs: NOW_MS + 61 * MINUTE_MS, settings: NIGHT, air: fresh(20.1) })
  const [inTime, tooLate] = [stepRoom(late(0), next).state, stepRoom(late(-0.4), next).state]
  expect(inTime.rise).toMatchObject({ dueMs: RISE_MS, setpointC: 21 })
  expect(inTime.rise.expectedC).toBe(inTime.block?.expected?.warmUp?.expectedC)
  expect(tooLate.rise.expectedC).toBeCloseTo(inTime.rise.expectedC, 1)
})

test('each rise counts for a fifth, by a fresh reading at its time', () => {
  expect(riseAfter(due(), RISE_MS - MINUTE_MS).warmerK).toBe(0)
  expect(riseAfter(due(), RISE_MS).warmerK).toBeCloseTo(-0.1)
  expect(riseAfter(due({ warmerK: -0.5 }), RISE_MS + 5 * MINUTE_MS).warmerK).toBeCloseTo(-0.5)
  const stale = { air: { kind: 'stale' as const, airC: 20.4, ageS: 700 } }
  expect(riseAfter(due(), RISE_MS, stale)).toMatchObject({ dueMs: RISE_MS, warmerK: 0 })
  expect(riseAfter(due(), RISE_MS + 16 * MINUTE_MS)).toMatchObject({ warmerK: 0 })
})

test('a rise to another setpoint, or of a room that is not heated by the plan, is not counted', () => {
  const override = { kind: 'target' as const, targetC: 23, untilMs: RISE_MS + HOUR_MS, setAtMs: RISE_MS - HOUR_MS }
  for (const changes of [
    { settings: { ...NIGHT, override } },
    { settings: { ...NIGHT, steering: { kind: 'off' as const } } },
    { unreached: { kind: 'no-gateway' as const } },
  ])
    expect(riseAfter(due(), RISE_MS, changes).warmerK).toBe(0)
})
