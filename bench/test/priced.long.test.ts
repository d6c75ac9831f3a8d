import { DAY_S, HOUR_S } from '@hypocaust/domain/facts'
import { settledState } from '@hypocaust/simulator'
import { expect, test } from 'vitest'
import { readOptions } from '../src/comfort/options.ts'
import { perfectHeat } from '../src/comfort/perfect.ts'
import { PRICED_NAMES, type PricedResult } from '../src/comfort/priced.ts'
import { pricedTable, wayOf } from '../src/comfort/priced-table.ts'
import { isDearest, marketOf } from '../src/comfort/prices.ts'
import { createWorld } from '../src/comfort/world.ts'

const world = createWorld({ floorType: 'screed', scenario: 'dynamic-price', seed: 2 })
const market = marketOf(world)
const hours = (fromS: number, count: number) => Array.from({ length: count }, (_, i) => fromS + i * HOUR_S)

test('the most expensive hour of the scored week costs four times the cheapest', () => {
  const costs = hours(7 * DAY_S, 7 * 24).map(market.costAt)
  expect(Math.max(...costs) / Math.min(...costs)).toBeCloseTo(4)
})

test('a controller knows the prices of tomorrow from one o’clock on, and guesses those after by past days', () => {
  const noon = 8 * DAY_S + 12 * HOUR_S
  const wrongAt = (nowS: number) => {
    const { prices } = market.energyAt(nowS)
    return hours(nowS, 48).findIndex((atS, i) => prices?.perKwh[i] !== market.costAt(atS))
  }
  expect(wrongAt(noon)).toBe(12)
  expect(wrongAt(noon + HOUR_S)).toBe(35)
  expect(market.energyAt(noon).prices?.perKwh.every((price) => price >= 0.02 && price < 0.6)).toBe(true)
})

test('a day has six most expensive hours', () => {
  expect(hours(9 * DAY_S, 24).filter((atS) => isDearest(market, atS, 6))).toHaveLength(6)
})

test('heat from a heat pump costs less than the electricity for it, the least when it is mild', () => {
  const pump = createWorld({ floorType: 'screed', scenario: 'heat-pump', seed: 2 })
  const cops = hours(7 * DAY_S, 7 * 24).map((atS) => market.costAt(atS) / marketOf(pump).costAt(atS))
  const outdoor = hours(7 * DAY_S, 7 * 24).map((atS) => pump.boundary(atS).outdoorC)
  expect(Math.min(...cops)).toBeGreaterThan(1.8)
  expect(Math.max(...cops)).toBeLessThan(6)
  expect(cops[outdoor.indexOf(Math.max(...outdoor))]).toBeGreaterThan(
    cops[outdoor.indexOf(Math.min(...outdoor))] as number,
  )
})

test('perfect foresight heats in the cheap hours', () => {
  const twoDays = { name: 'days', fromS: 7 * DAY_S, toS: 9 * DAY_S }
  const paidPerWh = (costAt: (nowS: number) => number) => {
    let cost = 0
    const onHeat = (nowS: number, wh: number) => {
      cost += wh * market.costAt(nowS)
    }
    const costs = { costAt, storedCost: 0.2, perKh: 0.008, onHeat }
    const { heatWhM2 } = perfectHeat(world, settledState(20.5), twoDays, costs)
    return cost / heatWhM2
  }
  expect(paidPerWh(market.costAt)).toBeLessThan(0.9 * paidPerWh(() => 0.2))
})

const result = (ours: number, kelvinHours: number): PricedResult => {
  const score = (atEqualComfort: number, kh = 1) => ({
    cost: atEqualComfort,
    energyKwhM2: 3,
    kelvinHours: kh,
    atEqualComfort,
  })
  const controllers = Object.fromEntries(PRICED_NAMES.map((name) => [name, score(1)])) as PricedResult['controllers']
  return {
    choice: { floorType: 'screed', scenario: 'dynamic-price', seed: 1 },
    controllers: { ...controllers, perfect: score(0.5), 'saving with prices': score(ours, kelvinHours) },
  }
}

test('the table names the plants on which prices save too little or comfort suffers', () => {
  expect(wayOf([result(0.6, 1).controllers])).toBeCloseTo(0.8)
  const good = pricedTable('dynamic-price', [result(0.6, 1)])
  expect(good).toContain('less than 60 % of the way: on no plant')
  expect(good).toContain('saving with prices: over 10 % more kelvin-hours than the saving, flat plan: on no plant')
  expect(good).toContain('balanced with prices: over 10 % more kelvin-hours than the flat plan: on no plant')
  expect(good).toContain('0.66 to 0.76 €/m²')
  const bad = pricedTable('dynamic-price', [result(0.9, 1.2)])
  expect(bad).toContain('less than 60 % of the way: ON screed 1')
  expect(bad).toContain('saving, flat plan: ON screed 1 (1.20 against 1.00)')
})

test('the scenarios with prices can be chosen and are part of a full run', () => {
  expect(readOptions(['--scenario', 'dynamic-price'])).toMatchObject({ scenarios: ['dynamic-price'], outFile: null })
  expect(readOptions([])).toMatchObject({ scenarios: expect.arrayContaining(['dynamic-price', 'heat-pump']) })
})
