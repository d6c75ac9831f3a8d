import { DAY_MS, type FloorType } from '@hypocaust/domain'
import { type Pair, slotsOfTwo } from '@hypocaust/testing/two-rooms.ts'
import { describe, expect, test } from 'vitest'
import { diagnose, type Examination, type Examined, examine, type Slot } from '../src/index.ts'
import { WINTER_MS } from './room.ts'

const LOCATION = { lat: 52.5, lng: 13.4 }
const FLOORS: FloorType[] = ['screed', 'dry', 'timber', 'slab']

/** What is said of each room of a house at the end of its half hours. */
function saidOf(house: Pick<Examined, 'floorType' | 'slots'>[]) {
  const nowMs = Math.max(...house.flatMap(({ slots }) => slots.at(-1)?.endMs ?? 0))
  const rooms = new Map(
    house.map((room, i): [string, Examined] => [String(i), { idle: null, isShort: false, timeZone: 'UTC', ...room }]),
  )
  const examined = new Map(
    [...rooms.keys()].flatMap((id): [string, Examination][] => {
      const examination = examine({ rooms, location: LOCATION }, id, nowMs)
      return examination ? [[id, examination]] : []
    }),
  )
  return { examined, said: house.map((_, i) => diagnose(examined, String(i))) }
}

function houseOf(pair: Pair, change: (slots: Slot[], room: number) => Slot[] = (slots) => slots) {
  const slots = slotsOfTwo(pair, WINTER_MS)
  return pair.floors.map((floorType, i) => ({ floorType, slots: change(slots[i] ?? [], i) }))
}

const causes = (house: Parameters<typeof saidOf>[0]) => saidOf(house).said.map(([first]) => first?.cause)

describe.each(FLOORS)('beside a room of %s', (floorType) => {
  const floors: Pair['floors'] = ['screed', floorType]

  test('nothing is said of two healthy rooms', () => {
    expect(saidOf(houseOf({ floors, days: 8, sensors: [0, 1] })).said).toEqual([[], []])
  })

  test('a loop that stays shut is named, and the other room is left alone', () => {
    const { said } = saidOf(houseOf({ floors, days: 4, sensors: [0, 1], stuck: [0], outdoorC: -5 }))
    expect(said[0]?.[0]).toMatchObject({ cause: 'actuator_stuck_closed', probability: expect.any(Number) })
    expect(said[0]?.[0]?.probability).toBeGreaterThan(0.9)
    expect(said[1]).toEqual([])
  })

  test('rooms that all stay without heat point to the source', () => {
    const house = houseOf({ floors, days: 4, sensors: [0, 1], stuck: [0, 1], outdoorC: -5 })
    expect(causes(house)).toEqual(['source_without_heat', 'source_without_heat'])
  })

  test('swapped sensors are diagnosed in both rooms, each naming the other room', () => {
    const { said } = saidOf(houseOf({ floors, days: 6, sensors: [1, 0] }))
    expect(said.map(([first]) => [first?.cause, first?.otherRoom])).toEqual([
      ['sensors_swapped', '1'],
      ['sensors_swapped', '0'],
    ])
  })
})

const PAIR: Pair = { floors: ['screed', 'dry'], days: 6, sensors: [0, 1] }
const lastDays = (slots: Slot[], days: number) => (slots.at(-1)?.endMs ?? 0) - days * DAY_MS

/** Healthy for three days; then the sensor repeats its last value while the loop is nearly shut. */
function frozenHouse(stepC: number) {
  return houseOf({ ...PAIR, outdoorC: -5 }, (slots, room) => {
    if (room > 0) return slots
    const coarse = slots.map((slot) => ({ ...slot, airC: Math.round((slot.airC ?? 0) / stepC) * stepC }))
    const frozenC = coarse.findLast(({ endMs }) => endMs <= lastDays(slots, 3))?.airC ?? 0
    return coarse.map((slot) => (slot.endMs > lastDays(slots, 3) ? { ...slot, airC: frozenC, power: 0.05 } : slot))
  })
}

test('a sensor that repeats one value while the room must have cooled is named', () => {
  expect(causes(frozenHouse(0.02))[0]).toBe('sensor_frozen')
})

test('a sensor with coarse steps may repeat a value', () => {
  const { examined } = saidOf(frozenHouse(0.5))
  expect(examined.get('0')?.gains.sensor_frozen).toBe(0)
})

test('a window that is open for hours on most days is named, and one opened for half an hour each day is not', () => {
  const aired = (hours: number) =>
    houseOf({ ...PAIR, days: 8 }, (slots, room) =>
      room > 0
        ? slots
        : slots.map((slot) => {
            const hour = (slot.endMs / 3_600_000) % 24
            return hour > 12 && hour <= 12 + hours ? { ...slot, airC: null, aired: true } : slot
          }),
    )
  expect(causes(aired(6))).toEqual(['window_often_open', undefined])
  expect(causes(aired(1))).toEqual([undefined, undefined])
})

test('nothing is examined of a room of which less than two days are known', () => {
  expect(saidOf(houseOf({ ...PAIR, days: 1.5 })).examined.size).toBe(0)
})

test('nothing is examined in weather that asks for no heat', () => {
  expect(saidOf(houseOf({ ...PAIR, outdoorC: 14 })).examined.size).toBe(2)
  expect(saidOf(houseOf({ ...PAIR, outdoorC: 16 })).examined.size).toBe(0)
})

test('a gap of a day is a new beginning, and a gap of two hours is bridged', () => {
  const without = (fromH: number, hours: number) =>
    houseOf({ ...PAIR, days: 8 }, (slots) => {
      const fromMs = WINTER_MS + fromH * 3_600_000
      return slots.filter(({ endMs }) => endMs <= fromMs || endMs > fromMs + hours * 3_600_000)
    })
  const pictureDays = (house: Parameters<typeof saidOf>[0]) => {
    const picture = saidOf(house).examined.get('0')?.picture
    return ((picture?.measuredC.length ?? 0) * (picture?.stepMs ?? 0)) / DAY_MS
  }
  expect(pictureDays(without(48, 24))).toBeCloseTo(5, 1)
  expect(pictureDays(without(48, 2))).toBeCloseTo(8, 1)
  expect(saidOf(without(48, 2)).said).toEqual([[], []])
})

test('with the cause the picture comes nearer to what was measured than without', () => {
  const { examined, said } = saidOf(houseOf({ ...PAIR, days: 4, stuck: [0], outdoorC: -5 }))
  const picture = examined.get('0')?.picture
  const withCauseC = picture?.withCauseC[said[0]?.[0]?.cause ?? 'other_floor'] ?? []
  const errorOf = (values: number[] = []) =>
    values.reduce((sum, value, i) => sum + (value - (picture?.measuredC[i] ?? value)) ** 2, 0)
  expect(withCauseC).toHaveLength(picture?.measuredC.length ?? 0)
  expect(errorOf(withCauseC)).toBeLessThan(errorOf(picture?.healthyC))
})

test('an examination is plain JSON', () => {
  const { examined } = saidOf(houseOf(PAIR))
  expect(JSON.parse(JSON.stringify([...examined]))).toEqual([...examined])
})
