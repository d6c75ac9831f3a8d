import { FLOOR_TYPES, type FloorType, WINDOW_S } from '@hypocaust/domain'
import { expect, test } from 'vitest'
import { LEARNED, type RoomControl, stepRoom, windowOf } from '../src/index.ts'
import { nothingLearned } from '../src/model/model.ts'
import { HOUR_MS, hold, input, WINTER_MS } from './room.ts'

const fresh = (airC: number) => ({ kind: 'fresh' as const, airC, ageS: 10 })
const LATER_MS = WINTER_MS + 5 * HOUR_MS

/** A room of which it is known that half of its heat goes straight to the air. */
function withRadiator(floorType: FloorType, airC = 20.6): RoomControl {
  const { state } = hold(5, () => ({ floorType, air: fresh(airC) }))
  return { ...state, learned: LEARNED.map((name) => (name === 'airShare' ? 0.5 : 0)) }
}

const asEntered = (state: RoomControl): RoomControl => ({ ...state, learned: nothingLearned() })

test.each(FLOOR_TYPES)(
  'a radiator entered as %s is opened each quarter of an hour: its air cools before two',
  (floor) => {
    const lengthS = (state: RoomControl) => {
      const { block } = stepRoom(state, input({ floorType: floor, nowMs: LATER_MS, air: fresh(20) })).state
      return ((block?.endMs ?? 0) - (block?.startMs ?? 0)) / 1000
    }
    const radiator = withRadiator(floor)
    expect(windowOf(radiator)).toBe(900)
    expect(lengthS(radiator)).toBe(900)
    expect(windowOf(asEntered(radiator))).toBe(WINDOW_S[floor])
    expect(lengthS(asEntered(radiator))).toBeGreaterThanOrEqual(1800)
  },
)

test('a floor that holds as little heat as water and steel is a radiator, though all of its heat seems to pass the floor', () => {
  const learned = (floorMass: number) => LEARNED.map((name) => (name === 'floorMass' ? floorMass : 0))
  for (const floorType of FLOOR_TYPES) expect(windowOf({ floorType, learned: learned(-3) })).toBe(900)
  for (const floorType of FLOOR_TYPES) expect(windowOf({ floorType, learned: learned(-0.6) })).toBe(WINDOW_S[floorType])
})

test('the wide ups and downs of air that a radiator heats are no open window, a fall far below them is', () => {
  let state = withRadiator('screed')
  const noticesAfter = (minutes: number, airAt: (minute: number) => number) => {
    const from = state.updatedMs
    let notices: string[] = []
    for (let minute = 1; minute <= minutes; minute++) {
      const nowMs = from + minute * 60_000
      const result = stepRoom(state, input({ nowMs, air: fresh(airAt(minute)) }))
      state = result.state
      notices = [...notices, ...result.decision.notices]
    }
    return notices
  }
  // Every hour 3 K up while the loop is open, and down again: every other time 0.7 K further.
  const swinging = (minute: number) => {
    const phase = (minute % 60) / 60
    const troughC = Math.floor(minute / 60) % 2 === 0 ? 20.2 : 19.5
    return troughC + Math.max(0, phase < 0.4 ? (3 * phase) / 0.4 : 3 * (1 - (phase - 0.4) / 0.3))
  }
  expect(noticesAfter(6 * 60, swinging)).not.toContain('window-open')
  expect(noticesAfter(20, (minute) => 19.5 - 0.25 * minute)).toContain('window-open')
})

test('a room with a radiator below its band gets what it needs, although heat has been given in advance', () => {
  const powerAt = (airC: number, owedS: number) =>
    stepRoom(
      { ...withRadiator('screed', airC), block: null, owedS },
      input({ nowMs: LATER_MS, air: fresh(airC), weather: { outdoorC: -12, cloudPct: 80, windMs: 3, solarWm2: 0 } }),
    ).power
  expect(powerAt(20.9, -900)).toBe(0)
  expect(powerAt(20.4, -900)).toBeGreaterThanOrEqual(0.2)
  expect(powerAt(19.5, -900)).toBeGreaterThan(0.3)
  expect(powerAt(19.5, -900)).toBe(powerAt(19.5, 0))
})
