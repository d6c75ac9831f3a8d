import type { Slot } from '@hypocaust/control'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { slotsOf, withReportedFlow } from '../src/house/heating/slots.ts'

const HALF_HOUR_MS = 1_800_000
const START_MS = Date.parse('2026-01-10T08:00:00Z')

const slot = (power: number, index = 0): Slot => ({
  endMs: START_MS + (index + 1) * HALF_HOUR_MS,
  airC: 20,
  power,
  outdoorC: 0,
  windMs: 0,
  solarWm2: 0,
})
const window = (startS: number, windowS: number, openS: number) => ({
  startedAt: START_MS + startS * 1000,
  windowS,
  openS,
})
const powersOf = (slots: Slot[]) => slots.map(({ power }) => power)

describe('the power that a room is fitted with', () => {
  test('is what flowed, not what was commanded', () => {
    const dead = [window(0, 900, 0), window(900, 900, 0)]
    expect(powersOf(withReportedFlow([slot(0.6)], [dead]))).toEqual([0])
    const half = [window(0, 900, 900), window(900, 900, 0)]
    expect(powersOf(withReportedFlow([slot(0.2)], [half]))).toEqual([0.5])
  })

  test('is what was commanded where nothing was reported', () => {
    expect(powersOf(withReportedFlow([slot(0.6), slot(0.4, 1)], []))).toEqual([0.6, 0.4])
    expect(powersOf(withReportedFlow([slot(0.6)], [[window(0, 900, 900)]]))).toEqual([0.8])
  })

  test('divides a window that lies across two half hours', () => {
    const across = [window(0, 1200, 0), window(1200, 1200, 1200), window(2400, 1200, 0)]
    const [first, second] = powersOf(withReportedFlow([slot(0), slot(0, 1)], [across]))
    expect(first).toBeCloseTo(1 / 3)
    expect(second).toBeCloseTo(1 / 3)
  })

  test('is the mean of the valves of a room', () => {
    const open = [window(0, 1800, 1800)]
    const shut = [window(0, 1800, 0)]
    expect(powersOf(withReportedFlow([slot(0.9)], [open, shut]))).toEqual([0.5])
  })

  test('stays between 0 and 1 whatever a gateway reports', () => {
    const anyWindow = fc.record({
      startedAt: fc.integer({ min: START_MS - 86_400_000, max: START_MS + 86_400_000 }),
      windowS: fc.double({ min: 0, max: 86_400, noNaN: true }),
      openS: fc.double({ min: 0, max: 86_400, noNaN: true }),
    })
    fc.assert(
      fc.property(
        fc.array(fc.array(anyWindow), { maxLength: 3 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (v, p) => {
          const [power] = powersOf(withReportedFlow([slot(p)], v))
          expect(power).toBeGreaterThanOrEqual(0)
          expect(power).toBeLessThanOrEqual(1 + 1e-9)
        },
      ),
    )
  })
})

describe.each(ENGINES)('recorded half hours on %s', (engine) => {
  let world: World

  beforeAll(async () => {
    world = await openWorld(engine)
  })
  afterAll(() => world.close())
  beforeEach(async () => {
    world = await world.refurnished()
  })

  test("carry the flow of the room's own valve, and exercising it is not heating", async () => {
    const { db } = world.store
    const { gatewayId, channel } = await db
      .selectFrom('valves')
      .selectAll()
      .where('roomId', '=', world.bathroomId)
      .executeTakeFirstOrThrow()
    const recorded = slot(0.6)
    await db
      .insertInto('roomSlots')
      .values({ roomId: world.bathroomId, endsAt: recorded.endMs, slot: JSON.stringify(recorded) })
      .execute()
    const reported = { gatewayId, channel, startedAt: START_MS, windowS: 1800, source: 'command' as const }
    await db
      .insertInto('valveWindows')
      .values([
        { ...reported, openS: 450 },
        { ...reported, openS: 1800, source: 'exercise' },
        { ...reported, channel: channel + 1, openS: 1800 },
      ])
      .execute()
    expect(await slotsOf(world.store, world.bathroomId, START_MS)).toEqual([{ ...recorded, power: 0.25 }])
  })
})
