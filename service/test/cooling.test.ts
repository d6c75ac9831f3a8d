import { HOUR_MS, MINUTE_MS } from '@hypocaust/domain'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { heatingOf } from '@hypocaust/testing/heating.ts'
import { BATHROOM_SENSOR, HOUSE, LIVING_ROOM_SENSOR } from '@hypocaust/testing/houses.ts'
import { settleMember } from '@hypocaust/testing/members.ts'
import { type MqttWorld, openMqttWorld } from '@hypocaust/testing/mqtt-world.ts'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { applyHouse } from '../src/house/buildings/apply.ts'
import { putCooling, seenCooling } from '../src/house/buildings/cooling.ts'
import { commandedValves, gatewayValvesOf } from '../src/house/gateways/valves.ts'
import { addRoom } from '../src/house/rooms/manage.ts'
import { placeKey } from '../src/house/weather/weather.ts'
import { createKey } from '../src/people/keys/keys.ts'
import type { Store } from '../src/store/store.ts'

const HOT = { temperatureC: 27, humidityPct: 50 }
/** 27 °C with 50 % has its dew point at 15.7 °C. */
const HOT_DEW_C = 15.7
const COOLS = {
  lock: null,
  supply_c: 19,
  supply_set_c: 19,
  cooling: { reported: null, supply_c: 19, dew_contact: false },
}

describe.each(ENGINES)('cooling on %s', (engine) => {
  let world: World
  let key: string
  beforeAll(async () => {
    world = await openWorld(engine)
    key = await keyOf(world.holder.accountId)
  })
  afterAll(() => world.close())
  beforeEach(async () => {
    const { db } = world.store
    await world.store.batch([
      db.updateTable('buildings').set({ cooling: null, coolingState: null }),
      db.updateTable('rooms').set({ coolingTargetC: null, cools: 0 }),
      db.updateTable('gateways').set({ sourceReport: null }),
      db.deleteFrom('controlStates'),
    ])
    await world.reset()
  })

  const keyOf = async (accountId: string) => {
    const made = { accountId, name: 'cooling', permission: 'write' as const, expiresAt: null, control: true }
    return (await createKey(world.store, world.clock, made)).value
  }
  const path = () => `/control${world.buildingPath}/cooling`
  const get = async (by = key) => (await world.call('GET', path(), { key: by })).json
  const put = (body: unknown, by = key) => world.call('PUT', path(), { key: by, body })
  const bathroomRow = () =>
    world.store.db
      .selectFrom('rooms')
      .select(['controlPower', 'cools'])
      .where('id', '=', world.bathroomId)
      .executeTakeFirstOrThrow()
  const target = (target_temperature: number | null) => ({
    season: 'cooling',
    rooms: [{ room_id: world.bathroomId, target_temperature }],
  })

  async function gatewayReports(report: object | null): Promise<void> {
    const sourceReport = report && JSON.stringify(report)
    await world.store.db.updateTable('gateways').set({ sourceReport }).execute()
    await world.gatewaysReport()
  }

  /** Readings and control for an hour. */
  async function live(reading: { temperatureC: number; humidityPct: number | null }): Promise<void> {
    const heating = heatingOf(world)
    for (let minute = 0; minute < 60; minute += 5) {
      world.clock.advance(5 * MINUTE_MS)
      await world.gatewaysReport()
      await world.report(BATHROOM_SENSOR, reading)
      await heating.control(world.holder.buildingId)
    }
    await heating.stop()
  }

  /** The same outdoors for days. */
  async function outdoors(outdoorC: number): Promise<void> {
    const { db } = world.store
    const building = db.selectFrom('buildings').select(['lat', 'lng']).where('id', '=', world.holder.buildingId)
    const place = placeKey(await building.executeTakeFirstOrThrow())
    const hour = { outdoorC, cloudPct: 50, windMs: 3, solarWm2: 0 }
    const startMs = world.clock.now() - (world.clock.now() % HOUR_MS)
    const forecast = JSON.stringify({ startMs, hourly: new Array(60).fill(hour) })
    const made = { forecast, dueAt: startMs, updatedAt: startMs }
    await world.store.batch([
      db.deleteFrom('forecasts').where('place', '=', place),
      db.insertInto('forecasts').values({ place, ...made }),
    ])
  }

  test('nobody has chosen a season: the building heats, and every target is null', async () => {
    const { state, rooms, ...settings } = await get()
    expect(settings).toEqual({
      season: 'heating',
      changeover: { by: 'outdoor', cooling_above: 20, heating_below: 16 },
    })
    expect(new Set(rooms.map((room: { target_temperature: null }) => room.target_temperature))).toEqual(new Set([null]))
    expect(state).toMatchObject({ season: 'heating', since: null, blocked: null, supply_temperature: null })
  })

  test('a hot room is cooled, and /v1 says idle with the open share', async () => {
    expect((await put(target(25))).status).toBe(200)
    await gatewayReports(COOLS)
    await outdoors(31)
    await live(HOT)
    const { controlPower, cools } = await bathroomRow()
    expect(controlPower).toBeGreaterThan(0)
    expect(cools).toBe(1)
    expect(await world.bathroom()).toMatchObject({ hvac_mode: 'heat', hvac_action: 'idle', power: controlPower })
    const { state } = await get()
    expect(state).toMatchObject({ season: 'cooling', blocked: null })
    expect(state.supply_temperature).toBeGreaterThanOrEqual(HOT_DEW_C + 2.5)
    const room = state.rooms.find(({ room_id }: { room_id: string }) => room_id === world.bathroomId)
    expect(room).toEqual({ room_id: world.bathroomId, dew_point: HOT_DEW_C, cooling: true })
    const { json } = await world.get(`${world.bathroomPath}/explanation`)
    expect(json).toMatchObject({ activity: 'cooling', mode: 'cool', cooling: { supply_temperature: 19 } })
    expect((await world.get(`${world.bathroomPath}/outlook`)).json).toMatchObject({ setpoint: 25, next: null })
    const slots = await world.store.db.selectFrom('roomSlots').selectAll().execute()
    expect(slots).toEqual([])
  })

  test.each<[string, { temperatureC: number; humidityPct: number | null }, object | null, object]>([
    ['its humidity is not known', { temperatureC: 27, humidityPct: null }, COOLS, {}],
    ['it is too humid for the water', { temperatureC: 27, humidityPct: 65 }, COOLS, {}],
    [
      'the water is not known',
      HOT,
      { lock: null, cooling: { reported: null, supply_c: null, dew_contact: false } },
      {},
    ],
    ['no gateway can cool', HOT, { lock: null }, { blocked: 'no_gateway', season: 'heating' }],
    ['a pipe may freeze', { temperatureC: 4, humidityPct: 50 }, COOLS, { blocked: 'frost', season: 'heating' }],
  ])('a room is not cooled while %s', async (_, reading, report, state) => {
    await put(target(25))
    await gatewayReports(report)
    await live(reading)
    const { controlPower, cools } = await bathroomRow()
    if (cools === 1) expect(controlPower).toBe(0)
    expect((await get()).state).toMatchObject(state)
  })

  const season = async () => (await get()).state

  test('one cold sensor of several is enough to heat, though their mean is not cold', async () => {
    await put(target(25))
    await gatewayReports(COOLS)
    const { db } = world.store
    const otherSensors = JSON.stringify({ use: 'mean', sensors: [{ id: LIVING_ROOM_SENSOR }] })
    await db.updateTable('rooms').set({ otherSensors }).where('id', '=', world.bathroomId).execute()
    await world.report(LIVING_ROOM_SENSOR, { temperatureC: 3 })
    await live({ temperatureC: 15, humidityPct: 50 })
    expect(await season()).toMatchObject({ season: 'heating', blocked: 'frost' })
    await db.updateTable('rooms').set({ otherSensors: null }).execute()
  })

  test('a cold room whose sensor reports seldom keeps the building heating as long as frost protection opens its loop', async () => {
    await put(target(25))
    await gatewayReports(COOLS)
    const heating = heatingOf(world)
    const later = async (minutes: number) => {
      world.clock.advance(minutes * MINUTE_MS)
      await world.gatewaysReport()
      await heating.control(world.holder.buildingId)
    }
    for (let hour = 0; hour < 6; hour++) {
      await world.report(BATHROOM_SENSOR, { temperatureC: 4, humidityPct: 50 })
      await later(5)
      await later(55)
    }
    expect((await bathroomRow()).controlPower).toBe(1)
    expect(await season()).toMatchObject({ season: 'heating', blocked: 'frost' })
    await heating.stop()
  })

  test('of two gateways that measure the water the colder one counts', async () => {
    await put(target(25))
    const cold = { ...COOLS, cooling: { ...COOLS.cooling, supply_c: 16.5 } }
    for (const [first, second] of [
      [COOLS, cold],
      [cold, COOLS],
    ]) {
      await gatewayReports(first as object)
      const [, attic = ''] = world.holder.gatewayIds
      const sourceReport = JSON.stringify(second)
      await world.store.db.updateTable('gateways').set({ sourceReport }).where('id', '=', attic).execute()
      await live(HOT)
      expect((await world.get(`${world.bathroomPath}/explanation`)).json.cooling).toMatchObject({
        supply_temperature: 16.5,
      })
      expect(await bathroomRow()).toEqual({ controlPower: 0, cools: 1 })
    }
  })

  test('no other gateway opens its loops for warmth while the one that cools is not heard', async () => {
    await put(target(25))
    await gatewayReports(null)
    const [cellar = ''] = world.holder.gatewayIds
    const ofCellar = (columns: object) =>
      world.store.db.updateTable('gateways').set(columns).where('id', '=', cellar).execute()
    await ofCellar({ sourceReport: JSON.stringify(COOLS) })
    await live(HOT)
    expect(await season()).toMatchObject({ season: 'cooling', blocked: null })
    const heating = heatingOf(world)
    await ofCellar({ lastSeenAt: world.clock.now() - 10 * MINUTE_MS })
    await heating.control(world.holder.buildingId)
    await heating.stop()
    expect(await season()).toMatchObject({ season: 'cooling', blocked: null })
    const gateways = await gatewayValvesOf(world.store, world.holder.buildingId)
    for (const attic of gateways.filter(({ gatewayId }) => gatewayId !== cellar))
      expect(commandedValves(attic, world.clock.now()).every(({ power }) => power === 0)).toBe(true)
  })

  test('a room without a target, and one under manual power that is too humid, stay shut', async () => {
    await put(target(null))
    await gatewayReports(COOLS)
    await live(HOT)
    expect(await bathroomRow()).toEqual({ controlPower: 0, cools: 1 })
    await put(target(25))
    await world.patch({ manual_power: { enabled: true, power: 0.5 } })
    await live(HOT)
    expect(await bathroomRow()).toEqual({ controlPower: 0.5, cools: 1 })
    expect(await world.bathroom()).toMatchObject({ hvac_action: 'idle', power: 0.5 })
    await live({ temperatureC: 27, humidityPct: 70 })
    expect(await bathroomRow()).toEqual({ controlPower: 0, cools: 1 })
  })

  test('automatic follows the mean of a day outdoors', async () => {
    await put({ ...target(25), season: 'automatic' })
    await gatewayReports(COOLS)
    await outdoors(12)
    await live(HOT)
    expect((await get()).state).toMatchObject({ season: 'heating', outdoor_mean: 12 })
    await outdoors(34)
    for (let hours = 0; hours < 12; hours++) await live(HOT)
    const { state } = await get()
    expect(state).toMatchObject({ season: 'cooling' })
    expect(state.outdoor_mean).toBeGreaterThan(20)
  })

  test('a body that is wrong changes nothing', async () => {
    const stranger = '019bb0f4-6e01-7d21-8a44-5b0c9e1f2a3b'
    for (const body of [
      {},
      { season: 'summer' },
      { season: 'cooling', changeover: { by: 'outdoor', cooling_above: 16, heating_below: 20 } },
      { season: 'cooling', rooms: [{ room_id: stranger, target_temperature: 25 }] },
      { season: 'cooling', rooms: [{ room_id: world.bathroomId, target_temperature: 12 }] },
      { season: 'cooling', state: {} },
      {
        season: 'cooling',
        rooms: [25, 26].map((target_temperature) => ({ room_id: world.bathroomId, target_temperature })),
      },
    ])
      expect((await put(body)).status).toBe(400)
    expect((await get()).season).toBe('heating')
  })

  test('writes all or nothing where another request comes between the look and the write', async () => {
    const { store, clock, holder } = world
    const { buildingId, roomIds } = holder
    const rooms = roomIds.map((room_id) => ({ room_id, target_temperature: 25 }))
    const cooling = { season: 'cooling' as const, rooms }
    const before = await get()

    const seen = await seenCooling(store, buildingId)
    const ofRoom = { ...seen, targets: new Map([[world.bathroomId, 22]]) }
    const ofBuilding = { ...seen, cooling: '{}' }
    for (const outdated of [ofRoom, ofBuilding]) {
      await expect(putCooling(store, clock, buildingId, cooling, outdated)).rejects.toMatchObject({ status: 412 })
      expect(await get()).toEqual(before)
    }

    const { sensor_id } = await world.bathroom()
    const gone = await addRoom(store, clock, buildingId, { name: 'Hall', floor_type: 'screed', sensor_id, valves: [] })
    const losing: Store = Object.create(store, {
      batch: {
        value: async (...args: Parameters<Store['batch']>) => {
          await store.db.deleteFrom('rooms').where('id', '=', gone).execute()
          return store.batch(...args)
        },
      },
    })
    const withGone = { ...cooling, rooms: [...rooms, { room_id: gone, target_temperature: 25.3 }] }
    await expect(putCooling(losing, clock, buildingId, withGone)).rejects.toMatchObject({ status: 404 })
    expect(await get()).toEqual(before)

    await putCooling(store, clock, buildingId, cooling, await seenCooling(store, buildingId))
    expect((await get()).rooms).toEqual(rooms)
  })

  test('a guest sees the chosen rooms and sets nothing', async () => {
    const guest = await settleMember(world.store, world.clock, {
      ...{ buildingId: world.holder.buildingId, email: `guest-${engine}@example.org` },
      ...{ role: 'guest' as const, roomIds: [world.bathroomId] },
    })
    const guestKey = await keyOf(guest.accountId)
    const seen = await get(guestKey)
    expect([seen.rooms.length, seen.state.rooms.length]).toEqual([1, 1])
    expect((await put(target(25), guestKey)).status).toBe(403)
  })

  test('the house file has season and targets', async () => {
    const file = {
      ...HOUSE,
      cooling: {
        season: 'automatic' as const,
        changeover: { by: 'reported' as const, cooling_above: 22, heating_below: 15 },
      },
      rooms: HOUSE.rooms.map((room) => ({ ...room, cooling_target: 24.5 })),
    }
    const { accountId } = world.holder
    await applyHouse(world.store, world.clock, file, { accountId, overwriteSettings: true, prune: false })
    const { season, changeover, rooms } = await get()
    expect({ season, changeover }).toEqual(file.cooling)
    expect(rooms[0].target_temperature).toBe(24.5)
  })
})

describe('the gateways of a building that cools', () => {
  let world: MqttWorld
  beforeAll(async () => {
    world = await openMqttWorld()
  })
  afterAll(() => world.close())

  test('hear it with command and source, and no longer once none of them can cool', async () => {
    const gateway = await world.gateway()
    const { buildingId } = world.world.holder
    const { db } = world.store
    const cooling = JSON.stringify({
      season: 'cooling',
      changeover: { by: 'outdoor', cooling_above: 20, heating_below: 16 },
    })
    await db.updateTable('buildings').set({ cooling }).where('id', '=', buildingId).execute()
    gateway.say('source', COOLS)
    gateway.say('heartbeat', { boot: gateway.boot })
    await eventually(async () => {
      const row = await db.selectFrom('gateways').selectAll().where('id', '=', gateway.id).executeTakeFirstOrThrow()
      return row.sourceReport?.includes('cooling') && row.lastSeenAt !== null
    })
    const control = async (power: number) => {
      await world.world.patch({ manual_power: { enabled: true, power } })
      await heatingOf(world.world).control(buildingId)
      await world.mqtt.commander.update(buildingId)
    }
    await control(0.5)
    // Nothing is known of the humidity.
    const isShut = ({ valves }: { valves: { power: number }[] }) => valves.every(({ power }) => power === 0)
    const command = await gateway.hear('power', (said) => said.cools === true && isShut(said))
    expect(await gateway.hear('source', ({ cools }) => cools === true)).toMatchObject({ supply_c: 24 })
    gateway.say('source', { lock: null })
    await eventually(async () => {
      const row = await db.selectFrom('gateways').selectAll().where('id', '=', gateway.id).executeTakeFirstOrThrow()
      return !row.sourceReport?.includes('cooling')
    })
    await control(0.25)
    await gateway.hear('power', ({ seq, cools }) => seq > command.seq && cools === undefined)
    await gateway.leave()
  })
})
