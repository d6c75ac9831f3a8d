import { expect, test } from 'vitest'
import { DEFECTS } from '../simulate/defects.ts'
import { failEachOperation, simulateAll } from '../simulate/fleet.ts'
import { shortened } from '../simulate/shorten.ts'

const seedsFrom = (first: number, count: number) => Array.from({ length: count }, (_, i) => first + i)
/** Each defect is found much sooner; so many are allowed. */
const MOST_SEEDS = 200

test('thirty seeds, and nothing that is promised is broken', { timeout: 900_000 }, async () => {
  const reports = await simulateAll({ seeds: seedsFrom(25, 30), shorten: true })
  expect(reports.filter(({ violations }) => violations.length > 0)).toEqual([])
})

test.each(DEFECTS.map(({ name }) => name))(
  `found within ${MOST_SEEDS} seeds: %s`,
  { timeout: 900_000 },
  async (defect) => {
    const reports = await simulateAll({ seeds: seedsFrom(1, MOST_SEEDS), defect, stopAtFirst: true })
    expect(reports.some(({ violations }) => violations.length > 0)).toBe(true)
  },
)

test('whichever operation of a disk fails in a day, it ends well', { timeout: 1_800_000 }, async () => {
  const reports = await failEachOperation(60)
  expect(reports.filter(({ failure }) => failure).length).toBeGreaterThan(20)
  expect(reports.filter(({ violations }) => violations.length > 0)).toEqual([])
})

test('a failing seed is shortened to the events without which it would not fail', async () => {
  const fails = async (without: ReadonlySet<number>) => ({
    violations: [2, 5].some((needed) => without.has(needed)) ? [] : [{ atMs: 0, law: 'a law', what: '' }],
  })
  const left = await shortened(1, await fails(new Set()), new Set(), fails)
  expect([...Array(8).keys()].filter((event) => !left.has(event))).toEqual([2, 5])
})
