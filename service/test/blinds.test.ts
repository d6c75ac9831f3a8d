import { CoverOrder, DAY_MS, HOUR_MS, MINUTE_MS } from '@hypocaust/domain'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { heatingOf } from '@hypocaust/testing/heating.ts'
import { BATHROOM_SENSOR } from '@hypocaust/testing/houses.ts'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import { Value } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ordersAt } from '../src/house/covers/orders.ts'
import { nextCommand } from '../src/house/gateways/commands.ts'
import { type GatewayValves, gatewayValvesOf } from '../src/house/gateways/valves.ts'
import { placeKey } from '../src/house/weather/weather.ts'
import { createKey } from '../src/people/keys/keys.ts'

const SOUTH = { sides: ['south'], above: 25 }

describe.each(ENGINES)('blinds on %s', (engine) => {
  let world: World
  let key: string
  beforeAll(async () => {
    world = await openWorld(engine)
    const { accountId } = world.holder
    const made = { accountId, name: 'blinds', permission: 'write' as const, expiresAt: null, control: true }
    key = (await createKey(world.store, world.clock, made)).value
  })
  afterAll(() => world.close())

  const patch = (blinds: unknown) =>
    world.call('PATCH', `/control${world.bathroomPath}/comfort`, { key, body: { blinds } })
  const advice = async () => (await world.get(`${world.bathroomPath}/outlook`)).json.blinds

  /** Hot days, with sun from nine to three. */
  async function sunnyDays(): Promise<void> {
    const { db } = world.store
    const building = db.selectFrom('buildings').select(['lat', 'lng']).where('id', '=', world.holder.buildingId)
    const place = placeKey(await building.executeTakeFirstOrThrow())
    const startMs = world.clock.now() - (world.clock.now() % HOUR_MS)
    const hourly = Array.from({ length: 60 }, (_, h) => {
      const hour = (startMs / HOUR_MS + h) % 24
      return { outdoorC: 27, cloudPct: 0, windMs: 2, solarWm2: hour >= 9 && hour < 15 ? 700 : 0 }
    })
    const made = { place, forecast: JSON.stringify({ startMs, hourly }), dueAt: startMs, updatedAt: startMs }
    await db.insertInto('forecasts').values(made).execute()
  }

  async function live(temperatureC = 24.5): Promise<void> {
    const heating = heatingOf(world)
    for (let minute = 0; minute < 40; minute += 5) {
      world.clock.advance(5 * MINUTE_MS)
      await world.gatewaysReport()
      await world.report(BATHROOM_SENSOR, { temperatureC })
      await heating.control(world.holder.buildingId)
    }
    await heating.stop()
  }

  test('of a room are told to be closed by the outlook, also while it is off; without blinds nothing is said', async () => {
    await sunnyDays()
    expect((await world.patch({ hvac_mode: 'off' })).status).toBe(200)
    await live()
    expect(await advice()).toBeNull()
    const { status, json } = await patch(SOUTH)
    expect([status, json.blinds]).toEqual([200, SOUTH])
    await live()
    const said = await advice()
    expect(said).toMatchObject({ sides: ['south'] })
    expect(said.expected).toBeGreaterThan(25)
    expect(said.expected_closed).toBeLessThan(said.expected)
    expect(Date.parse(said.close_at)).toBeGreaterThanOrEqual(world.clock.now() - 40 * MINUTE_MS)
    expect(Date.parse(said.open_at)).toBeGreaterThan(Date.parse(said.close_at))
    expect((await world.get(`${world.buildingPath}/state`)).json.outlooks[world.bathroomId].blinds).toEqual(said)
    expect((await patch(null)).status).toBe(200)
    await live()
    expect(await advice()).toBeNull()
  })

  const gatewayReports = (report: object) =>
    world.store.db
      .updateTable('gateways')
      .set({ sourceReport: JSON.stringify({ lock: null, ...report }), channels: 2, commandDueAt: 0 })
      .where('id', '=', world.holder.gatewayIds[0] ?? '')
      .execute()
  const isDue = async () =>
    world.store.db
      .selectFrom('gateways')
      .select('commandDueAt')
      .where('id', '=', world.holder.gatewayIds[0] ?? '')
      .executeTakeFirstOrThrow()
      .then(({ commandDueAt }) => commandDueAt === 0)
  /** What the gateway is sent about covers. */
  async function ordered() {
    await world.store.db.updateTable('gateways').set({ commandDueAt: 0 }).execute()
    const [gateway] = (await gatewayValvesOf(world.store, world.holder.buildingId)).filter(
      ({ gatewayId }) => gatewayId === world.holder.gatewayIds[0],
    )
    const next = await nextCommand(world.store, world.clock, gateway as GatewayValves)
    if (next.kind !== 'due') throw new Error(next.kind)
    return next.source?.covers
  }

  test('are moved by the gateway that reports the covers chosen for the room, and by no other', async () => {
    await gatewayReports({ covers: [{ name: 'living-south', held: 'no' }] })
    expect(await ordered()).toEqual([])
    expect((await patch({ ...SOUTH, covers: ['living-south', 'attic'], position: 20 })).status).toBe(200)
    await live(26)
    const { open_at } = await advice()
    expect(await isDue()).toBe(true)
    const dayEndsMs = Date.parse('2026-01-10T23:00:00.000Z')
    const seconds = (untilMs: number) => Math.round((untilMs - world.clock.now()) / 1000)
    const order = { name: 'living-south', position: 20, for_s: seconds(Date.parse(open_at)), day_s: seconds(dayEndsMs) }
    expect(await ordered()).toEqual([order])
    await gatewayReports({})
    expect(await ordered()).toBeUndefined()
    await gatewayReports({ covers: [{ name: 'study', held: 'no' }] })
    expect(await ordered()).toEqual([])
    await gatewayReports({ covers: [{ name: 'living-south', held: 'moved' }] })
    expect(await ordered()).toHaveLength(1)
    expect((await patch(SOUTH)).status).toBe(200)
    await live()
    expect(await ordered()).toEqual([])
    expect((await patch(null)).status).toBe(200)
  })

  test('an order that seems to last for days, as after the clock was set back, is one that gateways take', async () => {
    const kept = { roomId: world.bathroomId, name: 'living-south', position: 20 }
    const aheadMs = world.clock.now() + 4 * DAY_MS
    const orders = ordersAt([{ ...kept, openMs: aheadMs, dayEndsMs: aheadMs }], world.clock.now())
    expect(orders).toHaveLength(1)
    for (const order of orders) expect(Value.Check(CoverOrder, order)).toBe(true)
  })

  test.each([
    ['no side', { sides: [], above: 25 }],
    ['a side twice', { sides: ['south', 'south'], above: 25 }],
    ['a cover twice', { ...SOUTH, covers: ['a', 'a'] }],
    ['a cover whose name no gateway can have', { ...SOUTH, covers: ['Living room'] }],
    ['a position that is open', { ...SOUTH, position: 100 }],
    ['an unknown side', { sides: ['north'], above: 25 }],
    ['a temperature that is none for blinds', { sides: ['south'], above: 12 }],
    ['nothing but a temperature', { above: 25 }],
  ])('are refused with %s', async (_, blinds) => {
    const { status, json } = await patch(blinds)
    expect([status, json.error.code]).toEqual([400, expect.stringMatching(/^invalid_/)])
    expect(json.error.message).toContain('blinds')
  })
})
