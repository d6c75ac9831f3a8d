import { MINUTE_MS } from '@hypocaust/testing/clock.ts'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { BATHROOM_SENSOR, LIVING_ROOM_SENSOR, STRANGERS_SENSOR } from '@hypocaust/testing/houses.ts'
import { type MqttWorld, openMqttWorld } from '@hypocaust/testing/mqtt-world.ts'
import { reading, type TestGateway } from '@hypocaust/testing/test-gateway.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { contactsOf } from '../src/house/contacts/contacts.ts'
import { newSensorId } from '../src/house/sensors.ts'

let world: MqttWorld
let gateway: TestGateway
beforeAll(async () => {
  world = await openMqttWorld({ mostSensors: 100_000 })
  gateway = await world.gateway()
})
afterAll(() => world.close())
afterEach(async () => {
  await world.store.batch([
    world.store.db.deleteFrom('readings'),
    world.store.db.deleteFrom('sensors').where('address', 'like', 'ff:%'),
    world.store.db.updateTable('sensors').set({
      temperatureC: null,
      humidityPct: null,
      batteryPct: null,
      rssiDbm: null,
      measuredAt: null,
    }),
    world.store.db.updateTable('gateways').set({ lastSeenAt: null, clockOk: null, boot: null, state: null }),
  ])
  world.steered.length = 0
  gateway.forget()
})

const now = () => world.clock.now()
const iso = (ms: number) => new Date(ms).toISOString()
const temperatures = async (sensorId: string) => (await world.history(sensorId)).map(({ temperatureC }) => temperatureC)

describe('a message of readings', () => {
  test('shows in the room, is in the history and is committed', async () => {
    await gateway.deliver([reading(BATHROOM_SENSOR, 21.4, now(), { humidity: 47, batt: 81, rssi: -71 })])
    expect(await world.world.bathroom()).toMatchObject({
      current_temperature: 21.4,
      current_humidity: 47,
      sensor: {
        id: BATHROOM_SENSOR,
        temperature: 21.4,
        humidity: 47,
        batt: 81,
        rssi: -71,
        timestamp: iso(now()),
      },
    })
    expect(await world.history(BATHROOM_SENSOR)).toEqual([
      {
        buildingId: world.world.holder.buildingId,
        sensorId: newSensorId(world.world.holder.buildingId, BATHROOM_SENSOR),
        measuredAt: now(),
        temperatureC: 21.4,
        humidityPct: 47,
      },
    ])
    expect(world.steered).toEqual([world.world.holder.buildingId])
  })

  test('may hold window contacts: the newest state stands, and the building is steered', async () => {
    const contact = (state: string, atMs: number) => ({
      id: 'AA:BB:01',
      contact: state,
      batt: 90,
      timestamp: iso(atMs),
    })
    const state = async () => (await contactsOf(world.store, world.world.holder.buildingId)).map((each) => each.state)
    await gateway.deliver([contact('open', now()), reading(BATHROOM_SENSOR, 20.5, now())])
    expect(await contactsOf(world.store, world.world.holder.buildingId)).toEqual([
      { id: 'aa:bb:01', state: 'open', batt: 90, timestamp: iso(now()), room_id: null },
    ])
    expect(await temperatures(BATHROOM_SENSOR)).toEqual([20.5])
    expect(world.steered).toEqual([world.world.holder.buildingId])
    await gateway.deliver([contact('closed', now() - 5_000)])
    expect(await state(), 'an older report changes nothing').toEqual(['open'])
    await gateway.deliver([contact('closed', now() + 1)], { backfill: true })
    expect(await state(), 'backfill never steers').toEqual(['open'])
    await gateway.deliver([contact('ajar', now() + 2), contact('closed', now() + 2)])
    expect(await state(), 'a malformed one never stops the others').toEqual(['closed'])
  })

  test('with the same boot and n again is stored once, and committed again', async () => {
    await gateway.deliver([reading(BATHROOM_SENSOR, 20, now())], { n: 900 })
    gateway.forget()
    await gateway.deliver([reading(BATHROOM_SENSOR, 25, now() - 1)], { n: 900 })
    expect(await temperatures(BATHROOM_SENSOR)).toEqual([20])
    expect((await world.world.bathroom()).current_temperature).toBe(20)
  })

  test('with the same n of another boot, or of another gateway, is another message', async () => {
    const attic = await world.gateway(world.atticId)
    await gateway.deliver([reading(BATHROOM_SENSOR, 20, now() - 3)], { n: 901 })
    await gateway.deliver([reading(BATHROOM_SENSOR, 21, now() - 2)], { n: 901, boot: 'other' })
    await attic.deliver([reading(BATHROOM_SENSOR, 22, now() - 1)], { n: 901 })
    expect(await temperatures(BATHROOM_SENSOR)).toEqual([20, 21, 22])
    await attic.leave()
  })

  test('twice in one batch is stored once, and committed twice', async () => {
    for (let i = 0; i < 2; i++) gateway.sendReadings([reading(BATHROOM_SENSOR, 20 + i, now() - i)], { n: 902 })
    await eventually(() => gateway.heard('commit').length === 2)
    expect(await temperatures(BATHROOM_SENSOR)).toEqual([20])
  })

  test('is committed though all its readings were dropped, or it has none', async () => {
    await gateway.deliver([{ id: 'nonsense' }, null, 7])
    await gateway.deliver([])
    gateway.say('readings', { boot: gateway.boot, n: 903 })
    await gateway.commit(903)
    expect(await temperatures(BATHROOM_SENSOR)).toEqual([])
  })

  test('without a readable boot and n is dropped, and counted', async () => {
    const malformed = () =>
      world.metric('hypocaust_gateway_messages_total', { topic: 'readings', outcome: 'malformed' })
    const before = await malformed()
    const bad = [
      'no JSON',
      '',
      '[]',
      'null',
      { readings: [] },
      { boot: 'b' },
      { boot: 7, n: 1 },
      { boot: '', n: 1 },
      { boot: 'b', n: -1 },
      { boot: 'b', n: 1.5 },
      { boot: 'b', n: '1' },
    ]
    for (const message of bad) gateway.say('readings', message)
    await eventually(async () => (await malformed()) === before + bad.length)
    await gateway.deliver([])
    expect(gateway.heard('commit')).toHaveLength(1)
  })

  test('its bad readings are dropped and never stop the others', async () => {
    const dropped = () => world.metric('hypocaust_readings_dropped_total', { reason: 'malformed' })
    const before = await dropped()
    const bad = [
      'text',
      null,
      [],
      {},
      reading('not hex', 20, now()),
      reading('a4c1385e0102', 20, now()),
      reading(BATHROOM_SENSOR, -40.1, now()),
      reading(BATHROOM_SENSOR, 85.1, now()),
      { ...reading(BATHROOM_SENSOR, 20, now()), temperature: '20' },
      { ...reading(BATHROOM_SENSOR, 20, now()), temperature: null },
      { ...reading(BATHROOM_SENSOR, 20, now()), timestamp: 12 },
      reading(BATHROOM_SENSOR, 20, now(), { humidity: 101 }),
      reading(BATHROOM_SENSOR, 20, now(), { batt: 'full' }),
      { id: BATHROOM_SENSOR, temperature: 20 },
    ]
    await gateway.deliver([
      reading(BATHROOM_SENSOR, -40, now() - 2),
      ...bad,
      reading(BATHROOM_SENSOR.toUpperCase(), 85, now() - 1),
    ])
    expect(await temperatures(BATHROOM_SENSOR)).toEqual([-40, 85])
    expect((await dropped()) - before).toBe(bad.length)
  })

  test('messages with more sensors than one statement may name are taken in all the same', async () => {
    const sensorId = (i: number) => `ff:${i.toString(16).padStart(4, '0').replace(/..$/, ':$&')}`
    const sent = Array.from({ length: 17 }, (_, m) =>
      gateway.sendReadings(Array.from({ length: 2000 }, (_, i) => reading(sensorId(m * 2000 + i), 20, now()))),
    )
    for (const n of sent) await gateway.commit(n)
    const { count } = await world.store.db
      .selectFrom('readings')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    expect(count).toBe(34_000)
  })

  test('a gateway that sends nonsense is named in the log, once a minute at most', async () => {
    world.clock.advance(2 * MINUTE_MS)
    world.log.length = 0
    const named = () => world.log.filter((line) => line.includes('bad input') && line.includes(gateway.id)).length
    for (let i = 0; i < 5; i++) await gateway.deliver([{}])
    expect(named()).toBe(1)
    world.clock.advance(MINUTE_MS)
    await gateway.deliver([{}])
    expect(named()).toBe(2)
  })
})

describe('null and absent', () => {
  test.each([
    ['absent', {}],
    ['null', { humidity: null, batt: null, rssi: null }],
  ])('humidity, batt and rssi that are %s show as null', async (_, rest) => {
    await gateway.deliver([reading(BATHROOM_SENSOR, 20, now(), rest)])
    expect(await world.world.bathroom()).toMatchObject({
      current_temperature: 20,
      current_humidity: null,
      sensor: { humidity: null, batt: null, rssi: null },
    })
  })

  test('a reading without humidity does not keep that of the one before', async () => {
    await gateway.deliver([reading(BATHROOM_SENSOR, 20, now() - 1, { humidity: 40, batt: 80, rssi: -60 })])
    await gateway.deliver([reading(BATHROOM_SENSOR, 21, now())])
    expect(await world.world.bathroom()).toMatchObject({
      current_humidity: null,
      sensor: { humidity: null, batt: null, rssi: null },
    })
  })
})

describe('the time of a reading', () => {
  test('is its own stamp when that is past', async () => {
    await gateway.deliver([reading(BATHROOM_SENSOR, 20, '2026-01-10T09:00:00+01:00')])
    expect((await world.history(BATHROOM_SENSOR))[0]?.measuredAt).toBe(Date.parse('2026-01-10T08:00:00Z'))
  })

  test('is its arrival when the gateway says that its clock is wrong, until it says otherwise', async () => {
    await world.beat(gateway, { clock_ok: false })
    await gateway.deliver([reading(BATHROOM_SENSOR, 20, '1970-01-01T00:00:09.000Z')])
    await gateway.deliver([reading(LIVING_ROOM_SENSOR, 20, 'soon')])
    expect((await world.history(BATHROOM_SENSOR))[0]?.measuredAt).toBe(now())
    expect((await world.history(LIVING_ROOM_SENSOR))[0]?.measuredAt).toBe(now())
    await world.beat(gateway, { clock_ok: true })
    await gateway.deliver([reading(BATHROOM_SENSOR, 21, now() - 5000)])
    expect((await world.history(BATHROOM_SENSOR))[0]?.measuredAt).toBe(now() - 5000)
  })

  test('is judged by its own gateway’s clock, not another’s', async () => {
    const attic = await world.gateway(world.atticId)
    await world.beat(attic, { clock_ok: false })
    await gateway.deliver([reading(BATHROOM_SENSOR, 20, now() - 5000)])
    expect((await world.history(BATHROOM_SENSOR))[0]?.measuredAt).toBe(now() - 5000)
    await attic.leave()
  })

  test('is its arrival up to five minutes ahead, and beyond that it is not believed', async () => {
    const implausible = () => world.metric('hypocaust_readings_dropped_total', { reason: 'implausible_time' })
    const before = await implausible()
    await gateway.deliver([
      reading(BATHROOM_SENSOR, 20, now() + 5 * MINUTE_MS),
      reading(LIVING_ROOM_SENSOR, 20, now() + 5 * MINUTE_MS + 1),
    ])
    expect((await world.history(BATHROOM_SENSOR))[0]?.measuredAt).toBe(now())
    expect(await temperatures(LIVING_ROOM_SENSOR)).toEqual([])
    expect((await implausible()) - before).toBe(1)
  })

  test('is its arrival when our own clock was set back, and nothing is dropped', async () => {
    const before = now()
    world.clock.step(-24 * 60 * MINUTE_MS)
    await gateway.deliver([reading(BATHROOM_SENSOR, 20, before)])
    expect(await world.history(BATHROOM_SENSOR)).toMatchObject([{ temperatureC: 20, measuredAt: now() }])
    world.clock.step(24 * 60 * MINUTE_MS)
  })

  test('that cannot be read drops the reading', async () => {
    const unreadable = [
      'yesterday',
      '2026-01-10',
      '2026-01-10T08:00:00',
      '1969-12-31T23:59:59.999Z',
      '2026-13-40T00:00:00Z',
    ]
    await gateway.deliver(unreadable.map((timestamp) => reading(BATHROOM_SENSOR, 20, timestamp)))
    expect(await temperatures(BATHROOM_SENSOR)).toEqual([])
  })
})

describe('the newest reading', () => {
  test('is the one measured last, in whatever order they arrive', async () => {
    await gateway.deliver([reading(BATHROOM_SENSOR, 22, now()), reading(BATHROOM_SENSOR, 20, now() - 60_000)])
    await gateway.deliver([reading(BATHROOM_SENSOR, 21, now() - 30_000)])
    expect((await world.world.bathroom()).current_temperature).toBe(22)
    expect(await temperatures(BATHROOM_SENSOR)).toEqual([20, 21, 22])
  })

  test('backfill fills the history, and never shows or steers', async () => {
    await gateway.deliver([reading(BATHROOM_SENSOR, 20, now() - 60_000)], { backfill: true })
    expect(await temperatures(BATHROOM_SENSOR)).toEqual([20])
    expect(await world.world.bathroom()).toMatchObject({ current_temperature: null, sensor: null })
    expect(world.steered).toEqual([])
  })
})

describe('sensors', () => {
  test('one never heard before becomes known, and can be given to a room', async () => {
    expect((await world.world.patch({ sensor_id: 'ff:00:00:00:00:01' })).status).toBe(400)
    await gateway.deliver([reading('FF:00:00:00:00:01', 19.5, now())])
    const answer = await world.world.patch({ sensor_id: 'ff:00:00:00:00:01' })
    expect(answer.status).toBe(200)
    expect(answer.json.current_temperature).toBe(19.5)
    await world.world.reset()
  })

  test('one heard first in a backlog becomes known too', async () => {
    await gateway.deliver([reading('ff:00:00:00:00:02', 19.5, now() - 60_000)], { backfill: true })
    expect((await world.world.patch({ sensor_id: 'ff:00:00:00:00:02' })).status).toBe(200)
    await world.world.reset()
  })

  test('one that a neighbour hears too belongs to both, each with its own readings', async () => {
    await gateway.deliver([reading(STRANGERS_SENSOR, 20, now())])
    expect((await world.world.patch({ sensor_id: STRANGERS_SENSOR })).json.current_temperature).toBe(20)
    const known = await world.store.db
      .selectFrom('sensors')
      .select(['buildingId', 'measuredAt'])
      .where('address', '=', STRANGERS_SENSOR)
      .orderBy('measuredAt')
      .execute()
    const [own, strange] = [world.world.holder.buildingId, world.world.stranger.buildingId]
    expect(known).toContainEqual({ buildingId: own, measuredAt: now() })
    expect(known).toContainEqual({ buildingId: strange, measuredAt: null })
    await world.world.reset()
    await world.store.db
      .deleteFrom('sensors')
      .where('address', '=', STRANGERS_SENSOR)
      .where('buildingId', '=', own)
      .execute()
  })

  test('beyond five hundred of a building no further one becomes known, and the others go on', async () => {
    const crowded = await openMqttWorld()
    const flooding = await crowded.gateway()
    const at = crowded.clock.now()
    const hex = (n: number) => n.toString(16).padStart(2, '0')
    await flooding.deliver(
      Array.from({ length: 600 }, (_, i) => reading(`ff:00:${hex(i >> 8)}:${hex(i & 255)}`, 20, at)),
    )
    const { buildingId } = crowded.world.holder
    const known = crowded.store.db.selectFrom('sensors').select('id').where('buildingId', '=', buildingId)
    expect(await known.execute()).toHaveLength(500)
    expect(await crowded.metric('hypocaust_readings_dropped_total', { reason: 'too_many_sensors' })).toBe(102)
    await flooding.deliver([reading('ff:99', 20, at), reading(BATHROOM_SENSOR, 21.5, at)])
    expect(await known.execute()).toHaveLength(500)
    expect((await crowded.world.bathroom()).current_temperature).toBe(21.5)
    await crowded.close()
  })

  test('one heard by two gateways of a building shows its newest reading, and both are history', async () => {
    const attic = await world.gateway(world.atticId)
    await Promise.all([
      gateway.deliver([reading(BATHROOM_SENSOR, 20, now() - 1000, { rssi: -50 })]),
      attic.deliver([reading(BATHROOM_SENSOR, 20.1, now(), { rssi: -90 })]),
    ])
    await attic.deliver([reading(BATHROOM_SENSOR, 20, now() - 1000, { rssi: -91 })])
    expect((await world.world.bathroom()).sensor).toMatchObject({ temperature: 20.1, rssi: -90 })
    expect(await temperatures(BATHROOM_SENSOR)).toEqual([20, 20.1])
    await attic.leave()
  })
})
