import { expect, test } from 'vitest'
import { explain, stepRoom } from '../src/index.ts'
import { HOUR_MS, hold, input, settings, WINTER_MS } from './room.ts'

const fresh = (airC: number) => ({ kind: 'fresh' as const, airC, ageS: 10 })
const OPENED_MS = WINTER_MS + 6 * HOUR_MS

/** A cold room that wants heat. */
const before = () => hold(6, () => ({ air: fresh(19.5), window: 'closed' }))

test('an open window pauses heating at once, before the temperature has moved', () => {
  const wanting = before()
  expect(wanting.decision.share).toBeGreaterThan(0.2)
  const open = stepRoom(wanting.state, input({ nowMs: OPENED_MS + 60_000, air: fresh(19.5), window: 'open' }))
  expect(open.power).toBe(0)
  expect(open.decision.caps).toContain('open-window')
  expect(explain(open.decision).sentence).toBe('A window is open: heating is paused until it is shut.')
})

test('a contact beats inference: with the window shut, a fast fall is no open window', () => {
  const falling = (nowMs: number) => 20.8 - Math.min(3, Math.max(0, nowMs - OPENED_MS) / 200_000)
  const calm = hold(6, () => ({ air: fresh(20.8), window: 'closed' }))
  const fell = hold(0.5, (nowMs) => ({ air: fresh(falling(nowMs)), window: 'closed' }), calm.state, OPENED_MS)
  expect(fell.decision.notices).not.toContain('window-open')
  expect(fell.state.airing.openSinceMs).toBeNull()
})

test('nothing is learned while the window is open, nor until the walls have warmed the air again', () => {
  const calm = hold(6, () => ({ air: fresh(20.8), window: 'closed' }))
  const open = hold(0.4, () => ({ air: fresh(16), window: 'open' }), calm.state, OPENED_MS)
  expect(open.state.slot.spoiled).toBe(true)
  const shutMs = OPENED_MS + 0.4 * HOUR_MS
  const rising = (nowMs: number) => 16 + 4.4 * (1 - Math.exp(-(nowMs - shutMs) / 400_000))
  const early = hold(0.1, (nowMs) => ({ air: fresh(rising(nowMs)), window: 'closed' }), open.state, shutMs)
  expect(early.state.airing.openSinceMs).not.toBeNull()
  const floorBefore = calm.decision.estimate?.floorC ?? Number.NaN
  expect(early.decision.estimate?.floorC, 'the cold air says nothing about the floor').toBeCloseTo(floorBefore, 0)
  const late = hold(1, (nowMs) => ({ air: fresh(rising(nowMs)), window: 'closed' }), early.state, shutMs + 420_000)
  expect(late.state.airing.openSinceMs).toBeNull()
})

test('a room whose walls went cold in an hour of airing is believed as soon as its air is at rest', () => {
  const calm = hold(6, () => ({ air: fresh(20.8), window: 'closed' }))
  const open = hold(1, () => ({ air: fresh(12), window: 'open' }), calm.state, OPENED_MS)
  const shutMs = OPENED_MS + HOUR_MS
  const rising = (nowMs: number) => 12 + 4 * (1 - Math.exp(-(nowMs - shutMs) / 400_000))
  const later = hold(1.2, (nowMs) => ({ air: fresh(rising(nowMs)), window: 'closed' }), open.state, shutMs)
  expect(later.state.airing.openSinceMs).toBeNull()
  expect(later.decision.share).toBeGreaterThan(0)
})

test('frost protection and a power set by hand go on with an open window', () => {
  const cold = stepRoom(null, input({ air: fresh(3), window: 'open' }))
  expect(cold.power).toBeGreaterThan(0)
  const manual = settings({ steering: { kind: 'manual', power: 0.4 } })
  expect(stepRoom(null, input({ air: fresh(18), window: 'open', settings: manual })).power).toBe(0.4)
})

test('a state of before contacts is taken up', () => {
  const old = JSON.parse(JSON.stringify(before().state))
  const next = stepRoom(old, input({ nowMs: OPENED_MS, air: fresh(19.5), window: 'open' }))
  expect(next.state.fit).toEqual(old.fit)
  expect(next.state.belief).not.toBeNull()
})
