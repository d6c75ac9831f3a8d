import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pricesAhead } from '../src/index.ts'
import { HOUR_MS, WINTER_MS } from './room.ts'

const DAY_MS = 24 * HOUR_MS

test('an hour without a price is the mean of the same hour of past days', () => {
  const perKwh = [...day(1), ...day(3), ...new Array(24).fill(null)]
  const ahead = pricesAhead({ startMs: WINTER_MS, stepS: 3600, perKwh }, WINTER_MS + 2 * DAY_MS + 5.5 * HOUR_MS, 86_400)
  expect(ahead?.startMs).toBe(WINTER_MS + 2 * DAY_MS + 5 * HOUR_MS)
  expect(ahead?.perKwh.slice(0, 3)).toEqual([2.05, 2.06, 2.07])
  expect(ahead?.perKwh).toHaveLength(25)
})

test('an hour that is known on no day is the mean of all, and no price at all is no outlook', () => {
  const known = { startMs: WINTER_MS, stepS: 3600, perKwh: [0.2, 0.4] }
  expect(pricesAhead(known, WINTER_MS + HOUR_MS, 7200)?.perKwh).toEqual([0.4, 0.30000000000000004, 0.30000000000000004])
  expect(pricesAhead({ ...known, perKwh: [null] }, WINTER_MS, 7200)).toBeNull()
})

test('whatever is known, the outlook has only prices within the range of the known ones', () => {
  fc.assert(
    fc.property(
      fc.array(fc.option(fc.double({ min: -1, max: 9, noNaN: true })), { minLength: 1, maxLength: 400 }),
      fc.constantFrom(900, 1800, 3600),
      fc.integer({ min: -3000, max: 9000 }),
      (perKwh, stepS, minutes) => {
        const ahead = pricesAhead({ startMs: WINTER_MS, stepS, perKwh }, WINTER_MS + minutes * 60_000, 172_800)
        const known = perKwh.filter((price) => price !== null)
        expect(ahead === null).toBe(known.length === 0)
        for (const price of ahead?.perKwh ?? []) {
          expect(price).toBeGreaterThanOrEqual(Math.min(...known) - 1e-9)
          expect(price).toBeLessThanOrEqual(Math.max(...known) + 1e-9)
        }
      },
    ),
  )
})

/** Prices that say which hour they are of. */
const day = (base: number) => Array.from({ length: 24 }, (_, hour) => base + hour / 100)
