import type { FloorType } from '@hypocaust/domain'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  FLEXIBILITY_S,
  flexibilityOf,
  type LimitedRoom,
  limitPromise,
  roomPlan,
  type StepInput,
  stepRoom,
  takenKwhM2,
} from '../src/index.ts'
import { EVERY_FLOOR, HOUR_MS, hold, input, settings, WINTER_MS } from './room.ts'

const heatPump = { kind: 'heat-pump' as const, quality: 0.42 }
const NOW_MS = WINTER_MS + 2 * HOUR_MS

function roomOf(floorType: FloorType, airC: number, changes: Partial<StepInput> = {}): LimitedRoom {
  const at = () => ({
    floorType,
    air: { kind: 'fresh' as const, airC, ageS: 10 },
    weather: { outdoorC: 0, cloudPct: 100, windMs: 3, solarWm2: 0 },
  })
  const { state } = hold(2, at)
  return { id: floorType, areaM2: 20, state, input: input({ nowMs: NOW_MS, ...at(), ...changes }) }
}

const source = (floorType: FloorType) => (floorType === 'electric' ? { kind: 'electric' as const, share: 1 } : heatPump)
const offersOf = (room: LimitedRoom) => flexibilityOf([room], source(room.input.floorType), NOW_MS) ?? []
const offerOf = (room: LimitedRoom, direction: 'less' | 'more', hours: number) => {
  const found = offersOf(room).find((offer) => offer.direction === direction && offer.durationS === hours * 3600)
  if (!found) throw new Error('no such offer')
  return found
}

test.each(EVERY_FLOOR)(
  'a cool room with a floor of %s offers all that it plans to take, and takes it later',
  (floorType) => {
    const { kwh, plannedKwh, laterKwh, mostK } = offerOf(roomOf(floorType, 20.8), 'less', 2)
    expect(kwh).toBeGreaterThan(0.05)
    expect(kwh).toBeCloseTo(plannedKwh)
    expect(laterKwh).toBeGreaterThan(0.5 * kwh)
    expect(mostK).toBeGreaterThan(0)
  },
)

test.each(EVERY_FLOOR)('a room with a floor of %s can store some heat within its band', (floorType) => {
  const { kwh, kelvinHours, mostK } = offerOf(roomOf(floorType, 20.8), 'more', 1)
  expect(kwh).toBeGreaterThan(0.05)
  expect(kelvinHours).toBeLessThan(0.1)
  expect(mostK).toBeLessThan(0.6)
})

test('the longer a light floor gets no heat, the more kelvin-hours it costs', () => {
  const room = roomOf('dry', 20.8)
  const costs = FLEXIBILITY_S.map((durationS) => offerOf(room, 'less', durationS / 3600).kelvinHours)
  expect(costs).toEqual(costs.toSorted((a, b) => a - b))
  expect(costs.at(-1)).toBeGreaterThan(costs[0] as number)
})

test('nothing is offered where it is not known that electricity makes the heat', () => {
  const room = roomOf('screed', 20.8)
  expect(flexibilityOf([room], null, NOW_MS)).toBeNull()
  expect(flexibilityOf([room], { kind: 'boiler', share: 0.95 }, NOW_MS)).toBeNull()
  expect(limitPromise([room], limitOf(0), null, NOW_MS)).toBeNull()
})

test.each<[string, Partial<StepInput>]>([
  ['manual power', { settings: settings({ steering: { kind: 'manual', power: 0.5 } }) }],
  ['off', { settings: settings({ steering: { kind: 'off' } }) }],
  ['an open window', { window: 'open' }],
  ['no gateway', { unreached: { kind: 'no-gateway' } }],
  ['a lock of the grid', { energy: { prices: null, source: heatPump, grid: 'locked' } }],
])('a room with %s takes no part', (_, changes) => {
  for (const { kwh, plannedKwh, roomIds } of offersOf(roomOf('screed', 20.8, changes)))
    expect([kwh, plannedKwh, roomIds]).toEqual([0, 0, []])
})

test('a mat beside a heat pump takes no part', () => {
  expect(flexibilityOf([roomOf('electric', 20.8)], heatPump, NOW_MS)?.every(({ kwh }) => kwh === 0)).toBe(true)
})

test.each(['screed', 'dry', 'electric'] as const)(
  'no offer cools a room with a floor of %s near to frost',
  (floorType) => {
    const cold = roomOf(floorType, 7.5, { settings: settings({ targetC: 8 }) })
    expect(offerOf(cold, 'less', 4).plannedKwh).toBeGreaterThan(0.05)
    for (const { direction, kwh } of offersOf(cold)) if (direction === 'less') expect(kwh).toBe(0)
  },
)

test('no offer warms a floor beyond its limit', () => {
  const limited = roomOf('screed', 20.8, { settings: settings({ maxFloorC: 22 }) })
  for (const { direction, kwh } of offersOf(limited)) if (direction === 'more') expect(kwh).toBe(0)
})

test('the offers of a house are the sum of those of its rooms', () => {
  const rooms = [roomOf('screed', 20.8), roomOf('dry', 20.9)]
  const all = flexibilityOf(rooms, heatPump, NOW_MS) ?? []
  const each = rooms.map((room) => flexibilityOf([room], heatPump, NOW_MS) ?? [])
  for (const [i, { kwh, roomIds }] of all.entries()) {
    expect(kwh).toBeCloseTo(each.reduce((sum, offers) => sum + (offers[i]?.kwh ?? 0), 0))
    expect(roomIds).toEqual(each.flatMap((offers) => offers[i]?.roomIds ?? []))
  }
})

test('asking for offers changes neither a room nor what is decided next', () => {
  fc.assert(
    fc.property(fc.constantFrom(...EVERY_FLOOR), fc.double({ min: 17, max: 23, noNaN: true }), (floorType, airC) => {
      const room = roomOf(floorType, airC)
      const untouched = structuredClone(room)
      offersOf(room)
      limitPromise([room], limitOf(100), source(floorType), NOW_MS)
      expect(room).toEqual(untouched)
      expect(stepRoom(room.state, room.input)).toEqual(stepRoom(untouched.state, untouched.input))
      expect(roomPlan(room.state, room.input)).toEqual(roomPlan(untouched.state, untouched.input))
    }),
    { numRuns: 8 },
  )
})

const limitOf = (powerW: number, fromH = 0, untilH = 2) => ({
  fromMs: NOW_MS + fromH * HOUR_MS,
  untilMs: NOW_MS + untilH * HOUR_MS,
  powerW,
})

test('a limit of nothing promises what is planned, a wide one nothing, and one between the two some of it', () => {
  const rooms = [roomOf('screed', 20.8), roomOf('dry', 20.8)]
  const promised = (powerW: number) => limitPromise(rooms, limitOf(powerW), heatPump, NOW_MS)
  expect(promised(0)?.promisedKwh).toBeCloseTo(promised(0)?.plannedKwh as number)
  expect(promised(0)?.promisedKwh).toBeGreaterThan(0.2)
  expect(promised(50_000)?.promisedKwh).toBeCloseTo(0, 1)
  const half = promised(200)
  expect(half?.promisedKwh).toBeGreaterThan(0.05)
  expect(half?.promisedKwh).toBeLessThan(promised(0)?.promisedKwh as number)
  expect(half?.roomIds).toEqual(['screed', 'dry'])
})

test('what a loop took counts for the part of each half hour that is within', () => {
  const { state } = roomOf('screed', 20.8)
  if (!state) throw new Error('no state')
  const slot = (endMs: number) => ({ endMs, airC: 20.8, power: 0.5, outdoorC: 0, windMs: 3, solarWm2: 0 })
  const history = [1, 2, 3, 4].map((i) => slot(NOW_MS + (i * HOUR_MS) / 2))
  const taken = (fromH: number, untilH: number) =>
    takenKwhM2(state, history, heatPump, NOW_MS + fromH * HOUR_MS, NOW_MS + untilH * HOUR_MS)
  expect(taken(0, 2)).toBeGreaterThan(0)
  expect(taken(0, 0.75) + taken(0.75, 2)).toBeCloseTo(taken(0, 2), 9)
  expect(taken(2, 3)).toBe(0)
})
