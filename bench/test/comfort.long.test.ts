import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DAY_S } from '@hypocaust/domain/facts'
import { expect, test } from 'vitest'
import { BuiltInPlant } from '../src/comfort/built-in-plant.ts'
import { compare } from '../src/comfort/compare.ts'
import { atEqualMean } from '../src/comfort/equal-mean.ts'
import { type ComfortResult, keepPrices, writeResult } from '../src/comfort/kept.ts'
import { readOptions } from '../src/comfort/options.ts'
import { AS_SHIPPED, createPeer } from '../src/comfort/peers.ts'
import { perfectScore } from '../src/comfort/perfect.ts'
import { PRICED_NAMES, type PricedResult } from '../src/comfort/priced.ts'
import { Pwm } from '../src/comfort/pwm.ts'
import { withComfortFigures } from '../src/comfort/readme.ts'
import { run } from '../src/comfort/run.ts'
import { Scorer } from '../src/comfort/score.ts'
import { plantOutcome, summarise } from '../src/comfort/summary.ts'
import { SwappedPlant } from '../src/comfort/swapped-plant.ts'
import { createWorld } from '../src/comfort/world.ts'

const TWO_DAYS = { name: 'days', fromS: DAY_S, toS: 3 * DAY_S }

test('a share too fine for the step is right on average', () => {
  const pwm = new Pwm(300, 60)
  let open = 0
  for (let i = 0; i < 5000; i++) open += pwm.step(0.13)
  expect(open / 5000).toBeCloseTo(0.13, 2)
})

test('the score counts cold always, heat only while people are there, and credits what is stored', () => {
  const scorer = new Scorer()
  const step = { sensorC: null, sensorRh: null, floorC: 25, heatWhM2: 100, storedWhM2: 1000 }
  const day = { targetC: 21, bandK: 0.5, night: false, occupied: true }
  scorer.add({ ...step, scoredC: 19.5 }, { ...day, targetC: 21, occupied: false }, 3600, true, 950)
  scorer.add({ ...step, scoredC: 23.5 }, day, 3600, false, 1000)
  scorer.add({ ...step, scoredC: 23.5 }, { ...day, occupied: false }, 3600, false, 1000)
  const { lowKh, highKh, energyKwhM2, j, airJ, switchesPerDay, offsetK } = scorer.score()
  expect(airJ).toBeNull()
  expect(offsetK).toBeCloseTo(2.5)
  expect(lowKh).toBeCloseTo(1)
  expect(highKh).toBeCloseTo(2)
  expect(energyKwhM2).toBeCloseTo(0.25)
  expect(j).toBeCloseTo(0.25 + 0.06)
  expect(switchesPerDay).toBeCloseTo(8)
})

test('the air alone is scored beside what is felt, where a plant tells it', () => {
  const scorer = new Scorer()
  const step = { sensorC: null, sensorRh: null, floorC: 25, heatWhM2: 100, storedWhM2: 1000 }
  const day = { targetC: 21, bandK: 0.5, night: false, occupied: true }
  scorer.add({ ...step, scoredC: 19.5, airC: 20.5 }, day, 3600, true, 1000)
  scorer.add({ ...step, scoredC: 21, airC: 22 }, day, 3600, false, 1000)
  const { j, airJ } = scorer.score()
  expect(j).toBeCloseTo(0.2 + 0.02)
  expect(airJ).toBeCloseTo(0.2 + 0.01)
})

test('houses whose constants are drawn apart differ from the others in nothing else', () => {
  const physicsOf = (scenario: string) => createWorld({ floorType: 'screed', scenario, seed: 2 }).physics
  const { convectionWk, radiationWk, airToWallWk, windShare, sunTo, heat, ...rest } = physicsOf('drawn-winter')
  const usual = physicsOf('winter')
  expect(usual).toMatchObject(rest)
  for (const [drawn, book] of [
    [convectionWk, 4.5],
    [radiationWk, 5.5],
    [airToWallWk, 6],
    [windShare, 0.04],
    [sunTo.floor, 0.4],
    [sunTo.air, 0.2],
    [heat.kind === 'water' ? heat.supplySlope : Number.NaN, 0.48],
  ] as const) {
    expect(drawn).not.toBe(book)
    expect(Math.abs(drawn / book - 1)).toBeLessThanOrEqual(0.3)
  }
  expect(sunTo.floor + sunTo.air + sunTo.walls).toBeCloseTo(1)
  expect({ ...heat, supplySlope: 0.48 }).toEqual(usual.heat)
})

test('a sensor on an outside wall reads low by a share of what it is colder outside', () => {
  const readingOf = (scenario: string) => {
    const plant = new BuiltInPlant(createWorld({ floorType: 'screed', scenario, seed: 1 }))
    const readings = Array.from({ length: 60 }, () => plant.advance({ dtS: 60, open: 0 }).sensorC ?? [])
    return readings.flat().at(-1) as number
  }
  const { outdoorC } = new BuiltInPlant(createWorld({ floorType: 'screed', scenario: 'winter', seed: 1 })).weather(
    3600,
    0,
  ).now
  const expectedK = 0.05 * (19.5 - outdoorC)
  expect(readingOf('drawn-winter') - readingOf('cold-wall')).toBeCloseTo(expectedK, 0)
  expect(readingOf('cold-wall')).toBeLessThan(readingOf('drawn-winter') - 0.3)
})

test('a room whose sensor hangs in the next one shows that one, and is heated by its own valve', () => {
  const plantOf = (floorType: 'dry' | 'electric') =>
    new BuiltInPlant(createWorld({ floorType, scenario: 'swapped', seed: 1 }))
  const [room, next] = [plantOf('dry'), plantOf('electric')]
  const seen: number[] = []
  const always = {
    step({ sensorC }: { sensorC: number | null }) {
      if (sensorC !== null) seen.push(sensorC)
      return 1 as const
    },
  }
  const plant = new SwappedPlant(room, next, always)
  const shown = Array.from({ length: 1440 }, () => plant.advance({ dtS: 60, open: 0 }).sensorC).filter(
    (c) => c !== null,
  )
  expect(next.state.airC).toBeGreaterThan(room.state.airC + 3)
  expect(Math.abs((shown.at(-1) ?? 0) - next.state.airC)).toBeLessThan(0.5)
  expect(Math.abs((seen.at(-1) ?? 0) - room.state.airC)).toBeLessThan(0.5)
})

test('heat at equal mean is that of the shift which makes the room as warm', () => {
  const shifts: number[] = []
  const roomOf = (gain: number) => (shiftK: number) => {
    shifts.push(shiftK)
    const offsetK = 0.3 + gain * shiftK + 0.05 * shiftK ** 2
    return { ...new Scorer().score(), offsetK, energyKwhM2: 3 + offsetK, j: 4 + offsetK }
  }
  const room = roomOf(0.7)
  const equal = atEqualMean(room, room(0), -0.1)
  expect(equal?.energyKwhM2).toBeCloseTo(2.9, 1)
  expect(equal?.j).toBeCloseTo(3.9, 1)
  expect(shifts.length).toBeLessThan(6)
  const jumping = (shiftK: number) => {
    const offsetK = Math.round(2 * (0.3 + shiftK)) / 2
    return { ...new Scorer().score(), offsetK, energyKwhM2: 3 + offsetK, j: 4 + offsetK }
  }
  expect(atEqualMean(jumping, jumping(0), 0.2)?.energyKwhM2).toBeCloseTo(3.2)
  const sunny = roomOf(0)
  expect(atEqualMean(sunny, sunny(0), -0.5)).toBeNull()
})

const ROOT = join(import.meta.dirname, '../..')

test('the README and the picture have the figures of the results that are kept', () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
  const kept = JSON.parse(readFileSync(join(ROOT, 'bench/results/comfort.json'), 'utf8')) as ComfortResult
  expect(withComfortFigures(readme, kept)).toBe(readme)
  const picture = readFileSync(join(ROOT, 'bench/results/comfort.svg'), 'utf8')
  for (const { gapClosed } of Object.values(kept.scenarios))
    if (gapClosed !== null) expect(picture).toContain(`${Math.round(100 * gapClosed)} %`)
})

test('the README has a place for the figures of a full run', () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
  const page = withComfortFigures(readme, { scenarios: {}, worstPlant: null, learning: [] })
  expect(page).toContain('changed by up to 30 %')
  expect(page.split('## Your own house')[1]).toBe(readme.split('## Your own house')[1])
  expect(() => withComfortFigures('no marks', { scenarios: {}, worstPlant: null, learning: [] })).toThrow(/no place/)
})

test('nobody beats perfect foresight from the same start', () => {
  for (const floorType of ['screed', 'dry', 'electric'] as const) {
    const world = createWorld({ floorType, scenario: 'winter', seed: 4 })
    for (const name of ['hysteresis', 'tpi', 'smartpi'] as const) {
      const plant = new BuiltInPlant(world)
      const controller = createPeer(name, floorType, AS_SHIPPED)
      let start = { ...plant.state }
      const noting = {
        step(view: Parameters<typeof controller.step>[0]) {
          if (view.nowS === TWO_DAYS.fromS) start = { ...plant.state }
          return controller.step(view)
        },
      }
      const theirs = run(plant, noting, [TWO_DAYS]).scores.get('days')
      const { score, plan } = perfectScore(world, start, TWO_DAYS)
      expect(plan.gap).toBeLessThan(1e-4)
      expect(score.j).toBeLessThan((theirs?.j ?? 0) + 1e-3)
    }
  }
})

test('the same choice is the same plant, hour for hour', () => {
  const choice = { floorType: 'timber', scenario: 'shoulder', seed: 2 } as const
  const [one, two] = [1, 2].map(() =>
    run(new BuiltInPlant(createWorld(choice)), createPeer('tpi', 'timber', AS_SHIPPED), [TWO_DAYS]),
  )
  expect(one?.scores).toEqual(two?.scores)
})

test('a plant nobody here wrote is compared without a limit', async () => {
  const plantFile = `${import.meta.dirname}/layered-plant.ts`
  const job = {
    choice: { floorType: 'electric', scenario: 'winter', seed: 1 } as const,
    plantFile,
    tunings: [AS_SHIPPED],
    traceEveryS: 0,
  }
  const result = await compare(job)
  const summary = summarise([result])
  expect(summary.scenarios.winter?.gapClosed).toBeNull()
  expect(Object.keys(summary.scenarios.winter?.controllers ?? {})).not.toContain('perfect')
  const { j, bestPeerJ } = plantOutcome(result)
  expect(j).toBeLessThan(bestPeerJ)
})

test('options say what is wrong with them', () => {
  expect(() => readOptions(['--scenario', 'sunmer'])).toThrow(/No such scenario: sunmer/)
  expect(() => readOptions(['--floors', 'lava'])).toThrow(/No such floor type: lava/)
  expect(() => readOptions(['--seeds', 'x'])).toThrow(/--seeds/)
  expect(readOptions(['--quick'])).toMatchObject({ scenarios: ['winter', 'shoulder'], seeds: [1] })
})

test('only the full run replaces the results that are kept', () => {
  expect(readOptions([])).toMatchObject({ outFile: 'bench/results/comfort.json' })
  for (const part of [
    ['--quick'],
    ['--scenario', 'winter'],
    ['--floors', 'dry'],
    ['--seeds', '1'],
    ['--plant', 'x.ts'],
  ])
    expect(readOptions(part)).toMatchObject({ outFile: null })
  expect(readOptions(['--quick', '--out', 'mine.json'])).toMatchObject({ outFile: 'mine.json' })
})

test('only priced scenarios that were run on all plants are kept without the others', () => {
  expect(readOptions(['--scenario', 'heat-pump', '--keep'])).toMatchObject({ keepsPrices: true, outFile: null })
  expect(readOptions(['--scenario', 'heat-pump'])).toMatchObject({ keepsPrices: false })
  for (const part of [
    [],
    ['--scenario', 'heat-pump,winter'],
    ['--scenario', 'heat-pump', '--floors', 'dry'],
    ['--scenario', 'heat-pump', '--seeds', '1'],
    ['--scenario', 'heat-pump', '--out', 'mine.json'],
  ])
    expect(() => readOptions([...part, '--keep'])).toThrow(/--keep/)
})

test('new results of a priced scenario replace its old ones and nothing else', () => {
  const priced = (scenario: string, cost: number): PricedResult => {
    const score = { cost, energyKwhM2: 1, kelvinHours: 1, atEqualComfort: 1 }
    const controllers = Object.fromEntries(PRICED_NAMES.map((name) => [name, score])) as PricedResult['controllers']
    return { choice: { floorType: 'dry', scenario, seed: 1 }, controllers }
  }
  const others = { scenarios: {}, worstPlant: null, learning: [] }
  const [old, oldPump, pump] = [priced('dynamic-price', 1), priced('heat-pump', 2), priced('heat-pump', 3)]
  const file = join(mkdtempSync(join(tmpdir(), 'kept-')), 'comfort.json')
  const kept = () => JSON.parse(readFileSync(file, 'utf8'))
  writeResult(file, { ...others, prices: [oldPump, old] })
  keepPrices(file, [pump])
  expect(kept()).toEqual({ ...others, prices: [old, pump] })
  writeResult(file, others)
  keepPrices(file, [pump])
  expect(kept()).toEqual({ ...others, prices: [pump] })
})
