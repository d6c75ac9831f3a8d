import { runs } from '@hypocaust/testing/runs.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { aimAt, type MouldWarming, type RoomSettings } from '../src/index.ts'
import { decisionsOn, recordedDays } from './recorded-days.ts'
import { settings, WINTER_MS } from './room.ts'

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
