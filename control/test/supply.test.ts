import fc from 'fast-check'
import { expect, test } from 'vitest'
import { planTask } from '../src/decide/decide.ts'
import { fitRoom, type RoomControl, type StepInput, type SupplySetpoint, stepRoom, supplyFor } from '../src/index.ts'
import { withMeasuredCurve } from '../src/learn/supply-curve.ts'
import { modelOf, nothingLearned, supplyC, withWater } from '../src/model/model.ts'
import type { Belief } from '../src/model/observer.ts'
import { aimsAhead } from '../src/plan/aim.ts'
import { plannedCosts } from '../src/plan/planner.ts'
import type { Slot } from '../src/room/types.ts'
import { EVERY_FLOOR, HOUR_MS, input, settings, WINTER_MS } from './room.ts'

const LIMITS = { leastC: 22, mostC: 45 }
const WATER_FLOORS = EVERY_FLOOR.filter((floorType) => floorType !== 'electric')

/** A room that has been measured and learned from for a week, at this outdoor temperature. */
function knownRoom(changes: Partial<StepInput> = {}, learned = nothingLearned()) {
  const now = input(changes)
  const { state } = stepRoom(null, now)
  const fit = { atMs: 0, accepted: 3, tried: 5, errorK: 0.2, days: 7, rejected: false }
  return { id: 'a', state: { ...state, learned, fit } satisfies RoomControl, input: now }
}

const weather = (outdoorC: number) => ({ outdoorC, cloudPct: 80, windMs: 3, solarWm2: 0 })
const setFor = (...rooms: ReturnType<typeof knownRoom>[]) => supplyFor(rooms, LIMITS, null, WINTER_MS)

test.each(WATER_FLOORS)('a room with a floor of %s asks for warmer water the colder it is outdoors', (floorType) => {
  const at = (outdoorC: number) => setFor(knownRoom({ floorType, weather: weather(outdoorC) })).setC
  const [mild, cold, coldest] = [at(12), at(0), at(-12)]
  expect(mild).toBeLessThan(cold)
  expect(cold).toBeLessThan(coldest)
})

test('the water is the coldest with which the room keeps its band as well as with the warmest', () => {
  const room = knownRoom({ weather: weather(-5), air: { kind: 'fresh', airC: 21, ageS: 10 } })
  const { setC } = setFor(room)
  const aims = aimsAhead(room.input.settings, 'screed', WINTER_MS)
  const task = planTask(room.state, room.state.belief as Belief, room.input, aims)
  const belowBand = (waterC: number) => plannedCosts({ ...task, model: withWater(task.model, waterC, -5) }).belowBand
  expect(belowBand(setC)).toBeLessThan(belowBand(LIMITS.mostC) + 0.006)
  expect(belowBand(setC - 5)).toBeGreaterThan(belowBand(LIMITS.mostC) + 0.006)
  expect(setC).toBeLessThan(supplyC(modelOf('screed', nothingLearned()), -5) as number)
})

test('the room that needs the warmest water decides for the house', () => {
  const [easy, hard] = [knownRoom(), knownRoom({ floorType: 'timber', settings: settings({ targetC: 23 }) })]
  const both = supplyFor([easy, { ...hard, id: 'b' }], LIMITS, null, WINTER_MS)
  expect(both.reason).toEqual({ kind: 'room', roomId: 'b' })
  expect(both.setC).toBe(setFor(hard).setC)
})

test.each([
  ['new', (room: ReturnType<typeof knownRoom>) => ({ ...room, state: null })],
  ['held by hand', () => knownRoom({ settings: settings({ steering: { kind: 'manual', power: 0.5 } }) })],
  [
    'whose sensor is lost',
    (room: ReturnType<typeof knownRoom>) => ({
      ...room,
      input: { ...room.input, nowMs: WINTER_MS + 3 * HOUR_MS, air: { kind: 'missing' as const } },
    }),
  ],
  [
    'whose model was rejected',
    (room: ReturnType<typeof knownRoom>) => ({
      ...room,
      state: { ...room.state, fit: { ...room.state.fit, rejected: true } },
    }),
  ],
])('a room that is %s gets the water of the heating curve for its floor', (_, change) => {
  const { setC, reason } = supplyFor([change(knownRoom())], LIMITS, null, WINTER_MS)
  expect(reason).toEqual({ kind: 'curve', roomId: 'a' })
  expect(Math.abs(setC - (supplyC(modelOf('screed', nothingLearned()), 0) as number))).toBeLessThanOrEqual(0.5)
})

test('without a room that needs heat the water is the coldest allowed', () => {
  const off = knownRoom({ settings: settings({ steering: { kind: 'off' } }) })
  expect(setFor(off)).toMatchObject({ setC: LIMITS.leastC, reason: { kind: 'no-demand' } })
  const mat = knownRoom({ floorType: 'electric' })
  expect(setFor(mat)).toMatchObject({ setC: LIMITS.leastC, reason: { kind: 'no-demand' } })
})

test('the water stays within its limits, and changes no faster than a heat pump follows', () => {
  const anyRoom = fc.record({
    floorType: fc.constantFrom(...EVERY_FLOOR),
    outdoorC: fc.integer({ min: -25, max: 20 }),
    airC: fc.integer({ min: 5, max: 26 }),
    leastC: fc.integer({ min: 15, max: 30 }),
    spanK: fc.integer({ min: 0, max: 25 }),
    beforeC: fc.integer({ min: 15, max: 55 }),
    halfHours: fc.integer({ min: 1, max: 6 }),
  })
  fc.assert(
    fc.property(anyRoom, ({ floorType, outdoorC, airC, leastC, spanK, beforeC, halfHours }) => {
      const limits = { leastC, mostC: leastC + spanK }
      const fromC = Math.min(limits.mostC, Math.max(leastC, beforeC))
      const before: SupplySetpoint = {
        setC: fromC,
        atMs: WINTER_MS - halfHours * 0.5 * HOUR_MS,
        reason: { kind: 'no-demand' },
      }
      const room = knownRoom({ floorType, weather: weather(outdoorC), air: { kind: 'fresh', airC, ageS: 0 } })
      const { setC } = supplyFor([room], limits, before, WINTER_MS)
      expect(setC).toBeGreaterThanOrEqual(leastC)
      expect(setC).toBeLessThanOrEqual(limits.mostC)
      expect(setC - fromC).toBeLessThanOrEqual(4 * 0.5 * halfHours + 0.5)
      expect(fromC - setC).toBeLessThanOrEqual(2 * 0.5 * halfHours)
    }),
    { numRuns: 25 },
  )
})

test('with colder water a room that needs the same heat is open for longer', () => {
  const shareWith = (setC: number) => {
    const known = knownRoom({ supply: { measuredC: null, setC } })
    const { state } = known
    return stepRoom({ ...state, block: null }, { ...known.input, nowMs: WINTER_MS + HOUR_MS }).decision.share
  }
  expect(shareWith(30)).toBeGreaterThan(shareWith(42))
})

/** Half hours with open loops, whose water follows a curve. */
const measured = (curve: (outdoorC: number) => number): Slot[] =>
  Array.from({ length: 96 }, (_, i) => {
    const outdoorC = 8 * Math.sin(i / 9)
    const supplyC = Math.round(10 * curve(outdoorC)) / 10
    return { endMs: WINTER_MS + i * 1_800_000, airC: 21, power: 0.4, outdoorC, windMs: 3, solarWm2: 0, supplyC }
  })

test.each(WATER_FLOORS)(
  'the heating curve of a floor of %s is learned from the water that was measured',
  (floorType) => {
    for (const curve of [(outdoorC: number) => 33 - 0.8 * outdoorC, () => 31]) {
      const model = modelOf(floorType, withMeasuredCurve(nothingLearned(), floorType, measured(curve)))
      for (const outdoorC of [-6, 0, 6])
        expect(Math.abs((supplyC(model, outdoorC) as number) - curve(outdoorC))).toBeLessThan(1)
    }
  },
)

test('water that was measured only for a short time teaches nothing', () => {
  const short = measured(() => 31).slice(0, 10)
  expect(withMeasuredCurve(nothingLearned(), 'screed', short)).toEqual(nothingLearned())
})

test('a night of fitting keeps the measured curve, whatever the room itself teaches', () => {
  const { state } = stepRoom(null, input())
  const days = Array.from({ length: 4 }, (_, day) =>
    measured(() => 31).map((slot, i) => ({
      ...slot,
      endMs: slot.endMs + day * 96 * 1_800_000,
      airC: 21 + 0.4 * Math.sin((2 * Math.PI * i) / 48),
    })),
  ).flat()
  const fitted = fitRoom(state, days)
  expect(Math.abs((supplyC(modelOf('screed', fitted.learned), 0) as number) - 31)).toBeLessThan(1)
})

test('a half hour keeps the water that flowed, and none while the loop was shut', () => {
  let state: RoomControl | null = null
  const slots: Slot[] = []
  for (let minute = 0; minute <= 120; minute++) {
    const nowMs = WINTER_MS + minute * 60_000
    const power = minute < 60 ? 1 : 0
    const step = stepRoom(state, input({ nowMs, appliedPower: power, supply: { measuredC: 33.4, setC: null } }))
    state = step.state
    if (step.slot) slots.push(step.slot)
  }
  expect(slots.map((slot) => slot.supplyC)).toEqual([33.4, 33.4, undefined, undefined])
})

test('each circuit gets the water that its own rooms need, and the source makes the warmest', () => {
  const floor = { id: 'floor', leastC: 22, mostC: 40 }
  const radiators = { id: 'radiators', leastC: 22, mostC: 55 }
  const easy = { ...knownRoom(), circuit: floor }
  const hard = {
    ...knownRoom({ floorType: 'timber', settings: settings({ targetC: 23 }) }),
    id: 'b',
    circuit: radiators,
  }
  const both = supplyFor([easy, hard], LIMITS, null, WINTER_MS)
  expect(both.circuits?.floor).toEqual({ setC: setFor(easy).setC, reason: { kind: 'room', roomId: 'a' } })
  expect(both.circuits?.radiators).toEqual({ setC: both.setC, reason: both.reason })
  expect(both.setC).toBe(setFor(hard).setC)
  expect(both.othersC).toBe(setFor(easy).setC)
})

test('a circuit gets no warmer water than its mixer and the source may make, and the source none for its sake', () => {
  const cold = { weather: weather(-20), settings: settings({ targetC: 24 }) }
  const asked = (mostC: number) =>
    supplyFor([{ ...knownRoom(cold), circuit: { id: 'c', leastC: 22, mostC } }], LIMITS, null, WINTER_MS)
  expect(asked(33)).toMatchObject({ setC: 33, circuits: { c: { setC: 33 } } })
  expect(asked(60).circuits?.c?.setC).toBe(asked(60).setC)
  expect(asked(60).setC).toBeLessThanOrEqual(LIMITS.mostC)
})

test('a mixer makes colder water than the source may, and never warmer than its own limit', () => {
  const ofRadiators = { leastC: 40, mostC: 60 }
  const floor = { ...knownRoom(), circuit: { id: 'floor', leastC: 22, mostC: 35 } }
  const both = supplyFor([floor], ofRadiators, null, WINTER_MS)
  expect(both.setC).toBe(40)
  expect(both.circuits?.floor?.setC).toBe(setFor(floor).setC)
  expect(both.circuits?.floor?.setC).toBeLessThan(35)
})

test('water of the source is never colder than that of a circuit', () => {
  const anyStep = fc.record({ outdoorC: fc.integer({ min: -20, max: 18 }), targetC: fc.integer({ min: 16, max: 25 }) })
  fc.assert(
    fc.property(fc.array(anyStep, { minLength: 1, maxLength: 4 }), (steps) => {
      let before: SupplySetpoint | null = null
      for (const [i, { outdoorC, targetC }] of steps.entries()) {
        const changes = { weather: weather(outdoorC), settings: settings({ targetC }) }
        const rooms = [
          { ...knownRoom(changes), circuit: { id: 'c', leastC: 20, mostC: 38 } },
          { ...knownRoom({ ...changes, floorType: 'dry' }), id: 'b' },
        ]
        before = supplyFor(rooms, LIMITS, before, WINTER_MS + i * 0.5 * HOUR_MS)
        expect(before.circuits?.c?.setC).toBeLessThanOrEqual(before.setC)
      }
    }),
    { numRuns: 10 },
  )
})
