import { runs } from '@hypocaust/testing/runs.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { balanceHouse } from '../src/design/balance.ts'
import { flowFor, gainOf, waterOf } from '../src/design/flow.ts'
import { designHouse } from '../src/design/house-design.ts'
import { type HouseWeek, pairedWeeks } from '../src/design/paired-weeks.ts'
import type { DesignedRoom } from '../src/design/room-design.ts'
import { seasonalCop } from '../src/design/season.ts'
import { shareWater } from '../src/design/share-water.ts'
import { designSupply } from '../src/design/supply-design.ts'
import { holdingHeat, holdingPower, modelOf, nothingLearned, waterWkOf, withWater } from '../src/model/model.ts'
import { noProfile } from '../src/model/profile.ts'

const OUTDOOR_C = 0
const AIR_C = 21
const WATER_C = 34
const DAYS = 12

/** A room of the book that has been held for days, its loop open for `power` of the time; as much as it needs unless given. */
function heldRoom(id: string, areaM2: number, power?: number): DesignedRoom {
  const model = withWater(modelOf('screed', nothingLearned()), WATER_C, OUTDOOR_C)
  const open = power ?? holdingPower(model, AIR_C, OUTDOOR_C)
  const history = Array.from({ length: DAYS * 48 }, (_, i) => ({
    endMs: Date.UTC(2026, 0, 1) + (i + 1) * 1_800_000,
    airC: AIR_C,
    power: open,
    outdoorC: OUTDOOR_C,
    windMs: 3.5,
    solarWm2: 0,
    supplyC: WATER_C,
  }))
  const room = {
    floorType: 'screed' as const,
    learned: nothingLearned(),
    profile: noProfile(),
    location: { lat: 59.9, lng: 10.7, isGuess: false },
    timeZone: 'UTC',
    distrusted: [],
    outlook: { dueMs: 0, feltC: AIR_C, errorK: 0.1 },
    idle: null,
  } as unknown as DesignedRoom['room']
  return { id, room, history, areaM2, airC: AIR_C }
}

const designed = (rooms: DesignedRoom[], meterKwh: number | null, outdoorC = OUTDOOR_C) => {
  const house = designHouse({ rooms, outdoorC, meterKwh })
  if (!house) throw new Error('nothing was heated')
  return house
}

test('a heat meter says how many kilowatts the shares are, and without one there are none', () => {
  const rooms = [heldRoom('a', 20), heldRoom('b', 10)]
  const alone = designed(rooms, null)
  expect(alone.loadKw).toBeNull()
  expect(alone.rooms.map(({ share }) => share.value)).toEqual([expect.closeTo(2 / 3, 2), expect.closeTo(1 / 3, 2)])
  const model = modelOf('screed', nothingLearned())
  const needsKw = (30 * holdingHeat(model, AIR_C, OUTDOOR_C).needsWm2) / 1000
  // What the rooms took in the recorded days, at the weather of the design.
  const metered = designed(rooms, needsKw * 24 * DAYS)
  const loadKw = metered.loadKw?.value ?? 0
  expect(loadKw / needsKw).toBeGreaterThan(0.9)
  expect(loadKw / needsKw).toBeLessThan(1.1)
  expect(designed(rooms, 2 * needsKw * 24 * DAYS).loadKw?.value).toBeCloseTo(2 * loadKw, 5)
  const loss = (model.airLossWk + model.wallLossWk) * 30
  expect(metered.lossWPerK?.value).toBeGreaterThan(0.6 * loss)
  expect(metered.lossWPerK?.value).toBeLessThan(1.2 * loss)
})

test('the coldest water is that with which the open loop gives what it gave in its share of the time', () => {
  const model = withWater(modelOf('screed', nothingLearned()), WATER_C, OUTDOOR_C)
  const { pipeC } = holdingHeat(model, AIR_C, OUTDOOR_C)
  const needed = pipeC + holdingPower(model, AIR_C, OUTDOOR_C) * (WATER_C - pipeC)
  const [room] = designed([heldRoom('a', 20)], null).rooms
  expect(room?.supplyC).toBeCloseTo(needed, 0)
  expect(room?.isWaterMeasured).toBe(true)
  // A watt that is worth half of the model's is given by half the loop into a floor that is half as warm.
  const { needsWm2 } = holdingHeat(model, AIR_C, OUTDOOR_C)
  const halved = designed([heldRoom('a', 20)], 0.5 * 20 * (needsWm2 / 1000) * 24 * DAYS).rooms[0]
  expect(halved?.supplyC).toBeLessThan(needed)
  expect(halved?.loopWk).toBeLessThan(waterWkOf(model))
})

test('the neediest room limits the supply, and each relief brings it down to the others', () => {
  const cold = { ...heldRoom('warm', 20), airC: 24 }
  const house = designed([cold, heldRoom('usual', 20)], null, -15)
  const supply = designSupply(house, { value: 0.42, spread: 0.1 })
  expect(supply).toMatchObject({ limitingId: 'warm', isWaterMeasured: true })
  expect(supply?.others?.supplyC).toBeLessThan(supply?.supply.value ?? 0)
  expect(supply?.others?.relief.coolerK).toBeCloseTo(3, 0)
  expect(supply?.others?.relief.flow ?? 99).toBeGreaterThan(1)
  expect(supply?.seasonalCop.least).toBeLessThan(supply?.seasonalCop.value ?? 0)
  // The curve of the book is warmer than what is needed.
  expect(supply?.today?.seasonalCop).toBeLessThan(supply?.seasonalCop.value ?? 0)
})

test('a season’s efficiency falls with the water and with the cold of the place', () => {
  const { rooms } = designed([heldRoom('a', 20)], null)
  const cop = (waterC: number, designC = -10) => seasonalCop(rooms, 0.42, designC, () => waterC)
  expect(cop(30)).toBeGreaterThan(cop(35))
  expect(cop(35)).toBeGreaterThan(cop(50))
  expect(cop(35, -22)).toBeLessThan(cop(35))
  expect(cop(35)).toBeGreaterThan(1)
})

const loopArbitrary = fc
  .record({
    pipeWk: fc.double({ min: 15, max: 40, noNaN: true }),
    part: fc.double({ min: 0.1, max: 0.7, noNaN: true }),
  })
  .map(({ pipeWk, part }) => ({ pipeWk, givesWk: part * pipeWk }))

test('flow and gain of a loop are each other’s inverse, and more water gives more heat', () => {
  fc.assert(
    fc.property(loopArbitrary, fc.double({ min: 0.3, max: 3, noNaN: true }), (loop, times) => {
      const flow = flowFor(loop, times)
      if (flow === null) return times > 1
      const isBounded = flow * waterOf(loop) < 0.51
      return isBounded || Math.abs(gainOf(loop, flow) - times) < 1e-3
    }),
    { numRuns: runs(300) },
  )
})

test('shared out, the water stays as much and no room needs a warmer supply than the neediest did', () => {
  const room = fc.record({
    areaM2: fc.double({ min: 5, max: 40, noNaN: true }),
    meetsC: fc.double({ min: 22, max: 28, noNaN: true }),
    aboveK: fc.double({ min: 1, max: 20, noNaN: true }),
    loop: loopArbitrary,
  })
  fc.assert(
    fc.property(fc.array(room, { minLength: 2, maxLength: 8 }), (rooms) => {
      const watered = rooms.map((each) => ({ ...each, supplyC: each.meetsC + each.aboveK }))
      const shares = shareWater(watered)
      const water = (flows: number[]) =>
        watered.reduce((sum, { areaM2, loop }, i) => sum + areaM2 * waterOf(loop) * (flows[i] as number), 0)
      const [before, after] = [water(watered.map(() => 1)), water(shares.map(({ flow }) => flow))]
      expect(after).toBeLessThanOrEqual(before * 1.001)
      const [was, is] = [watered, shares].map((each) => Math.max(...each.map(({ supplyC }) => supplyC))) as [
        number,
        number,
      ]
      expect(is).toBeLessThanOrEqual(was + 0.01)
    }),
    { numRuns: runs(200) },
  )
})

test('balancing leaves equal rooms as they are', () => {
  const advice = balanceHouse(designed([heldRoom('a', 20), heldRoom('b', 20)], null, -15))
  expect(advice?.rooms.map(({ change }) => change)).toEqual(['leave', 'leave'])
  expect(advice?.lowering.value).toBe(0)
  expect(balanceHouse(designed([heldRoom('a', 20)], null))).toBeNull()
})

const unequal = [
  { ...heldRoom('warm', 20), airC: 28 },
  { ...heldRoom('b', 60), airC: 16 },
]

test('balancing opens the loop of the needy room, throttles the other, and says by how much the supply can fall', () => {
  const advice = balanceHouse(designed(unequal, null, -15))
  expect(advice?.rooms.map(({ change }) => change)).toEqual(['open', 'throttle'])
  expect(advice?.limitingId).toBe('warm')
  expect(advice?.supplyAfterC).toBeLessThan(advice?.supply.value ?? 0)
  expect(advice?.lowering.most).toBeGreaterThan(advice?.lowering.value ?? 99)
})

test('the less is known of a loop, the less its water is changed', () => {
  const flowsOf = (rooms: DesignedRoom[]) =>
    (balanceHouse(designed(rooms, null, -15))?.rooms ?? []).map(({ flow }) => Math.abs(Math.log(flow.value)))
  const unmeasured = unequal.map((room) => ({
    ...room,
    history: room.history.map(({ supplyC: _, ...slot }) => slot),
  }))
  const [measured, assumed] = [flowsOf(unequal), flowsOf(unmeasured)]
  expect(assumed).toHaveLength(2)
  for (const [i, change] of assumed.entries()) expect(change).toBeLessThan(measured[i] as number)
})

/** Weeks of a house whose heat differs from week to week as people and sun do. */
function weeks(count: number, perKelvin: number, noise: () => number, isMetered = true): HouseWeek[] {
  return Array.from({ length: count }, (_, i) => {
    const outdoorC = -4 + (12 * i) / count
    return { heatKwh: perKelvin * (21 - outdoorC) * Math.exp(0.08 * noise()), airC: 21, outdoorC, isMetered }
  })
}

/** Nearly normal, and the same in each run. */
function noiseOf(seed: number): () => number {
  let state = seed
  const uniform = () => {
    state = (state * 16_807) % 2_147_483_647
    return state / 2_147_483_647
  }
  return () => Array.from({ length: 12 }, uniform).reduce((sum, each) => sum + each, -6)
}

test('nine of ten times the change by a renovation is within its range, with a heat meter', () => {
  const trials = 400
  const within = Array.from({ length: trials }, (_, i) => {
    const noise = noiseOf(1 + 7919 * (i + 1))
    const { change, isMetered } = pairedWeeks(weeks(10, 10, noise), weeks(10, 7.5, noise))
    expect(isMetered).toBe(true)
    return change !== null && change.least <= -0.25 && -0.25 <= change.most
  }).filter(Boolean).length
  expect(within / trials).toBeGreaterThan(0.86)
  expect(within / trials).toBeLessThan(0.95)
})

test('weeks are paired by the weather: with too few that are as cold nothing is stated, and models widen the range', () => {
  const quiet = () => 0
  const mild = weeks(10, 10, quiet).map((week) => ({ ...week, outdoorC: week.outdoorC + 30 }))
  expect(pairedWeeks(weeks(10, 10, quiet), mild)).toEqual({ pairs: 0, change: null, isMetered: false })
  expect(pairedWeeks(weeks(2, 10, quiet), weeks(2, 8, quiet))).toMatchObject({ pairs: 2, change: null })
  const { change } = pairedWeeks(weeks(10, 10, quiet), weeks(10, 8, quiet, false))
  expect(change?.value).toBeCloseTo(-0.2, 2)
  expect((change?.most ?? 0) - (change?.least ?? 0)).toBeGreaterThan(0.2)
})
