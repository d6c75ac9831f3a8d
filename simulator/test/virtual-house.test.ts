import { expect, test } from 'vitest'
import { demoHouse, VirtualHouse } from '../src/index.ts'

const START_MS = Date.UTC(2026, 0, 10)
const all = (open: number) => new Map([1, 2, 3, 4, 5, 6].map((channel) => [channel, open]))
const house = (seed = 3) => new VirtualHouse(demoHouse({ seed, startMs: START_MS }))
const scored = (each: VirtualHouse) => each.truth().map((room) => room.scoredC)
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

test('the same seed is the same house, and another seed another', () => {
  const [one, two, other] = [house(), house(), house(4)]
  for (const each of [one, two, other]) each.advance(86_400, all(0))
  expect(scored(one)).toEqual(scored(two))
  expect(scored(one)).not.toEqual(scored(other))
})

test('steps of any length lead to nearly the same house', () => {
  const [coarse, fine] = [house(), house()]
  coarse.advance(6 * 3600, all(1))
  for (let i = 0; i < 6 * 360; i++) fine.advance(10, all(1))
  for (const [i, celsius] of scored(coarse).entries()) expect(scored(fine)[i]).toBeCloseTo(celsius, 0)
})

test('a heated house stays warm, an unheated one cools, a failed boiler heats nothing but the electric room', () => {
  const [heated, cold, failed] = [house(), house(), house()]
  failed.failBoiler()
  heated.advance(3 * 86_400, all(1))
  cold.advance(3 * 86_400, all(0))
  failed.advance(3 * 86_400, all(1))
  expect(mean(scored(heated))).toBeGreaterThan(mean(scored(cold)) + 5)
  const floors = failed.truth().map((room) => room.floorC)
  expect(floors[3]).toBeGreaterThan((cold.truth()[3]?.floorC ?? 0) + 5)
  expect(floors[5]).toBeCloseTo(cold.truth()[5]?.floorC ?? 0, 0)
})

test('an open window is felt at once', () => {
  const [open, shut] = [house(), house()]
  open.openWindow(1)
  for (const each of [open, shut]) each.advance(1800, all(0))
  expect(scored(open)[0]).toBeLessThan((scored(shut)[0] ?? 0) - 1)
  open.closeWindow(1)
  open.advance(6 * 3600, all(0))
  shut.advance(6 * 3600, all(0))
  expect(scored(open)[0]).toBeGreaterThan((scored(shut)[0] ?? 0) - 1)
})

test('readings come about every minute, in steps of a tenth, a few of them lost', () => {
  const each = house()
  const { readings } = each.advance(86_400, all(0))
  const mine = readings.filter((reading) => reading.sensorId === each.plan.rooms[0]?.sensorId)
  expect(mine.length).toBeGreaterThan(1200)
  expect(mine.length).toBeLessThan(1400)
  for (const reading of mine) expect(reading.temperature * 10).toBeCloseTo(Math.round(reading.temperature * 10), 6)
})

test('the forecast is right about now and wronger tomorrow', () => {
  let nowK = 0
  let laterK = 0
  for (let seed = 1; seed <= 20; seed++) {
    const each = house(seed)
    const forecast = each.forecast(48)
    nowK += Math.abs((forecast[0]?.outdoorC ?? 99) - each.weather().outdoorC)
    const then = house(seed)
    then.advance(40 * 3600, all(0))
    laterK += Math.abs((forecast[40]?.outdoorC ?? 99) - then.weather().outdoorC)
  }
  expect(nowK / 20).toBeLessThan(0.5)
  expect(laterK / 20).toBeGreaterThan(0.5)
  expect(laterK / 20).toBeLessThan(3)
})
