import { expect, test } from 'vitest'
import { onOff, ours, throttled } from '../src/cooling/contestants.ts'
import { drawHouse, outdoorsAt } from '../src/cooling/house.ts'
import { weekOf } from '../src/cooling/week.ts'

test('a humid week leaves no floor within a kelvin of the dew point, and takes heat out', () => {
  for (const contestant of [onOff, throttled, ours]) {
    const house = drawHouse(3, 'humid-week')
    const score = weekOf(house, contestant(house), (atMs) => outdoorsAt(house, atMs).outdoorC)
    expect(score.coolKwh).toBeGreaterThan(0.5)
    if (contestant === ours) expect(score.dampMinutes).toBe(0)
  }
})

test('the same house has the same week', () => {
  const score = () => {
    const house = drawHouse(1, 'changeover')
    return weekOf(house, throttled(house), (atMs) => outdoorsAt(house, atMs).outdoorC)
  }
  expect(score()).toEqual(score())
})
