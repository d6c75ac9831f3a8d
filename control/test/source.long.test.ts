import type { FloorType } from '@hypocaust/domain'
import { expect, test } from 'vitest'
import { type RoomControl, type SourceEvidence, sharedEvidence, stepRoom } from '../src/index.ts'
import { EVERY_FLOOR, input } from './room.ts'
import { beginningOf, type Seen, type Simulated, type Story, simulatedFrom, simulatedRoom } from './simulated-room.ts'

const FAILS_H = 24 * 5 + 13
const REPAIRED_H = FAILS_H + 14
const supplyAt = (hour: number) => (hour >= FAILS_H && hour < REPAIRED_H ? 'failed' : 'running')
const frost = (hour: number) => -5 + 3 * Math.sin((2 * Math.PI * (hour - 9)) / 24)

/** Stories that are the same until the source fails share the days before. */
function sharedUntil(failsH: number) {
  const before = new Map<FloorType, Simulated>()
  return (story: Story & { floorType: FloorType }): readonly Seen[] => {
    const { floorType } = story
    const start = before.get(floorType) ?? simulatedFrom(beginningOf(story), { ...story, days: failsH / 24 })
    before.set(floorType, start)
    return simulatedFrom(start, story).seen
  }
}

const sharedUntilFailure = sharedUntil(FAILS_H)
const failing = (story: Partial<Story> = {}) =>
  sharedUntilFailure({
    floorType: 'screed',
    days: 7,
    outdoorAt: frost,
    supplyAt,
    ...story,
  })

const isNoticed = ({ decision }: Seen) => decision.notices.includes('boiler-off')
const noticedAfterH = (seen: readonly Seen[]) => (seen.find(isNoticed)?.hour ?? Number.POSITIVE_INFINITY) - FAILS_H

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
  const { seen } = simulatedRoom({ days: 7, outdoorAt: frost, supplyAt, otherRoomsAt: () => heated })
  expect(noticedAfterH(seen)).toBeLessThan(14)
})

test('an electric floor shows nothing of the source of water floors, nor they of its own', () => {
  const evidence: SourceEvidence = { asked: true, weight: 0.8 }
  const shows = (floorType: FloorType): RoomControl => {
    const { state } = stepRoom(null, input({ floorType }))
    return { ...state, source: { ...state.source, evidence } }
  }
  const others = [shows('screed'), shows('electric'), null]
  expect(sharedEvidence('slab', others)).toEqual([evidence])
  expect(sharedEvidence('electric', others)).toEqual([])
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

const MAT_FAILS_H = 108

const sharedUntilMatFails = sharedUntil(MAT_FAILS_H)
const failingMat = (hours: number, days: number) =>
  sharedUntilMatFails({
    floorType: 'electric',
    days,
    settings: { strategy: 'saving', timeZone: 'UTC' },
    physics: { heat: { kind: 'electric', powerWm2: 156 } },
    supplyAt: (hour) => (hour >= MAT_FAILS_H && hour < MAT_FAILS_H + hours ? 'failed' : 'running'),
  })

test('heat that comes back before its failure is confirmed ends the suspicion, and the floor stays within its limit', () => {
  const backH = MAT_FAILS_H + 5
  const seen = failingMat(5, 5)
  const alarmed = seen.filter(isNoticed).map(({ hour }) => hour)
  expect(alarmed[0]).toBeLessThan(backH)
  expect(alarmed.at(-1)).toBeLessThan(backH + 1)
  expect(Math.max(...seen.map(({ floorC }) => floorC))).toBeLessThan(28)
})

test.each([7.5, 9, 10])(
  'a strong mat that heats again after a failure of %s h stays within the limit of the floor',
  (hours) => {
    const seen = failingMat(hours, 6)
    const after = seen.filter(({ hour }) => hour > MAT_FAILS_H + hours)
    expect(after.some(isNoticed)).toBe(true)
    expect(isNoticed(seen.at(-1) as Seen)).toBe(false)
    expect(Math.max(...after.map(({ floorC }) => floorC))).toBeLessThan(28.5)
  },
)
