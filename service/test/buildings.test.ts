import { Building, matches } from '@hypocaust/domain'
import { MINUTE_MS } from '@hypocaust/testing/clock.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

describe.each(ENGINES)('buildings on %s', (engine) => {
  let world: World
  beforeAll(async () => {
    world = await openWorld(engine)
  })
  afterAll(() => world.close())
  beforeEach(() => world.reset())

  const building = async () => (await world.get(world.buildingPath)).json

  test('the list holds the buildings of the key’s holder and nobody else’s', async () => {
    const { status, json } = await world.get('/v1/buildings')
    expect(status).toBe(200)
    expect(json.map(({ id }: Building) => id)).toEqual([world.holder.buildingId])
  })

  test('a building has every field of the specification and no other', async () => {
    await world.heartbeat(world.holder.gatewayIds[0])
    await world.store.db
      .insertInto('weather')
      .values({
        buildingId: world.holder.buildingId,
        updatedAt: world.clock.now(),
        temperatureC: -3.4,
        cloudPct: 75,
        windDeg: 225,
        windMs: 3.2,
      })
      .execute()
    const seen = await building()
    await world.store.db.deleteFrom('weather').execute()
    expect(seen).toEqual({
      id: world.holder.buildingId,
      name: 'Lakeside 12',
      location: { lat: 59.91, lng: 10.75 },
      available: true,
      last_seen: '2026-01-10T08:15:03.000Z',
      weather: {
        updated: '2026-01-10T08:15:03.000Z',
        temperature: -3.4,
        cloud_coverage: 75,
        wind: { direction: 225, speed: 3.2 },
      },
    })
  })

  test('a building matches its own schema, and is the same alone as in the list', async () => {
    const [listed] = (await world.get('/v1/buildings')).json
    expect(matches(Building, listed)).toBe(true)
    expect(await building()).toEqual(listed)
  })

  test.each([
    ['is unknown', '019bb0f4-6e00-7c3a-9d5e-2f1a6b7c8d9e'],
    ['is no UUID', 'lakeside'],
    ['is in upper case', '019BB0F4-6E00-7C3A-9D5E-2F1A6B7C8D9E'],
  ])('a building whose id %s does not exist', async (_why, id) => {
    for (const path of [`/v1/buildings/${id}`, `/v1/buildings/${id}/rooms`, `/v1/buildings/${id}/rooms/x`]) {
      const { status, json } = await world.get(path)
      expect([status, json]).toEqual([404, { error: { code: 'not_found', message: `No such building: ${id}` } }])
    }
  })

  test('a building of another account does not exist, for reading and for writing', async () => {
    const { buildingId, roomIds } = world.stranger
    const path = `/v1/buildings/${buildingId}/rooms/${roomIds[0]}`
    const answers = [
      await world.get(`/v1/buildings/${buildingId}`),
      await world.get(`/v1/buildings/${buildingId}/rooms`),
      await world.get(path),
      await world.call('PATCH', path, { key: world.holder.writeKey, body: { hvac_mode: 'off' } }),
    ]
    for (const { status, json } of answers) {
      expect([status, json.error.message]).toEqual([404, `No such building: ${buildingId}`])
    }
    const [room] = (await world.get(`/v1/buildings/${buildingId}/rooms`, { key: world.stranger.readKey })).json
    expect(room.hvac_mode).toBe('heat')
  })

  test('a room of another building does not exist within one’s own', async () => {
    const id = world.stranger.roomIds[0]
    const { status, json } = await world.get(`${world.roomsPath}/${id}`)
    expect([status, json.error.message]).toEqual([404, `No such room: ${id}`])
  })

  test.each(['019bb0f4-6e00-7c3a-9d5e-2f1a6b7c8d9e', 'bathroom'])('the room %s does not exist', async (id) => {
    const { status, json } = await world.get(`${world.roomsPath}/${id}`)
    expect([status, json]).toEqual([404, { error: { code: 'not_found', message: `No such room: ${id}` } }])
  })

  describe('available', () => {
    test('is null while no gateway has ever reported', async () => {
      expect(await building()).toMatchObject({ available: null, last_seen: null })
    })

    test('is true while the newest heartbeat is at most five minutes old', async () => {
      await world.heartbeat(world.holder.gatewayIds[0])
      world.clock.advance(5 * MINUTE_MS)
      expect((await building()).available).toBe(true)
    })

    test('is false after that, and the last heartbeat stays shown', async () => {
      await world.heartbeat(world.holder.gatewayIds[0])
      const { last_seen } = await building()
      world.clock.advance(5 * MINUTE_MS + 1)
      expect(await building()).toMatchObject({ available: false, last_seen })
    })

    test('is true again with the next heartbeat', async () => {
      await world.heartbeat(world.holder.gatewayIds[0])
      world.clock.advance(60 * MINUTE_MS)
      await world.heartbeat(world.holder.gatewayIds[0])
      expect((await building()).available).toBe(true)
    })

    test('follows the newest heartbeat: one forgotten gateway does not take the building offline', async () => {
      await world.heartbeat(world.holder.gatewayIds[0])
      world.clock.advance(60 * MINUTE_MS)
      await world.heartbeat(world.holder.gatewayIds[1])
      expect((await building()).available).toBe(true)
    })

    test('is not touched by another building’s gateways', async () => {
      await world.heartbeat(world.holder.gatewayIds[0])
      const [other] = (await world.get('/v1/buildings', { key: world.stranger.readKey })).json
      expect(other.available).toBeNull()
    })
  })

  test('the figure for too long is configuration', async () => {
    const short = await openWorld(engine, { availability: { silentAfterS: 10 } })
    await short.heartbeat(short.holder.gatewayIds[0])
    short.clock.advance(10_001)
    expect((await short.get(short.buildingPath)).json.available).toBe(false)
    await short.close()
  })
})
