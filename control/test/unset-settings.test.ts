import type { Vacancy } from '@hypocaust/domain'
import { runs } from '@hypocaust/testing/runs.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { aimAt, type MouldWarming, type RoomSettings, type Strategy } from '../src/index.ts'
import { decisionsOn, recordedDays } from './recorded-days.ts'
import { EVERY_FLOOR, settings, WINTER_MS } from './room.ts'

const STRATEGIES: Strategy[] = ['comfort-first', 'hold', 'saving']
const day = fc.record({
  floorType: fc.constantFrom(...EVERY_FLOOR),
  strategy: fc.constantFrom(...STRATEGIES),
  seed: fc.integer({ min: 1, max: 1000 }),
})

describe('a setting that asks for nothing', () => {
  const unset: fc.Arbitrary<MouldWarming> = fc.oneof(
    fc.record({
      dryAtC: fc.double({ min: -10, max: 18.9, noNaN: true }),
      mostK: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
    fc.record({ dryAtC: fc.double({ min: -10, max: 30, noNaN: true }), mostK: fc.constant(0) }),
  )

  test('against mould leaves every decision of recorded days as it was', () => {
    fc.assert(
      fc.property(day, unset, ({ floorType, strategy, seed }, mould) => {
        const recorded = recordedDays(floorType, 1, seed)
        const decided = decisionsOn(recorded, floorType, strategy)
        expect(decisionsOn(recorded, floorType, strategy, {}, { mould })).toEqual(decided)
      }),
      { numRuns: runs(20) },
    )
  })

  const inUse: fc.Arbitrary<Vacancy | null> = fc.oneof(
    fc.constant(null),
    // Nothing can be warm again in time, nobody may be away yet, or the reports are too old.
    fc.constant({ fromMs: 0, untilMs: Number.POSITIVE_INFINITY, targetC: 15, mostK: 0 }),
    fc.constant({ fromMs: 0, untilMs: 1, targetC: 15, mostK: 5 }),
    fc.constant({ fromMs: Number.NaN, untilMs: Number.NaN, targetC: Number.NaN, mostK: Number.NaN }),
    fc.constant({ fromMs: 0, untilMs: Number.POSITIVE_INFINITY, targetC: 35, mostK: 5 }),
  )

  test('of people leaves every decision of recorded days as it was', () => {
    fc.assert(
      fc.property(day, inUse, ({ floorType, strategy, seed }, vacancy) => {
        const recorded = recordedDays(floorType, 1, seed)
        const decided = decisionsOn(recorded, floorType, strategy)
        expect(decisionsOn(recorded, floorType, strategy, {}, { vacancy })).toEqual(decided)
      }),
      { numRuns: runs(20) },
    )
  })
})

describe('warmth against mould', () => {
  const warming = fc.record({
    dryAtC: fc.double({ min: 0, max: 35, noNaN: true }),
    mostK: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  const targetC = fc.double({ min: 7, max: 30, noNaN: true })
  const raised = (changes: Partial<RoomSettings>, mould: MouldWarming) => {
    const aimed = (more: Partial<RoomSettings>) => aimAt(settings({ ...changes, ...more }), WINTER_MS).targetC
    return aimed({ mould }) - aimed({})
  }

  test('is never more than was chosen, and never more than the surface needs', () => {
    fc.assert(
      fc.property(targetC, warming, (target, mould) => {
        const byK = raised({ targetC: target }, mould)
        expect(byK).toBeGreaterThanOrEqual(0)
        expect(byK).toBeLessThanOrEqual(mould.mostK + 1e-9)
        if (byK > 0) expect(target + byK).toBeLessThanOrEqual(mould.dryAtC + 1e-9)
      }),
      { numRuns: runs(300) },
    )
  })

  test('is nothing in a room that is off, under manual power, or overridden by a person', () => {
    const damp = { dryAtC: 25, mostK: 1 }
    expect(raised({}, damp)).toBe(1)
    expect(raised({ steering: { kind: 'off' } }, damp)).toBe(0)
    expect(raised({ steering: { kind: 'manual', power: 0.3 } }, damp)).toBe(0)
    const override = { kind: 'target' as const, targetC: 19, setAtMs: WINTER_MS - 1, untilMs: WINTER_MS + 3_600_000 }
    expect(raised({ override }, damp)).toBe(0)
  })

  test('heats a room that would rest otherwise', () => {
    const recorded = recordedDays('screed', 3, 4)
    const heat = (mould?: MouldWarming) =>
      decisionsOn(recorded, 'screed', 'hold', {}, mould ? { mould } : {}).reduce((sum, { share }) => sum + share, 0)
    expect(heat({ dryAtC: 25, mostK: 1 })).toBeGreaterThan(heat())
  })
})
