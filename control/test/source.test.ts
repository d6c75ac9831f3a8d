import { expect, test } from 'vitest'
import { type RoomControl, type SourceEvidence, stepRoom } from '../src/index.ts'
import { EVERY_FLOOR, input } from './room.ts'
import { type Seen, type Story, simulatedRoom } from './simulated-room.ts'

const FAILS_H = 24 * 5 + 13
const REPAIRED_H = FAILS_H + 14
const frost = (hour: number) => -5 + 3 * Math.sin((2 * Math.PI * (hour - 9)) / 24)

const failing = (story: Partial<Story> = {}) =>
  simulatedRoom({
    days: 7,
    outdoorAt: frost,
    supplyAt: (hour) => (hour >= FAILS_H && hour < REPAIRED_H ? 'failed' : 'running'),
    ...story,
  }).seen

const isNoticed = ({ decision }: Seen) => decision.notices.includes('boiler-off')
const noticedAfterH = (seen: Seen[]) => (seen.find(isNoticed)?.hour ?? Number.POSITIVE_INFINITY) - FAILS_H

test.each(EVERY_FLOOR)(
  'a single loop of %s without heat is noticed within a day of frost, and no day before',
  (floorType) => {
    const after = noticedAfterH(failing({ floorType }))
    expect(after).toBeGreaterThan(0)
    expect(after).toBeLessThan(14)
  },
)

test('heat that comes back is seen to come back', () => {
  const seen = failing()
  expect(seen.filter(({ hour }) => hour > REPAIRED_H + 5).filter(isNoticed)).toEqual([])
})

test('rooms that all miss their heat at once are believed sooner than one room alone', () => {
  const missing: SourceEvidence[] = [1, 2, 3].map(() => ({ asked: true, weight: 0.8 }))
  const alone = noticedAfterH(failing({ floorType: 'slab' }))
  const together = noticedAfterH(
    failing({ floorType: 'slab', otherRoomsAt: (hour) => (hour > FAILS_H + 3 ? missing : []) }),
  )
  expect(together).toBeLessThanOrEqual(6)
  expect(together).toBeLessThan(alone)
})

test('warm neighbours speak against a failed source, not against a failed loop', () => {
  const heated: SourceEvidence[] = [1, 2, 3].map(() => ({ asked: true, weight: 0 }))
  expect(noticedAfterH(failing({ otherRoomsAt: () => heated }))).toBeLessThan(14)
})

test('gains that end every morning raise no suspicion', () => {
  const gainsAt = (hour: number) => (hour % 24 >= 18 || hour % 24 < 8 ? 14 : 1)
  const { seen } = simulatedRoom({ days: 10, outdoorAt: frost, gainsAt })
  expect(seen.filter(isNoticed)).toEqual([])
})

test('a state kept by an earlier version goes on with what it has learned', () => {
  const { state } = stepRoom(null, input())
  const { source: _, profile: __, ...rest } = { ...state, learned: state.learned.slice(0, 11).map(() => 0.1) }
  const earlier = { ...rest, boiler: { startMs: 0, heated: null, unheated: null, off: true, earlier: null } }
  const next = stepRoom(earlier as unknown as RoomControl, input()).state
  expect(next.learned[0]).toBe(0.1)
  expect(next.learned).toHaveLength(state.learned.length)
  expect(next.source.kind).toBe('fine')
  expect(next.profile).toEqual(state.profile)
  expect('boiler' in next).toBe(false)
})

test('heat that comes back before its failure is confirmed ends the suspicion, and the floor stays within its limit', () => {
  const [failsH, backH] = [108, 113]
  const { seen } = simulatedRoom({
    floorType: 'electric',
    days: 5,
    settings: { strategy: 'saving', timeZone: 'UTC' },
    physics: { heat: { kind: 'electric', powerWm2: 156 } },
    supplyAt: (hour) => (hour >= failsH && hour < backH ? 'failed' : 'running'),
  })
  const alarmed = seen.filter(({ decision }) => decision.notices.includes('boiler-off')).map(({ hour }) => hour)
  expect(alarmed[0]).toBeLessThan(backH)
  expect(alarmed.at(-1)).toBeLessThan(backH + 1)
  expect(Math.max(...seen.map(({ floorC }) => floorC))).toBeLessThan(28)
})

test.each([7.5, 9, 10])(
  'a strong mat that heats again after a failure of %s h stays within the limit of the floor',
  (hours) => {
    const failsH = 108
    const { seen } = simulatedRoom({
      floorType: 'electric',
      days: 6,
      settings: { strategy: 'saving', timeZone: 'UTC' },
      physics: { heat: { kind: 'electric', powerWm2: 156 } },
      supplyAt: (hour) => (hour >= failsH && hour < failsH + hours ? 'failed' : 'running'),
    })
    const after = seen.filter(({ hour }) => hour > failsH + hours)
    expect(after.some(isNoticed)).toBe(true)
    expect(isNoticed(seen.at(-1) as Seen)).toBe(false)
    expect(Math.max(...after.map(({ floorC }) => floorC))).toBeLessThan(28.5)
  },
)
