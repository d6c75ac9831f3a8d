import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type GridLimit, gridShares, type LimitedRoom, roomPlan, stepRoom } from '../src/index.ts'
import { EVERY_FLOOR, HOUR_MS, input, settings, WINTER_MS } from './room.ts'

const cold = (airC: number) => ({ kind: 'fresh' as const, airC, ageS: 0 })
const from = (fromH: number, untilH: number, share: number): GridLimit => ({
  fromMs: WINTER_MS + fromH * HOUR_MS,
  untilMs: WINTER_MS + untilH * HOUR_MS,
  share,
})
const decided = (changes: Parameters<typeof input>[0]) => stepRoom(null, input(changes)).decision

test('while the grid limits the heat source a cold room gets its share and no more, and the decision says why', () => {
  expect(decided({ air: cold(18) }).share).toBe(1)
  const limited = decided({ air: cold(18), limits: [from(-1, 1, 0.3)] })
  expect(limited.share).toBeCloseTo(0.3)
  expect(limited.caps).toContain('grid-limit')
})

test('a limit that is over, that has not begun or that holds no numbers changes nothing now in a cold room', () => {
  for (const limits of [
    [from(-2, -1, 0)],
    [{ ...from(-1, 1, 0), share: Number.NaN }],
    [{ ...from(-1, 1, 0), untilMs: Number.NaN }],
    [from(1, -1, 0)],
  ])
    expect(decided({ air: cold(18), limits })).toEqual(decided({ air: cold(18) }))
})

test('a limit never lets a room freeze, and manual power stays as set', () => {
  const none = [from(-1, 1, 0)]
  expect(decided({ air: cold(4.5), limits: none }).power).toBeGreaterThan(0)
  const steering = { kind: 'manual' as const, power: 0.3 }
  expect(decided({ settings: settings({ steering }), limits: none }).power).toBeCloseTo(0.3)
})

test.each(EVERY_FLOOR)(
  'a room with a floor of %s is heated before a limit that is announced, and not while it lasts',
  (floorType) => {
    const given = input({ floorType, air: cold(21), weather: { outdoorC: 2, cloudPct: 100, windMs: 3, solarWm2: 0 } })
    const heatWithin = (fromH: number, untilH: number, limits: GridLimit[]) =>
      roomPlan(null, { ...given, limits })
        .filter(({ atMs }) => atMs > WINTER_MS + fromH * HOUR_MS && atMs <= WINTER_MS + untilH * HOUR_MS)
        .reduce((sum, { share }) => sum + share, 0)
    const announced = [from(6, 12, 0)]
    expect(heatWithin(0, 6, announced)).toBeGreaterThan(heatWithin(0, 6, []))
    expect(heatWithin(6, 12, [])).toBeGreaterThan(0)
    expect(heatWithin(6, 12, announced)).toBe(0)
  },
)

const heatPump = { kind: 'heat-pump' as const, quality: 0.42 }
const room = (id: string, airC: number, changes: Parameters<typeof input>[0] = {}): LimitedRoom => {
  const given = input({ air: cold(airC), ...changes })
  return { id, areaM2: 20, state: stepRoom(null, given).state, input: given }
}
const limitOf = (powerW: number) => ({ fromMs: WINTER_MS, untilMs: WINTER_MS + 2 * HOUR_MS, powerW })
const sharesOf = (rooms: LimitedRoom[], powerW: number) => gridShares(rooms, limitOf(powerW), heatPump, WINTER_MS) ?? {}

test('what is left is shared by need: the colder of two like rooms gets more, and half the power gives half to each', () => {
  const rooms = [room('cold', 19), room('warm', 20.8)]
  const all = sharesOf(rooms, 600)
  expect(all.cold).toBeGreaterThan(all.warm as number)
  const half = sharesOf(rooms, 300)
  expect(half.cold).toBeCloseTo((all.cold as number) / 2, 2)
})

test('with power for all no room is held back', () => {
  expect(sharesOf([room('cold', 18)], 50_000)).toEqual({ cold: 1 })
})

test('a room under manual power keeps it, and what it takes is taken off the others', () => {
  const steering = { kind: 'manual' as const, power: 0.5 }
  const alone = sharesOf([room('cold', 19)], 500)
  const beside = sharesOf([room('cold', 19), room('held', 20, { settings: settings({ steering }) })], 500)
  expect(Object.keys(beside)).toEqual(['cold'])
  expect(beside.cold).toBeLessThan(alone.cold as number)
})

test('a mat does not take the power of a heat pump, and a boiler no power that the grid limits', () => {
  const mat = room('bath', 19, { floorType: 'electric' })
  expect(sharesOf([mat, room('cold', 19)], 500)).not.toHaveProperty('bath')
  expect(gridShares([room('cold', 19)], limitOf(500), { kind: 'boiler', share: 0.9 }, WINTER_MS)).toBeNull()
})

test('rooms never get more together than the limit leaves', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({ airC: fc.double({ min: 15, max: 24, noNaN: true }), areaM2: fc.integer({ min: 3, max: 60 }) }),
        {
          minLength: 1,
          maxLength: 5,
        },
      ),
      fc.integer({ min: 0, max: 8000 }),
      (drawn, powerW) => {
        const rooms = drawn.map(({ airC, areaM2 }, i) => ({ ...room(String(i), airC), areaM2 }))
        const shares = sharesOf(rooms, powerW)
        // Alone with one watt, a room gets one watt.
        const takenW = rooms.map((each) => (shares[each.id] as number) / (sharesOf([each], 1)[each.id] as number))
        expect(takenW.reduce((sum, w) => sum + w, 0)).toBeLessThanOrEqual(powerW + 1e-6)
      },
    ),
    { numRuns: 15 },
  )
})
