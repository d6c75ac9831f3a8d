import { createHash } from 'node:crypto'
import { runs } from '@hypocaust/testing/runs.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Decision, RoomSettings, StepInput, Strategy } from '../src/index.ts'
import { decisionsOn, recordedDays } from './recorded-days.ts'
import { EVERY_FLOOR, WINTER_MS } from './room.ts'

const DAY_MS = 86_400_000
const always = { fromMs: 0, untilMs: Number.POSITIVE_INFINITY }
const over = { fromMs: WINTER_MS - 2 * DAY_MS, untilMs: WINTER_MS - DAY_MS }

/** All that came after plain heating, each as where nobody uses it, or where it is over. */
const unusedInputs: fc.Arbitrary<Partial<StepInput>> = fc.record(
  {
    limits: fc.constantFrom([], [{ ...over, share: 0 }], [{ ...over, untilMs: Number.NaN, share: 0 }]),
    busy: fc.constantFrom([], [{ ...over, share: 1 }], [{ fromMs: Number.NaN, untilMs: 1, share: 1 }]),
    energy: fc.constantFrom(null, { prices: null, source: null }, { prices: null, source: null, sunny: [] }),
    supply: fc.constantFrom(null, { measuredC: null, setC: null }),
    cooling: fc.constant(null),
    window: fc.constant(null),
    unreached: fc.constant(null),
    coldestC: fc.constant(null),
  },
  { requiredKeys: [] },
)
const away = { kind: 'away' as const, targetC: 12 }
const unusedSettings: fc.Arbitrary<Partial<RoomSettings>> = fc.record(
  {
    // Warmth that nobody allows, and that no surface needs.
    mould: fc.constantFrom({ dryAtC: 30, mostK: 0 }, { dryAtC: 18.9, mostK: 1 }),
    // Nobody may be away yet, the reports are too old, nothing can be warm again in time, or nothing would be colder.
    vacancy: fc.constantFrom(
      null,
      { ...over, targetC: 12, mostK: 5 },
      { ...always, targetC: 15, mostK: 0 },
      { ...always, targetC: 35, mostK: 5 },
      { fromMs: Number.NaN, untilMs: Number.NaN, targetC: Number.NaN, mostK: Number.NaN },
    ),
    calendar: fc.constantFrom(null, [], [{ ...over, ...away }]),
    away: fc.constantFrom(null, { ...over, setAtMs: 0, targetC: 12 }),
    blinds: fc.constant({ sides: ['south' as const], aboveC: 32 }),
  },
  { requiredKeys: [] },
)

test('what nobody uses leaves every decision of recorded days as it is without it', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...EVERY_FLOOR),
      fc.constantFrom<Strategy>('hold', 'saving', 'comfort-first'),
      fc.integer({ min: 1, max: 1000 }),
      unusedInputs,
      unusedSettings,
      (floorType, strategy, seed, inputs, changes) => {
        const days = recordedDays(floorType, 1, seed)
        expect(decisionsOn(days, floorType, strategy, inputs, changes)).toEqual(decisionsOn(days, floorType, strategy))
      },
    ),
    { numRuns: runs(40) },
  )
})

/**
 * What the law decides on kept days, so that no change of it goes unseen. A change that is meant to alter decisions renews
 * the digests by `npx vitest run control/test/unchanged.test.ts -u`; its commit says why they differ, and by how much the
 * benchmarks do.
 */
describe('decisions of the law on kept days', () => {
  const rounded = (_: string, value: unknown) => (typeof value === 'number' ? Number(value.toFixed(3)) : value)
  const digestOf = (decisions: Decision[]) => {
    const meanShare = decisions.reduce((sum, { share }) => sum + share, 0) / decisions.length
    const digest = createHash('sha256').update(JSON.stringify(decisions, rounded)).digest('hex')
    return `open for ${meanShare.toFixed(4)}, ${digest.slice(0, 16)}`
  }
  const kept = (strategy: 'hold' | 'saving') =>
    Object.fromEntries(
      EVERY_FLOOR.map((floorType) => [
        floorType,
        digestOf(decisionsOn(recordedDays(floorType, 1, 11), floorType, strategy)),
      ]),
    )

  test('that hold the target are as they were', () => {
    expect(kept('hold')).toMatchInlineSnapshot(`
      {
        "dry": "open for 0.0974, ab28fd61d339d04b",
        "electric": "open for 0.0419, 68e405252e922dc0",
        "screed": "open for 0.1392, 7e71a2a36add3580",
        "slab": "open for 0.2735, f3d7d65f0bd6157f",
        "timber": "open for 0.0507, 243831705ca67e79",
      }
    `)
  })

  test('that save are as they were', () => {
    expect(kept('saving')).toMatchInlineSnapshot(`
      {
        "dry": "open for 0.0796, 639e6911ba226edc",
        "electric": "open for 0.0335, 1a10643096fe44b2",
        "screed": "open for 0.0909, b6c8cf993af3be25",
        "slab": "open for 0.2168, 76f4cf379dd75463",
        "timber": "open for 0.0000, ee469e561b0b8b10",
      }
    `)
  })
})
