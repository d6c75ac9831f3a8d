import { HOUR_MS, MINUTE_MS } from '@hypocaust/domain'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { BATHROOM_SENSOR, LIVING_ROOM_SENSOR } from '@hypocaust/testing/houses.ts'
import { settleMember } from '@hypocaust/testing/members.ts'
import { appOn, openWorld, type World } from '@hypocaust/testing/world.ts'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changeBuilding } from '../src/house/buildings/manage.ts'
import { addRoom, removeRoom } from '../src/house/rooms/manage.ts'
import { changeMember } from '../src/people/members/members.ts'
import type { Store } from '../src/store/store.ts'

describe.each(ENGINES)('the state of a building on %s', (engine) => {
  let world: World
  let second: { store: Store; app: FastifyInstance }
  beforeAll(async () => {
    world = await openWorld(engine)
    await world.gatewaysReport()
    await world.report(BATHROOM_SENSOR, { temperatureC: 21, batteryPct: 90 })
    const store = await world.test.openAgain()
    second = { store, app: await appOn(store, world.clock) }
  })
  afterAll(async () => {
    await second.app.close()
    await second.store.close()
    await world.close()
  })

  const statePath = () => `${world.buildingPath}/state`
  const state = (key = world.holder.readKey) => world.get(statePath(), { key })

  /** By another process, as an owner. */
  async function elsewhere(method: 'PATCH' | 'PUT' | 'DELETE', path: string, body?: object): Promise<void> {
    const { statusCode, body: text } = await second.app.inject({
      method,
      url: path,
      headers: { 'x-api-key': world.holder.writeKey, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { payload: JSON.stringify(body) }),
    })
    expect([statusCode, text]).toEqual([200, text])
  }

  test('has each part in the form of its own path, and its tag as revision', async () => {
    await elsewhere('PUT', `${world.bathroomPath}/override`, { target_temperature: 23, hours: 2 })
    await elsewhere('PUT', `${world.buildingPath}/away`, { until: null, target_temperature: 15 })
    const { json, headers } = await state()
    const parts = async (path: string) => (await world.get(path)).json
    const byRoom = async (name: string) =>
      Object.fromEntries(
        await Promise.all(
          world.holder.roomIds.map(async (id) => [id, await parts(`${world.roomsPath}/${id}/${name}`)] as const),
        ),
      )
    expect(json).toEqual({
      building: await parts(world.buildingPath),
      rooms: await parts(world.roomsPath),
      alerts: await parts(`${world.buildingPath}/alerts`),
      away: await parts(`${world.buildingPath}/away`),
      power_limit: await parts(`${world.buildingPath}/power-limit`),
      overrides: await byRoom('override'),
      outlooks: await byRoom('outlook'),
      air: await byRoom('air'),
      proposals: Object.fromEntries(world.holder.roomIds.map((id) => [id, null])),
      timezone: 'Europe/Oslo',
      revision: String(headers.etag).slice(1, -1),
    })
    expect(json.overrides[world.bathroomId]).toMatchObject({ target_temperature: 23 })
    expect(json.away).toMatchObject({ target_temperature: 15, until: null })
    await elsewhere('DELETE', `${world.bathroomPath}/override`)
    await elsewhere('DELETE', `${world.buildingPath}/away`)
  })

  test('is a 304 for who has it, at once or after the wait, which costs nothing', async () => {
    const { headers } = await state()
    const known = { headers: { 'if-none-match': String(headers.etag) } }
    for (const query of ['', '?wait=0', '?wait=1'])
      expect(await world.get(`${statePath()}${query}`, known)).toMatchObject({ status: 304, text: '' })
  })

  test('is answered at once to who has another one, whatever the wait', async () => {
    for (const headers of [{}, { 'if-none-match': '"another"' }])
      expect((await world.get(`${statePath()}?wait=55`, { headers })).status).toBe(200)
  })

  test.each(['56', '-1', 'x', '1.5'])('does not wait for %s seconds', async (wait) => {
    expect(await world.get(`${statePath()}?wait=${wait}`)).toMatchObject({
      status: 400,
      json: { error: { code: 'invalid_value' } },
    })
  })

  test('of a building that the key does not reach is not found', async () => {
    expect((await state(world.stranger.readKey)).status).toBe(404)
  })

  test('is another one when a reading goes stale, an override ends and the building falls silent by themselves', async () => {
    await world.gatewaysReport()
    await elsewhere('PUT', `${world.bathroomPath}/override`, { target_temperature: 24, hours: 0.05 })
    const tags = [(await state()).headers.etag]
    for (const ms of [4 * MINUTE_MS, 2 * MINUTE_MS, HOUR_MS]) {
      world.clock.advance(ms)
      tags.push((await state()).headers.etag)
    }
    expect(new Set(tags).size).toBe(tags.length)
    const { json } = await state()
    expect([json.overrides[world.bathroomId], json.building.available]).toEqual([null, false])
    await world.gatewaysReport()
    await world.report(BATHROOM_SENSOR, { temperatureC: 21, batteryPct: 90 })
  })

  test('shows a guest the guest’s rooms only, and other ones as soon as they are', async () => {
    const { store, clock, holder } = world
    const [first = '', second = ''] = holder.roomIds
    const email = 'guest@example.org'
    const guest = await settleMember(store, clock, {
      ...{ buildingId: holder.buildingId, email, role: 'guest' },
      roomIds: [first],
    })
    const { json, headers } = await state(guest.writeKey)
    for (const part of [
      json.rooms.map(({ id }: { id: string }) => id),
      Object.keys(json.overrides),
      Object.keys(json.outlooks),
    ])
      expect(part).toEqual([first])
    const waiting = world.get(`${statePath()}?wait=55`, {
      key: guest.writeKey,
      headers: { 'if-none-match': String(headers.etag) },
    })
    const { cursor } = (await world.get('/v1/changes', { key: guest.writeKey })).json
    const changes = world.get(`/v1/changes?since=${cursor}&wait=55`, { key: guest.writeKey })
    await changeMember(
      store,
      clock,
      { buildingId: holder.buildingId, accountId: guest.accountId },
      { role: 'guest', room_ids: [second], until: new Date(clock.now() + HOUR_MS).toISOString() },
    )
    expect((await waiting).json.rooms.map(({ id }: { id: string }) => id)).toEqual([second])
    expect((await changes).json.buildings).toEqual([{ id: holder.buildingId, rooms: [second] }])
  })

  describe('no change is missed', () => {
    const at = (hours: number) => new Date(world.clock.now() + hours * HOUR_MS).toISOString()
    let attic = ''
    const override = () => `${world.bathroomPath}/override`
    const away = () => `${world.buildingPath}/away`
    const limit = () => `${world.buildingPath}/power-limit`
    const CHANGES: Record<string, () => Promise<void>> = {
      target: () => elsewhere('PATCH', world.bathroomPath, { target_temperature: 19.5 }),
      preset: () => elsewhere('PATCH', world.bathroomPath, { preset_mode: 'high' }),
      'name of a room': () => elsewhere('PATCH', world.bathroomPath, { name: 'Sauna' }),
      'name of the building': () =>
        changeBuilding(second.store, world.clock, world.holder.buildingId, { name: 'Lakeside 13' }),
      'manual power': () => elsewhere('PATCH', world.bathroomPath, { manual_power: { enabled: true, power: 0.4 } }),
      'heat again': () => elsewhere('PATCH', world.bathroomPath, { hvac_mode: 'heat' }),
      'override begins': () => elsewhere('PUT', override(), { target_temperature: 22, until: at(3) }),
      'override lasts longer': () => elsewhere('PUT', override(), { target_temperature: 22, until: at(5) }),
      'override ends': () => elsewhere('DELETE', override()),
      'absence in the future': () => elsewhere('PUT', away(), { from: at(48), until: at(96), target_temperature: 15 }),
      'absence in the future changes': () =>
        elsewhere('PUT', away(), { from: at(48), until: at(120), target_temperature: 15 }),
      'absence is cancelled': () => elsewhere('DELETE', away()),
      'power limit': () => elsewhere('PUT', limit(), { limit_w: 50, basis: 'agreed', from: at(1), until: at(3) }),
      'power limit lasts longer': () =>
        elsewhere('PUT', limit(), { limit_w: 50, basis: 'agreed', from: at(1), until: at(4) }),
      'power limit ends': () => elsewhere('DELETE', limit()),
      'off until another day': () => elsewhere('PUT', override(), { hvac_mode: 'off', until: at(30) }),
      'on again': () => elsewhere('DELETE', override()),
      reading: () => world.report(BATHROOM_SENSOR, { temperatureC: 20.4, batteryPct: 90 }),
      'alert begins': () => world.report(BATHROOM_SENSOR, { temperatureC: 20.4, batteryPct: 3 }),
      'a room is added': async () => {
        const room = { name: 'Attic', floor_type: 'screed', sensor_id: LIVING_ROOM_SENSOR, valves: [] } as const
        attic = await addRoom(second.store, world.clock, world.holder.buildingId, { ...room, valves: [] })
      },
      'a room is removed': () =>
        removeRoom(second.store, world.clock, { buildingId: world.holder.buildingId, roomId: attic }),
      sensor: () => elsewhere('PATCH', world.bathroomPath, { sensor_id: LIVING_ROOM_SENSOR }),
      'sensor of before': () => elsewhere('PATCH', world.bathroomPath, { sensor_id: BATHROOM_SENSOR }),
      'alert ends': () => world.report(BATHROOM_SENSOR, { temperatureC: 20.4, batteryPct: 90 }),
    }

    test.each(Object.keys(CHANGES))('%s', async (name) => {
      const make = CHANGES[name] ?? (async () => {})
      const before = await state()
      const { cursor } = (await world.get('/v1/changes')).json
      const ask = async (app: FastifyInstance, path: string, headers: Record<string, string> = {}) => {
        const answer = await app.inject({ url: path, headers: { 'x-api-key': world.holder.readKey, ...headers } })
        return { status: answer.statusCode, json: answer.statusCode === 200 ? answer.json() : undefined }
      }
      const known = { 'if-none-match': String(before.headers.etag) }
      const both = (app: FastifyInstance, waitS: number) =>
        Promise.all([
          ask(app, `${statePath()}?wait=${waitS}`, known),
          ask(app, `/v1/changes?since=${cursor}&wait=${waitS}`),
        ])
      const waiting = both(world.app, 55)
      await make()
      // One process waited, another was started after the change.
      const restarted = await appOn(second.store, world.clock)
      for (const [shown, changes] of [await waiting, await both(restarted, 0)]) {
        expect(shown.status).toBe(200)
        expect(shown.json.revision).not.toBe(before.json.revision)
        expect(changes.json.buildings.map(({ id }: { id: string }) => id)).toEqual([world.holder.buildingId])
      }
      await restarted.close()
    })
  })
})
