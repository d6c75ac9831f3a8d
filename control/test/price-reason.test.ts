import { expect, test } from 'vitest'
import { type Energy, explain, type Prices } from '../src/index.ts'
import { HOUR_MS, WINTER_MS } from './room.ts'
import { type Seen, simulatedRoom } from './simulated-room.ts'

/** Cheap at night, expensive in the morning and the evening. */
const priceAt = (hour: number): number => {
  if (hour < 6) return 0.1
  return (hour >= 7 && hour < 10) || (hour >= 17 && hour < 21) ? 0.4 : 0.2
}
const PRICES: Prices = {
  startMs: WINTER_MS,
  stepS: 3600,
  perKwh: Array.from({ length: 120 }, (_, hour) => priceAt(hour % 24)),
}

/** Two days, after one to settle. */
const daysWith = (energy?: Energy): Seen[] =>
  simulatedRoom({ days: 3, settings: { timeZone: 'UTC' }, ...(energy && { energy }) }).seen.filter(
    ({ hour }) => hour >= 24,
  )
const hourOf = (atMs: number) => ((atMs - WINTER_MS) / HOUR_MS) % 24

test('a room that heats because heat is cheap says until when, and one that waits from when on it is cheaper', () => {
  const seen = daysWith({ prices: PRICES, source: null })
  const named = (kind: string) => seen.filter(({ decision }) => decision.price?.kind === kind)
  expect(named('cheap').length).toBeGreaterThan(0)
  expect(named('waits').length).toBeGreaterThan(0)
  for (const { hour, decision } of named('cheap')) {
    expect(priceAt(hour % 24)).toBeLessThan(0.4)
    expect(explain(decision).sentence).toMatch(/ Heat is cheap until \d\d:\d\d, and the floor stores it\.$/)
  }
  for (const { hour, decision } of named('waits')) {
    expect(priceAt(hour % 24)).toBe(0.4)
    expect([10, 21]).toContain(hourOf(decision.price?.untilMs ?? 0))
    expect(explain(decision).sentence).toMatch(/ It waits for cheaper heat from (10|21):00 on\.$/)
  }
})

test('without prices, with one price and with a heat pump alone, none is named', () => {
  const flat = { ...PRICES, perKwh: PRICES.perKwh.map(() => 0.3) }
  for (const energy of [
    undefined,
    { prices: flat, source: null },
    { prices: null, source: { kind: 'heat-pump' as const, quality: 0.4 } },
  ])
    expect(daysWith(energy).some(({ decision }) => 'price' in decision)).toBe(false)
})
