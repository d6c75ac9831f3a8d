import type { Decision } from '@hypocaust/control'
import { MINUTE_MS } from '@hypocaust/domain'
import { expect, test } from 'vitest'
import { gistOf, isWorthKeeping } from '../src/house/heating/writes.ts'

const NOW_MS = Date.UTC(2026, 0, 10, 12)

/** A closed loop of a room that can wait for its heat. */
const WAITS = {
  atMs: NOW_MS,
  mode: 'heat',
  power: 0,
  share: 0,
  rung: 'plan',
  notices: [],
  caps: [],
  aim: { targetC: 20, highC: 20.5 },
  estimate: { airC: 20 },
  warmsForMs: null,
  without: { atMs: NOW_MS },
} as unknown as Decision

const isKept = (next: Partial<Decision>): boolean =>
  isWorthKeeping({ ...WAITS, ...next, atMs: NOW_MS + MINUTE_MS }, { keptAt: NOW_MS, keptGist: gistOf(WAITS) })

test('a decision like the last one is not kept again', () => {
  expect(isKept({})).toBe(false)
})

test('a decision by which the floor does something else is kept, though its power is the same: else the explanation would contradict the outlook', () => {
  expect(isKept({ share: 0.1 })).toBe(true)
  expect(isKept({ without: null })).toBe(true)
  expect(isKept({ without: null, estimate: { airC: 21 } } as Partial<Decision>)).toBe(true)
})
