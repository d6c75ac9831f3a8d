import { CAUSES, type Cause } from '@hypocaust/domain'
import { expect, test } from 'vitest'
import { rank } from '../src/diagnose/rank.ts'

const roomOf = (gains: Partial<Record<Cause, number>>) => ({
  floorType: 'screed' as const,
  gains: Object.fromEntries(CAUSES.map((cause) => [cause, gains[cause] ?? 0])) as Record<Cause, number>,
  swapped: [],
})

const firstOf = (...house: Partial<Record<Cause, number>>[]) => rank(house.map(roomOf), 0)[0]

test('a cause that much speaks for is the probable one, and never certain', () => {
  const first = firstOf({ actuator_stuck_closed: 200 }, {})
  expect(first?.cause).toBe('actuator_stuck_closed')
  expect(first?.probability).toBeGreaterThan(0.9)
  expect(first?.probability).toBeLessThan(0.98)
})

test('what healthy rooms beside a stove show does not make cold water probable', () => {
  const first = firstOf({ supply_too_cold: 7.1, little_flow: 5.5 }, { supply_too_cold: 4.5, little_flow: 4.2 })
  expect(first?.cause).toBe('supply_too_cold')
  expect(first?.probability).toBeLessThan(0.7)
})

test('a room that speaks weakly for a cause of the house does not stand for a second one', () => {
  const stove = [{ supply_too_cold: 8.6, little_flow: 7.2 }, { supply_too_cold: 2.5 }, { supply_too_cold: 3.4 }]
  expect(firstOf(...stove)?.cause).not.toBe('supply_too_cold')
  expect(firstOf(...stove)?.probability).toBeLessThan(0.7)
})

test('a cause of the house that each room half believes is probable in both together', () => {
  expect(firstOf({ supply_too_cold: 9 }, {})?.probability).toBeLessThan(0.7)
  expect(firstOf({ supply_too_cold: 9 }, { supply_too_cold: 9 })?.probability).toBeGreaterThan(0.9)
})
