import { type Browser, openSite, signedIn } from '@hypocaust/testing/browser.ts'
import { MINUTE_MS } from '@hypocaust/testing/clock.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import type { World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { keepGatewayPrices } from '../src/house/source/prices/of-gateways.ts'

const HALF_HOUR_MS = 30 * MINUTE_MS

describe.each(ENGINES)('the supply temperature that the website shows, on %s', (engine) => {
  let world: World
  let ada: Browser
  beforeAll(async () => {
    world = await openSite(engine)
    ada = await signedIn(world)
  })
  afterAll(() => world.close())
  beforeEach(async () => {
    world = await world.refurnished()
  })

  const shown = async (reader = ada) =>
    (await reader.call('GET', `/app/buildings/${world.holder.buildingId}/heat-source`)).json
  const building = (columns: object) =>
    world.store.db.updateTable('buildings').set(columns).where('id', '=', world.holder.buildingId).execute()
  const decided = (reason: object) =>
    building({
      heatSource: '{"kind":"heat_pump","supply":{"max":40}}',
      supplySetpoint: JSON.stringify({ setC: 33.5, atMs: world.clock.now() - MINUTE_MS, reason }),
    })
  const reports = (report: object) =>
    world.store.db
      .updateTable('gateways')
      .set({ sourceReport: JSON.stringify({ lock: null, ...report }), lastSeenAt: world.clock.now() })
      .where('id', '=', world.holder.gatewayIds[0] ?? '')
      .execute()

  test('is nothing where the source follows its own curve and nobody measures it', async () => {
    expect(await shown()).toEqual({ decides: 'source', lacks_prices: false, supply: null })
  })

  test('names the room whose plan needs it, what a gateway asks for, and what is measured', async () => {
    await decided({ kind: 'room', roomId: world.bathroomId })
    await reports({ supply_c: 32, supply_set_c: 33.5 })
    expect(await shown()).toEqual({
      decides: 'rooms',
      lacks_prices: false,
      supply: {
        wanted: 33.5,
        why: 'room',
        room: { id: world.bathroomId, name: 'Bathroom' },
        others: null,
        set: 33.5,
        measured: 32,
        circuits: [],
        day: null,
      },
    })
  })

  test('is said for each mixer with its rooms, and what the other rooms would need', async () => {
    const { gatewayIds } = world.holder
    const [valve] = await world.store.db
      .selectFrom('valves')
      .select('channel')
      .where('roomId', '=', world.bathroomId)
      .where('gatewayId', '=', gatewayIds[0] ?? '')
      .execute()
    const channels = [valve?.channel ?? 0]
    const reason = { kind: 'room', roomId: world.bathroomId }
    await building({
      heatSource: '{"kind":"heat_pump","supply":{"max":50}}',
      supplySetpoint: JSON.stringify({
        ...{ setC: 41, atMs: world.clock.now() - MINUTE_MS, reason, othersC: 32.5 },
        circuits: { [`${gatewayIds[0]} ${channels}`]: { setC: 41, reason } },
      }),
    })
    await reports({ supply_set_c: 41, circuits: [{ channels, min_c: 20, max_c: 45, supply_set_c: 40.5 }] })
    expect((await shown()).supply).toMatchObject({
      others: 32.5,
      circuits: [{ rooms: [{ name: 'Bathroom' }], wanted: 41, set: 40.5 }],
    })
  })

  test('is undecided once the rooms have not decided for two hours', async () => {
    await decided({ kind: 'curve', roomId: world.bathroomId })
    expect((await shown()).supply).toMatchObject({ wanted: 33.5, why: 'curve' })
    world.clock.advance(130 * MINUTE_MS)
    expect((await shown()).supply).toMatchObject({ wanted: null, why: 'undecided', room: null })
  })

  test('comes with how long the loops were open, and at which temperature', async () => {
    await decided({ kind: 'no-demand' })
    const endMs = Math.floor(world.clock.now() / HALF_HOUR_MS) * HALF_HOUR_MS
    const slot = (i: number, power: number, supplyC: number) => ({
      roomId: world.bathroomId,
      endsAt: endMs - i * HALF_HOUR_MS,
      slot: JSON.stringify({ endMs: endMs - i * HALF_HOUR_MS, airC: 20, power, supplyC }),
    })
    await world.store.db
      .insertInto('roomSlots')
      .values([slot(0, 1, 36), slot(1, 0.5, 33), slot(2, 0, 20)])
      .execute()
    expect((await shown()).supply).toMatchObject({ why: 'no_demand', day: { open_share: 0.5, mean: 35 } })
  })

  test('comes with a hint while a tariff goes by prices that nobody has published', async () => {
    await building({ tariff: '{"kind":"market","area":"NO1"}' })
    expect((await shown()).lacks_prices).toBe(true)
    await building({ tariff: '{"kind":"gateway"}' })
    expect((await shown()).lacks_prices).toBe(true)
    const start = new Date(world.clock.now()).toISOString()
    await reports({ prices: { start, step_s: 3600, values: [0.2, 0.4] } })
    await keepGatewayPrices(world.store, world.clock)
    expect((await shown()).lacks_prices).toBe(false)
    await building({ tariff: '{"kind":"fixed","price":0.3}' })
    expect((await shown()).lacks_prices).toBe(false)
  })

  test('is measured also where the source follows its own curve', async () => {
    await reports({ supply_c: 38 })
    expect(await shown()).toMatchObject({ decides: 'source', supply: { wanted: null, measured: 38, set: null } })
  })
})
