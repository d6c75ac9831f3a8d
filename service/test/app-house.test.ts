import { Browser, openSite, signedIn } from '@hypocaust/testing/browser.ts'
import { MINUTE_MS } from '@hypocaust/testing/clock.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { BATHROOM_SENSOR, STRANGERS_SENSOR } from '@hypocaust/testing/houses.ts'
import type { World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { reportOf } from '../src/house/contacts/contacts.ts'
import { newSensorId } from '../src/house/sensors.ts'

describe.each(ENGINES)('the website’s interface on %s', (engine) => {
  let world: World
  let ada: Browser
  let bob: Browser
  beforeAll(async () => {
    world = await openSite(engine)
    ada = await signedIn(world)
    bob = await signedIn(world, 'bob@example.org')
  })
  afterAll(() => world.close())

  const roomPath = () => `/app/rooms/${world.bathroomId}`
  const buildingPath = () => `/app/buildings/${world.holder.buildingId}`

  test('a window contact is given to a room, and to none', async () => {
    const reading = { id: 'aa:01', contact: 'closed', timestamp: '' } as const
    await world.store.batch([reportOf(world.store, world.holder.buildingId, reading, world.clock.now())])
    const contacts = async () => (await ada.call('GET', `${buildingPath()}/contacts`)).json
    expect(await contacts()).toMatchObject([{ id: 'aa:01', state: 'closed', room_id: null }])
    const assign = (id: string, roomId: string | null) =>
      ada.call('PATCH', `${buildingPath()}/contacts/${id}`, { room_id: roomId })
    expect((await assign('aa:01', world.bathroomId)).status).toBe(204)
    expect(await contacts()).toMatchObject([{ room_id: world.bathroomId }])
    expect((await assign('aa:02', world.bathroomId)).status).toBe(404)
    expect((await assign('aa:01', world.stranger.roomIds[0] ?? 'none')).status).toBe(404)
    expect((await assign('aa:01', null)).status).toBe(204)
    expect(await contacts()).toMatchObject([{ room_id: null }])
  })

  describe('the holder’s buildings', () => {
    test('come with their rooms and what belongs to the heating control', async () => {
      const [building, ...others] = (await ada.call('GET', '/app/buildings')).json
      expect(others).toEqual([])
      expect(building).toMatchObject({
        name: 'Lakeside 12',
        timezone: 'Europe/Oslo',
        available: null,
        gateways: 2,
        away: null,
      })
      expect(building.rooms[0]).toMatchObject({
        name: 'Bathroom',
        floor_type: 'screed',
        comfort_band: 0.5,
        night_mode: null,
        max_floor_temperature: 29,
        valves: [{ gateway_id: world.holder.gatewayIds[0], channel: 1 }],
      })
    })

    test('nothing of them exists for another account', async () => {
      const key = (await ada.call('POST', '/app/keys', { name: 'mine', permission: 'read', expires_at: null })).json
      expect((await bob.call('GET', '/app/buildings')).json.map(({ name }: { name: string }) => name)).toEqual([
        'Hillside 3',
      ])
      const tries: [Parameters<Browser['call']>[0], string, unknown?][] = [
        ['PATCH', buildingPath(), { name: 'Mine' }],
        ['DELETE', buildingPath()],
        ['GET', `${buildingPath()}/outlooks`],
        ['GET', `${buildingPath()}/sensors`],
        ['GET', `${buildingPath()}/contacts`],
        ['PATCH', `${buildingPath()}/contacts/aa:01`, { room_id: null }],
        ['GET', `${buildingPath()}/gateways`],
        ['POST', `${buildingPath()}/gateways`, { name: 'mine' }],
        [
          'POST',
          `${buildingPath()}/rooms`,
          { name: 'Mine', floor_type: 'dry', sensor_id: BATHROOM_SENSOR, valves: [] },
        ],
        ['PATCH', roomPath(), { target_temperature: 30 }],
        ['DELETE', roomPath()],
        ['GET', `${roomPath()}/history?from=0&to=1000`],
        ['GET', `${roomPath()}/history.csv?from=0&to=1000`],
        ['GET', `${roomPath()}/explanation`],
        ['POST', `/app/gateways/${world.holder.gatewayIds[0]}/pairing`],
        ['DELETE', `/app/gateways/${world.holder.gatewayIds[0]}`],
        ['DELETE', `/app/keys/${key.id}`],
      ]
      for (const [method, path, body] of tries) {
        const answer = await bob.call(method, path, body)
        expect([method, path, answer.status]).toEqual([method, path, 404])
      }
      expect((await world.bathroom()).target_temperature).toBe(20)
    })

    test('a building is added, changed and removed', async () => {
      const plan = { name: ' Cabin ', location: { lat: 61.1, lng: 10.4 }, timezone: 'Europe/Oslo' }
      const added = (await ada.call('POST', '/app/buildings', plan)).json
      expect(added).toMatchObject({
        name: 'Cabin',
        available: null,
        rooms: [],
        gateways: 0,
        frost_protection: true,
        comfort: 'balanced',
        saving: false,
        tariff: null,
        heat_source: null,
      })
      const path = `/app/buildings/${added.id}`
      const until = new Date(world.clock.now() + 86_400_000).toISOString()
      const changes = { frost_protection: false, saving: true, away: { until, temperature: 12 } }
      expect((await ada.call('PATCH', path, changes)).json).toMatchObject(changes)
      expect((await ada.call('PATCH', path, { timezone: 'Mars/Base' })).json.error.code).toBe('invalid_value')
      expect((await ada.call('DELETE', path)).status).toBe(204)
      expect((await ada.call('GET', '/app/buildings')).json).toHaveLength(1)
    })

    test('comfort, tariff and heat source of a building are changed, and what contradicts itself is refused', async () => {
      const path = `/app/buildings/${(await ada.call('GET', '/app/buildings')).json[0].id}`
      const changes = {
        comfort: 'comfort_first',
        tariff: {
          kind: 'times',
          steps: [
            { at: '22:00', price: 0.22 },
            { at: '06:00', price: 0.31 },
          ],
        },
        heat_source: { kind: 'heat_pump', cop: 4.1 },
      }
      expect((await ada.call('PATCH', path, changes)).json).toMatchObject({ ...changes, saving: false })
      expect((await ada.call('PATCH', path, { saving: true })).json).toMatchObject({ comfort: 'saving', saving: true })
      const nothing = { saving: false, tariff: null, heat_source: null }
      expect((await ada.call('PATCH', path, nothing)).json).toMatchObject({ ...nothing, comfort: 'balanced' })
      const refused = async (patch: object) => (await ada.call('PATCH', path, patch)).json.error.message
      expect(await refused({ tariff: { kind: 'fixed' } })).toContain('tariff.price is missing')
      expect(await refused({ tariff: { kind: 'fixed', price: 0.3, area: 'NO1' } })).toContain(
        'tariff.area does not belong',
      )
      expect(await refused({ heat_source: { kind: 'boiler', cop: 4 } })).toContain(
        'heat_source.cop belongs to a heat_pump',
      )
      expect(await refused({ heat_source: { kind: 'heat_pump', efficiency: 0.9 } })).toContain('give cop')
      expect(await refused({ comfort: 'balanced', saving: true })).toContain('contradicts comfort')
      expect(await refused({ tariff: { kind: 'market', area: '../secret' } })).toContain('area')
    })

    test('a house file makes a building, and a bad one is refused with its line', async () => {
      const text = 'name: Barn\nlocation: { lat: 1, lng: 2 }\ntimezone: Europe/Oslo\nrooms: []\n'
      expect((await ada.call('POST', '/app/house-file', { text })).json).toMatchObject({ building: { name: 'Barn' } })
      const thriftyText = `${text.replace('Barn', 'Thrifty barn')}saving: true\ntariff: { kind: market, area: NO1 }\nheat_source: { kind: district }\n`
      const thrifty = (await ada.call('POST', '/app/house-file', { text: thriftyText })).json.building
      const listed = (await ada.call('GET', '/app/buildings')).json as { id: string }[]
      expect(listed.find(({ id }) => id === thrifty.id)).toMatchObject({
        comfort: 'saving',
        saving: true,
        tariff: { kind: 'market', area: 'NO1' },
        heat_source: { kind: 'district' },
      })
      const half = await ada.call('POST', '/app/house-file', { text: `${text}tariff: { kind: times }\n` })
      expect(half.json.error.message).toMatch(/^5: tariff.*steps is missing/)
      const bad = await ada.call('POST', '/app/house-file', { text: text.replace('Europe/Oslo', 'Mars/Base') })
      expect(bad.json.error.message).toMatch(/^3: timezone/)
    })
  })

  test('a house file with calendars, which may be of strangers, is taken only so often', async () => {
    const text = 'name: Pier\nlocation: { lat: 1, lng: 2 }\ntimezone: Europe/Oslo\nrooms: []\n'
    const upload = async (calendars: string) =>
      (await ada.call('POST', '/app/house-file', { text: text + calendars })).status
    const family = (i: number) => `calendars: [{ name: F, address: "https://c.example.org/${i}", rules: [] }]\n`
    for (let i = 0; i < 20; i++) expect(await upload(family(i))).toBe(200)
    expect(await upload(family(20))).toBe(429)
    expect(await upload('')).toBe(200)
  })

  describe('a room', () => {
    test('takes the fields of /v1 and of the control in one change, or none of them', async () => {
      const night = { from: '22:30', to: '05:30', setback: 2 }
      const changed = await ada.call('PATCH', roomPath(), {
        target_temperature: 22.5,
        floor_type: 'dry',
        comfort_band: 0.8,
        night_mode: night,
        max_floor_temperature: 33,
        area_m2: 7,
      })
      expect(changed.json).toMatchObject({
        target_temperature: 22.5,
        floor_type: 'dry',
        comfort_band: 0.8,
        night_mode: night,
      })
      const refused = await ada.call('PATCH', roomPath(), { target_temperature: 25, sensor_id: STRANGERS_SENSOR })
      expect(refused.json.error.code).toBe('unknown_sensor')
      expect((await ada.call('PATCH', roomPath(), { power: 1 })).json.error.code).toBe('unknown_field')
      expect((await world.bathroom()).target_temperature).toBe(22.5)
      expect((await ada.call('PATCH', roomPath(), { night_mode: null })).json.night_mode).toBeNull()
    })

    test('takes a valve from the room that had it, but none of another building', async () => {
      const [cellar] = world.holder.gatewayIds
      const channel2 = [{ gateway_id: cellar, channel: 2 }]
      expect((await ada.call('PATCH', roomPath(), { valves: channel2 })).json.valves).toEqual(channel2)
      const [building] = (await ada.call('GET', '/app/buildings')).json.filter(
        (b: { id: string }) => b.id === world.holder.buildingId,
      )
      expect(building.rooms[1].valves).toEqual([])
      const foreign = [{ gateway_id: '019bb0f4-6e00-7c3a-9d5e-2f1a6b7c8d9e', channel: 1 }]
      expect((await ada.call('PATCH', roomPath(), { valves: foreign })).json.error.code).toBe('invalid_value')
    })

    test('is added and removed, also when its name is taken', async () => {
      const plan = { name: 'Bathroom', floor_type: 'electric', sensor_id: BATHROOM_SENSOR.toUpperCase(), valves: [] }
      const added = (await ada.call('POST', `${buildingPath()}/rooms`, plan)).json
      expect(added).toMatchObject({ name: 'Bathroom', sensor_id: BATHROOM_SENSOR, target_temperature: 20 })
      expect((await ada.call('DELETE', `/app/rooms/${added.id}`)).status).toBe(204)
      expect((await ada.call('DELETE', `/app/rooms/${added.id}`)).status).toBe(404)
    })
  })

  test('the weather source is shown to the owner, and to nobody else', async () => {
    expect((await ada.call('GET', '/app/weather-source')).json).toEqual({ source: 'none' })
    expect((await new Browser(world).call('GET', '/app/weather-source')).status).toBe(401)
  })

  describe('gateways, sensors and alerts', () => {
    test('the list of gateways says that another agent runs, and why a channel stays off', async () => {
      const [id = ''] = world.holder.gatewayIds
      const relay = { channel: 1, state: 'ok', auto_off: 'unproven' }
      const report = {
        other_agent: 'old-box',
        channels: [
          { ...relay, held: 'no_floor_probe' },
          { ...relay, channel: 2 },
        ],
      }
      const reported = (relayReport: string | null) =>
        world.store.db.updateTable('gateways').set({ relayReport }).where('id', '=', id).execute()
      await reported(JSON.stringify(report))
      const entries = (await ada.call('GET', `${buildingPath()}/gateways`)).json
      expect(entries.find((each: { id: string }) => each.id === id)).toMatchObject({
        other_agent: 'old-box',
        relays: [
          { channel: 1, held: 'no_floor_probe' },
          { channel: 2, held: null },
        ],
      })
      await reported(null)
    })

    test('a new gateway gets a code with which it can be paired once, and can be removed', async () => {
      const pairing = (await ada.call('POST', `${buildingPath()}/gateways`, { name: 'loft' })).json
      expect(pairing.command).toContain(pairing.code)
      expect(pairing.qr).toMatch(/^<svg/)
      const paired = await world.call('POST', '/app/gateways/pair', { body: { code: pairing.code } })
      expect(paired.json.gateway_id).toBe(pairing.gateway_id)
      const again = await ada.call('POST', `${buildingPath()}/gateways`, { name: 'loft' })
      expect(again.json.error.code).toBe('taken')
      const renewed = (await ada.call('POST', `/app/gateways/${pairing.gateway_id}/pairing`)).json
      expect(renewed.code).not.toBe(pairing.code)
      const listed = (await ada.call('GET', `${buildingPath()}/gateways`)).json
      expect(listed.find(({ name }: { name: string }) => name === 'loft')).toMatchObject({
        is_paired: true,
        last_seen: null,
      })
      expect((await ada.call('DELETE', `/app/gateways/${pairing.gateway_id}`)).status).toBe(204)
      expect((await ada.call('GET', `${buildingPath()}/gateways`)).json).toHaveLength(2)
    })

    test('a sensor that was breathed on shows how far the humidity rose', async () => {
      const insert = (minutesAgo: number, humidityPct: number) =>
        world.store.db
          .insertInto('readings')
          .values({
            buildingId: world.holder.buildingId,
            sensorId: newSensorId(world.holder.buildingId, BATHROOM_SENSOR),
            measuredAt: world.clock.now() - minutesAgo * MINUTE_MS,
            temperatureC: 21,
            humidityPct,
          })
          .execute()
      await insert(30, 20)
      await insert(5, 41)
      await insert(0, 68)
      await world.report(BATHROOM_SENSOR, { temperatureC: 21.2, humidityPct: 68, rssiDbm: -60 })
      const [first] = (await ada.call('GET', `${buildingPath()}/sensors`)).json
      expect(first).toMatchObject({ id: BATHROOM_SENSOR, humidity_rise: 27, reading: { humidity: 68 } })
      expect(first.rooms).toContain('Bathroom')
    })

    test('an unavailable building is one alert; its sensors count only while it is available', async () => {
      await world.reset()
      const kinds = async () =>
        (await ada.call('GET', '/app/alerts')).json.map(({ kind }: { kind: string }) => kind).sort()
      expect(await kinds()).toEqual([])
      await world.heartbeat(world.holder.gatewayIds[0])
      await world.report(BATHROOM_SENSOR, { temperatureC: 21, batteryPct: 9 })
      expect(await kinds()).toEqual(['battery_low', 'sensor_never_heard'])
      world.clock.advance(61 * MINUTE_MS)
      expect(await kinds()).toEqual(['battery_low', 'building_silent'])
      await world.heartbeat(world.holder.gatewayIds[0])
      expect(await kinds()).toEqual(['battery_low', 'sensor_never_heard', 'sensor_silent'])
    })
  })

  describe('keys', () => {
    test('are shown once, work on /v1, and stop at once when revoked', async () => {
      const created = await ada.call('POST', '/app/keys', {
        name: 'Home Assistant',
        permission: 'write',
        expires_at: null,
      })
      const { id, value, hint } = created.json
      expect(hint).toBe(`hyp_…${value.slice(-4)}`)
      expect((await world.call('GET', '/v1/buildings', { key: value })).status).toBe(200)
      const listed = (await ada.call('GET', '/app/keys')).json
      expect(listed[0]).toMatchObject({ id, name: 'Home Assistant', permission: 'write', revoked: null })
      expect(JSON.stringify(listed)).not.toContain(value)
      expect((await ada.call('DELETE', `/app/keys/${id}`)).json.revoked).not.toBeNull()
      expect((await world.call('GET', '/v1/buildings', { key: value })).status).toBe(401)
    })

    test('cannot expire in the past', async () => {
      const expired = { name: 'old', permission: 'read', expires_at: '2020-01-01T00:00:00.000Z' }
      expect((await ada.call('POST', '/app/keys', expired)).json.error.code).toBe('invalid_value')
    })
  })
})
