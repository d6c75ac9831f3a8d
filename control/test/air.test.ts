import { dewPointC, gramsPerM3, humidityAt, saturatedAtC, saturationHpa, vapourHpa } from '@hypocaust/domain/facts'
import { runs } from '@hypocaust/testing/runs.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { airingAdvice, airingMinutes, driesBy } from '../src/air/exchange.ts'
import { type AirSample, followSurface, mouldRisk, type SurfaceRecord, warmAgainstMouldC } from '../src/air/mould.ts'
import { DAMP_PCT, dryAtC, surfaceC } from '../src/air/surface.ts'

const indoorC = fc.double({ min: 5, max: 35, noNaN: true })
const outdoorC = fc.double({ min: -25, max: 40, noNaN: true })
const pct = fc.double({ min: 10, max: 100, noNaN: true })
const factor = fc.double({ min: 0.3, max: 1, noNaN: true })

describe('humidity', () => {
  test('is as in the tables of the trade, within 0.5 %', () => {
    const shareOf = (value: number, table: number) => expect(value / table).toBeCloseTo(1, 2)
    shareOf(saturationHpa(0), 6.11)
    shareOf(saturationHpa(20), 23.39)
    shareOf(gramsPerM3(saturationHpa(20), 20), 17.3)
    shareOf(gramsPerM3(saturationHpa(0), 0), 4.85)
    expect(dewPointC(20, 50)).toBeCloseTo(9.3, 1)
    expect(dewPointC(25, 60)).toBeCloseTo(16.7, 1)
  })

  test('the dew point is never above the air, and that of saturated air is its temperature', () => {
    fc.assert(
      fc.property(indoorC, pct, (airC, humidityPct) => {
        expect(dewPointC(airC, humidityPct)).toBeLessThanOrEqual(airC + 1e-9)
        expect(dewPointC(airC, 100)).toBeCloseTo(airC, 9)
      }),
      { numRuns: runs(300) },
    )
  })

  test('more humid air has a higher dew point, and warmer air holds more', () => {
    fc.assert(
      fc.property(indoorC, pct, fc.double({ min: 0.1, max: 20, noNaN: true }), (airC, humidityPct, more) => {
        fc.pre(humidityPct + more <= 100)
        expect(dewPointC(airC, humidityPct + more)).toBeGreaterThan(dewPointC(airC, humidityPct))
        expect(saturationHpa(airC + more)).toBeGreaterThan(saturationHpa(airC))
      }),
      { numRuns: runs(300) },
    )
  })

  test('pressure and temperature of saturation are each other’s inverse, also outdoors', () => {
    fc.assert(
      fc.property(outdoorC, (airC) => {
        expect(saturatedAtC(saturationHpa(airC))).toBeCloseTo(airC, 9)
      }),
      { numRuns: runs(300) },
    )
  })

  test('whatever a sensor reports, the figures are finite', () => {
    fc.assert(
      fc.property(fc.double({ min: -273, max: 1000, noNaN: true }), fc.double({ min: -50, max: 500 }), (airC, any) => {
        fc.pre(!Number.isNaN(any))
        expect(Number.isFinite(dewPointC(airC, any))).toBe(true)
      }),
      { numRuns: runs(300) },
    )
  })
})

describe('the coldest surface', () => {
  test('lies between outdoors and the room', () => {
    fc.assert(
      fc.property(indoorC, outdoorC, factor, (airC, outC, f) => {
        const coldC = surfaceC(airC, outC, f)
        expect(coldC).toBeGreaterThanOrEqual(Math.min(airC, outC) - 1e-9)
        expect(coldC).toBeLessThanOrEqual(Math.max(airC, outC) + 1e-9)
      }),
      { numRuns: runs(300) },
    )
  })

  test('of DIN 4108-2 is at the edge: 20°, 50 %, −5° outdoors and a factor of 0.7', () => {
    const coldC = surfaceC(20, -5, 0.7)
    expect(coldC).toBeCloseTo(12.5, 9)
    expect(Math.abs(humidityAt(vapourHpa(20, 50), coldC) - DAMP_PCT)).toBeLessThan(1)
  })

  test('is at 80 % in a room as warm as it has to be', () => {
    fc.assert(
      fc.property(indoorC, pct, outdoorC, factor, (airC, humidityPct, outC, f) => {
        const hpa = vapourHpa(airC, humidityPct)
        const neededC = dryAtC(hpa, outC, f)
        expect(humidityAt(hpa, surfaceC(neededC, outC, f))).toBeCloseTo(DAMP_PCT, 6)
      }),
      { numRuns: runs(300) },
    )
  })
})

const HOUR = 3_600_000
const hoursOf = (count: number, air: Omit<AirSample, 'atMs' | 'hours'>, fromMs = 0): AirSample[] =>
  Array.from({ length: count }, (_, i) => ({ atMs: fromMs + i * HOUR, hours: 1, ...air }))
const DAMP = { airC: 19, humidityPct: 65, outdoorC: -5 }
const DRY = { airC: 21, humidityPct: 40, outdoorC: -5 }
const followed = (samples: AirSample[], f = 0.7) => followSurface(null, samples, f) as SurfaceRecord

describe('mould', () => {
  test('nothing is said of a room before two days are known', () => {
    expect(mouldRisk(followed(hoursOf(47, DAMP)))).toBeNull()
    expect(mouldRisk(followed(hoursOf(48, DAMP)))).toBe('high')
    expect(mouldRisk(followed(hoursOf(48, DRY)))).toBe('low')
  })

  test('one damp day after dry ones is no risk, and damp days become one', () => {
    const dry = followed(hoursOf(240, DRY))
    const after = (days: number) =>
      mouldRisk(followSurface(dry, hoursOf(24 * days, DAMP, 240 * HOUR), 0.7) as SurfaceRecord)
    expect([after(1), after(2), after(4)]).toEqual(['low', 'raised', 'high'])
  })

  test('the share of damp time stays a share, and damper air never lowers it', () => {
    const air = fc.record({ airC: indoorC, humidityPct: pct, outdoorC })
    fc.assert(
      fc.property(fc.array(air, { minLength: 1, maxLength: 80 }), factor, (airs, f) => {
        const samples = airs.map((each, i) => ({ atMs: i * HOUR, hours: 1, ...each }))
        const damper = samples.map((each) => ({ ...each, humidityPct: Math.min(100, each.humidityPct + 5) }))
        const [one, other] = [followed(samples, f), followed(damper, f)]
        expect(one.dampShare).toBeGreaterThanOrEqual(0)
        expect(one.dampShare).toBeLessThanOrEqual(1)
        expect(other.dampShare).toBeGreaterThanOrEqual(one.dampShare)
      }),
      { numRuns: runs(200) },
    )
  })

  test('it does not matter in how many parts the hours arrive', () => {
    const samples = [...hoursOf(60, DAMP), ...hoursOf(60, DRY, 60 * HOUR)]
    const inParts = followSurface(followSurface(null, samples.slice(0, 37), 0.7), samples.slice(37), 0.7)
    expect(inParts).toEqual(followed(samples))
  })

  test('another factor begins anew', () => {
    const before = followed(hoursOf(100, DAMP))
    expect(followSurface(before, [], 0.8)).toBeNull()
    expect(followSurface(before, hoursOf(3, DAMP, 100 * HOUR), 0.8)?.knownH).toBe(3)
  })

  test('warmth is asked for only where there is a risk, and dries the surface', () => {
    expect(warmAgainstMouldC(followed(hoursOf(120, DRY)))).toBeNull()
    const record = followed(hoursOf(120, DAMP))
    const warmC = warmAgainstMouldC(record) as number
    expect(warmC).toBeGreaterThan(DAMP.airC)
    expect(humidityAt(record.vapourHpa, surfaceC(warmC, record.outdoorC, 0.7))).toBeCloseTo(DAMP_PCT, 6)
  })
})

describe('airing', () => {
  const room = { airC: 20, humidityPct: 60 }
  const at = (atMs: number, airC: number, humidityPct: number) => ({ atMs, outdoor: { airC, humidityPct } })

  test('helps in winter at once and within minutes, also when it rains', () => {
    expect(airingAdvice(room, [at(0, 2, 98)])).toEqual({ kind: 'now', minutes: 5, gramsPerM3: expect.closeTo(5.1, 0) })
  })

  test('of humid summer air makes it worse: later, or not at all', () => {
    expect(airingAdvice(room, [at(0, 24, 75), at(HOUR, 22, 80)])).toEqual({ kind: 'no' })
    expect(airingAdvice(room, [at(0, 24, 75), at(HOUR, 12, 70)])).toEqual({ kind: 'later', atMs: HOUR })
  })

  test('takes longer the warmer it is outdoors, between five and thirty minutes', () => {
    fc.assert(
      fc.property(outdoorC, fc.double({ min: 0, max: 10, noNaN: true }), (outC, colderK) => {
        fc.pre(outC <= room.airC)
        const minutes = airingMinutes(room, { airC: outC, humidityPct: 50 })
        expect(minutes).toBeGreaterThanOrEqual(airingMinutes(room, { airC: outC - colderK, humidityPct: 50 }))
        expect(minutes).toBeGreaterThanOrEqual(5)
        expect(minutes).toBeLessThanOrEqual(30)
      }),
      { numRuns: runs(200) },
    )
  })

  test('is never advised for now with air that brings water in', () => {
    fc.assert(
      fc.property(indoorC, pct, outdoorC, pct, (airC, humidityPct, outC, outPct) => {
        const inside = { airC, humidityPct }
        const advice = airingAdvice(inside, [at(0, outC, outPct)])
        if (advice.kind === 'now') expect(driesBy(inside, { airC: outC, humidityPct: outPct })).toBeGreaterThan(0)
      }),
      { numRuns: runs(300) },
    )
  })
})
