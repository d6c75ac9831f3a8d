import { expect, test } from 'vitest'
import { type Energy, stepRoom } from '../src/index.ts'
import { relativeCosts } from '../src/model/heat-cost.ts'
import { modelOf, nothingLearned } from '../src/model/model.ts'
import { EVERY_FLOOR, HOUR_MS, input, settings, WINTER_MS } from './room.ts'

const grid = (state: Energy['grid']): Energy => ({ prices: null, source: null, grid: state ?? null })
const cold = (airC: number) => ({ kind: 'fresh' as const, airC, ageS: 0 })
const powerOf = (changes: Parameters<typeof input>[0]) => stepRoom(null, input(changes)).decision

test('while the heat pump is locked a cold room is not heated, and the decision says why', () => {
  expect(powerOf({ air: cold(18) }).power).toBeGreaterThan(0)
  const locked = powerOf({ air: cold(18), energy: grid('locked') })
  expect(locked.power).toBe(0)
  expect(locked.share).toBe(0)
  expect(locked.caps).toContain('grid-lock')
})

test('the lock never lets a room freeze: below 5 °C it is heated, on its own target and when it is off', () => {
  for (const steering of [{ kind: 'automatic' as const }, { kind: 'off' as const }])
    expect(powerOf({ air: cold(4.5), energy: grid('locked'), settings: settings({ steering }) }).power).toBeGreaterThan(
      0,
    )
})

test('with frost protection switched off the lock holds', () => {
  const without = settings({ frostProtection: false })
  expect(powerOf({ air: cold(4.5), energy: grid('locked'), settings: without }).power).toBe(0)
})

test('an electric mat is not locked with the heat pump, and manual power stays as set', () => {
  expect(powerOf({ air: cold(18), energy: grid('locked'), floorType: 'electric' }).power).toBeGreaterThan(0)
  const steering = { kind: 'manual' as const, power: 0.3 }
  expect(powerOf({ energy: grid('locked'), settings: settings({ steering }) }).power).toBeCloseTo(0.3)
})

test('own sun makes the heat of the coming hour cheap, on top of any price', () => {
  const steps = Array.from({ length: 48 }, (_, hour) => ({
    fromMs: WINTER_MS + hour * HOUR_MS,
    toMs: WINTER_MS + (hour + 1) * HOUR_MS,
    outdoorC: 0,
  }))
  const costs = relativeCosts(grid('cheap'), modelOf('screed', nothingLearned()), steps) as number[]
  expect((costs[0] as number) / (costs[1] as number)).toBeCloseTo(0.3)
  expect(new Set(costs.slice(1)).size).toBe(1)
})

test('hours of forecast sun are as cheap as those of present sun, and half an hour of it makes half of an hour cheap', () => {
  const steps = Array.from({ length: 24 }, (_, hour) => ({
    fromMs: WINTER_MS + hour * HOUR_MS,
    toMs: WINTER_MS + (hour + 1) * HOUR_MS,
    outdoorC: 0,
  }))
  const sunny = [{ fromMs: WINTER_MS + 5 * HOUR_MS, toMs: WINTER_MS + 6.5 * HOUR_MS }]
  const costs = relativeCosts({ prices: null, source: null, sunny }, modelOf('screed', nothingLearned()), steps) ?? []
  expect((costs[5] as number) / (costs[0] as number)).toBeCloseTo(0.3)
  expect((costs[6] as number) / (costs[0] as number)).toBeCloseTo(0.65)
  expect((costs[7] as number) / (costs[0] as number)).toBe(1)
  const without = { prices: null, source: null, sunny: [] }
  expect(relativeCosts(without, modelOf('screed', nothingLearned()), steps)).toBeNull()
})

test.each(EVERY_FLOOR.filter((floorType) => floorType !== 'electric'))(
  'a room with a floor of %s takes more heat while there is own sun, within its limits',
  (floorType) => {
    const at = { floorType, air: cold(21.3), weather: { outdoorC: 8, cloudPct: 100, windMs: 3, solarWm2: 0 } }
    const sunny = powerOf({ ...at, energy: grid('cheap') })
    expect(sunny.share).toBeGreaterThan(powerOf(at).share)
    expect(powerOf({ ...at, air: cold(22), energy: grid('cheap') }).share).toBe(0)
  },
)
