import { DAY_S } from '@hypocaust/domain/facts'
import { expect, test } from 'vitest'
import { Baseline } from '../src/boptest/baseline.ts'
import { comfortAt } from '../src/boptest/comfort-range.ts'
import { validate } from '../src/boptest/contest.ts'
import { runAt, speedFor } from '../src/boptest/heat-pump.ts'
import { BoptestHouse } from '../src/boptest/house.ts'
import { KpiSum } from '../src/boptest/kpi.ts'
import { readBoptestOptions } from '../src/boptest/options.ts'
import { BoptestPlant, wholeRange } from '../src/boptest/plant.ts'
import { parseTrajectory, parseWeather, readReference, type Trajectory } from '../src/boptest/reference.ts'
import { onWall, sunAt } from '../src/boptest/sky.ts'

/** Twelve days of one weather in the columns of the weather file. */
function weatherOf({ outdoorC, direct, diffuse }: { outdoorC: number; direct: number; diffuse: number }) {
  const rows = Array.from({ length: 24 * 12 }, (_, hour) =>
    [3600 * hour, outdoorC, 0, 70, 1e5, 0, 0, 300, 0, direct, diffuse, 0, 0, 0, 0, 180, 3, 5].join('\t'),
  )
  return parseWeather(['#1', ...rows].join('\n'))
}

const COLD = weatherOf({ outdoorC: 0, direct: 0, diffuse: 0 })

test('the family is at home at night, in the evening and on weekends; the year begins on a Tuesday', () => {
  const at = (day: number, hour: number) => comfortAt(day * DAY_S + hour * 3600).people
  expect([at(0, 6), at(0, 7), at(0, 19), at(0, 20), at(3, 12), at(4, 12), at(5, 12), at(6, 12)]).toEqual([
    5, 0, 0, 5, 0, 5, 5, 0,
  ])
})

test('a law that saves is given the whole range of comfort, the others a setpoint near its lower limit', () => {
  const [night, noon] = [2 * 3600, 12 * 3600]
  const near = new BoptestPlant(new BoptestHouse(COLD, DAY_S), COLD)
  expect(near.setpoint(night)).toMatchObject({ targetC: 21.2, bandK: 0.2, occupied: true })
  const whole = new BoptestPlant(new BoptestHouse(COLD, DAY_S), COLD, wholeRange)
  expect(whole.setpoint(night)).toMatchObject({ targetC: 22.5, bandK: 1.5, occupied: true })
  expect(whole.setpoint(noon)).toMatchObject({ targetC: 22.5, bandK: 7.5, occupied: false })
})

test('the sun stands in the south at noon, and a south wall gets more of a clear sky than half of it', () => {
  const noon = sunAt(10 * DAY_S + 12.9 * 3600)
  expect(noon.south).toBeGreaterThan(0.9)
  expect(Math.abs(noon.west)).toBeLessThan(0.1)
  expect(onWall(10 * DAY_S + 12.9 * 3600, noon, noon.south, 600, 80).diffuse).toBeGreaterThan(60)
  expect(onWall(10 * DAY_S, sunAt(10 * DAY_S), 0, 0, 80).beam).toBe(0)
})

test('the heat pump brings more heat when it is mild and when the water is cool, and can keep a supply temperature', () => {
  const { heatW, compressorW, supplyC } = runAt(1, 28, 0)
  expect(heatW / compressorW).toBeGreaterThan(3)
  expect(runAt(1, 28, 7).heatW).toBeGreaterThan(heatW)
  expect(runAt(1, 35, 0).heatW).toBeLessThan(heatW)
  expect(supplyC - 28).toBeCloseTo(heatW / 2 / 2092, 1)
  const speed = speedFor(29.5, 28, 0)
  expect(runAt(speed, 28, 0).supplyC).toBeCloseTo(29.5, 1)
})

test('the baseline begins as the original does, and does not wind up', () => {
  const baseline = new Baseline()
  expect(baseline.step(9 * DAY_S, 20, 60)).toBeCloseTo(0.72)
  for (let minute = 0; minute < 600; minute++) baseline.step(9 * DAY_S, 15, 60)
  expect(baseline.step(9 * DAY_S, 23.5, 60)).toBe(0)
})

test('a house without heat falls towards the cold, and one with heat holds no more than it was given', () => {
  const cold = new BoptestHouse(COLD, DAY_S)
  const heated = new BoptestHouse(COLD, DAY_S)
  const before = heated.storedWhM2
  let givenWhM2 = 0
  let last = 20
  for (let minute = 0; minute < 5 * 1440; minute++) {
    givenWhM2 += heated.advance({ kind: 'speed', speed: 0.8 }, 60).heatW / 192 / 60
    const { operativeC } = cold.advance({ kind: 'speed', speed: 0 }, 60)
    if (minute % 1440 === 1439) {
      expect(operativeC).toBeLessThan(last)
      last = operativeC
    }
  }
  expect(last).toBeGreaterThan(0)
  // Five people give up to 1.9 W/m².
  expect(heated.storedWhM2 - before).toBeLessThan(givenWhM2 + 5 * 24 * 1.9)
  expect(heated.storedWhM2).toBeGreaterThan(cold.storedWhM2)
})

test('a trajectory of our own house is met without error, and a shifted one by its shift', () => {
  const house = new BoptestHouse(COLD, DAY_S)
  const baseline = new Baseline()
  let speed = baseline.step(house.yearS, 20, 60)
  const trajectory: Trajectory = [{ yearS: DAY_S, zoneC: 20, supplyC: 20, heatPumpW: 0, signal: speed }]
  for (let minute = 1; minute <= 1440; minute++) {
    const step = house.advance({ kind: 'speed', speed }, 60)
    speed = baseline.step(house.yearS, step.operativeC, 60)
    const { operativeC, supplyC, compressorW } = step
    if (minute % 30 === 0)
      trajectory.push({ yearS: house.yearS, zoneC: operativeC, supplyC, heatPumpW: compressorW, signal: step.speed })
  }
  expect(validate(COLD, trajectory, 'baseline')).toMatchObject({
    rmseK: 0,
    supplyRmseK: 0,
    compressorRmseW: 0,
    points: 48,
  })
  const shifted = trajectory.map((point) => ({ ...point, zoneC: point.zoneC - 0.3 }))
  expect(validate(COLD, shifted, 'baseline').biasK).toBeCloseTo(0.3)
})

test('K·h are counted below and above the range, with the range of the hour', () => {
  const sum = new KpiSum()
  const step = { floorC: 20, supplyC: 20, heatW: 0, compressorW: 0, speed: 0, electricW: 1920 }
  sum.add(1, 2 * 3600, { ...step, operativeC: 20 }, 3600)
  sum.add(2, 12 * 3600, { ...step, operativeC: 20 }, 3600)
  sum.add(2, 22 * 3600, { ...step, operativeC: 26 }, 3600)
  expect(sum.kpis()).toMatchObject({ tdisTot: 3, worstDay: { day: 2, tdis: 2 }, homeC: 23 })
  expect(sum.kpis().enerTot).toBeCloseTo(0.03)
})

test('what is missing or no table is named', () => {
  expect(() => readBoptestOptions([])).toThrow('--reference is missing')
  expect(() => readReference('/nowhere')).toThrow(/Brussels.mos cannot be read. --reference must be a clone/)
  expect(() => parseWeather('#1\n0\t1\t2\n')).toThrow('no table of at least 18 columns')
  expect(() => parseTrajectory('time,reaTZon_y\n1,2\n')).toThrow('no column reaTSup_y')
})
