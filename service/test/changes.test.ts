import { ENGINES } from '@hypocaust/testing/database.ts'
import { BATHROOM_SENSOR } from '@hypocaust/testing/houses.ts'
import { type Answer, appOn, openWorld, type World } from '@hypocaust/testing/world.ts'
import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changeBuilding } from '../src/house/buildings/manage.ts'
import { addRoom, removeRoom } from '../src/house/rooms/manage.ts'
import { changesSince, cursorOf, type SeenBuilding } from '../src/people/changes/cursor.ts'
import { createKey, revokeKey } from '../src/people/keys/keys.ts'
import type { Store } from '../src/store/store.ts'

describe.each(ENGINES)('changes on %s', (engine) => {
  let world: World
  let second: { store: Store; app: FastifyInstance }
  beforeAll(async () => {
    world = await openWorld(engine, { limits: { read: 50, write: 1000 } })
    const store = await world.test.openAgain()
    second = { store, app: await appOn(store, world.clock) }
  })
  afterAll(async () => {
    await second.app.close()
    await second.store.close()
    await world.close()
  })

  const ask = (query: string, key = world.holder.readKey) => world.get(`/v1/changes${query}`, { key })
  const cursorNow = async (): Promise<string> => (await ask('')).json.cursor
  const patchElsewhere = (patch: object) =>
    second.app.inject({
      method: 'PATCH',
      url: world.bathroomPath,
      headers: { 'x-api-key': world.holder.writeKey, 'content-type': 'application/json' },
      payload: JSON.stringify(patch),
    })
  const everything = () => [{ id: world.holder.buildingId, rooms: [...world.holder.roomIds].sort() }]
  const named = ({ json }: Answer) =>
    json.buildings.map(({ id, rooms }: { id: string; rooms: string[] }) => ({ id, rooms: rooms.sort() }))
  const bathroomOnly = () => [{ id: world.holder.buildingId, rooms: [world.bathroomId] }]

  test('without a cursor, and with one of something else, the answer is everything the key can see', async () => {
    const others = (await ask('', world.stranger.readKey)).json.cursor
    for (const query of ['', '?wait=50', '?since=unknown&wait=50', `?since=${others}&wait=50`])
      expect(named(await ask(query))).toEqual(everything())
  })

  test('nothing new is an empty answer with the same cursor, and costs nothing', async () => {
    const cursor = await cursorNow()
    const before = (await ask('')).headers.ratelimit
    for (let i = 0; i < 5; i++) expect((await ask(`?since=${cursor}`)).json).toEqual({ cursor, buildings: [] })
    const { etag = '' } = (await ask(`?since=${cursor}`)).headers
    const again = await world.get(`/v1/changes?since=${cursor}`, { headers: { 'if-none-match': etag } })
    expect(again.status).toBe(304)
    const spent = (text: string | undefined) => Number(/r=(\d+)/.exec(text ?? '')?.[1])
    expect(spent((await ask('')).headers.ratelimit)).toBe(spent(before) - 1)
  })

  test('a change in another process ends the wait, and names the room', async () => {
    const cursor = await cursorNow()
    const waiting = ask(`?since=${cursor}&wait=50`)
    await patchElsewhere({ target_temperature: 24 })
    const answer = await waiting
    expect(named(answer)).toEqual(bathroomOnly())
    expect((await ask(`?since=${answer.json.cursor}`)).json.buildings).toEqual([])
    expect(named(await ask(`?since=${cursor}`))).toEqual(bathroomOnly())
  })

  test('a room that is added or removed makes everything new', async () => {
    const { buildingId, roomIds } = world.holder
    const cursor = await cursorNow()
    const hall = { name: 'Hall', floor_type: 'dry' as const, sensor_id: BATHROOM_SENSOR, valves: [] }
    const roomId = await addRoom(second.store, world.clock, buildingId, hall)
    const added = await ask(`?since=${cursor}&wait=50`)
    expect(named(added)).toEqual([{ id: buildingId, rooms: [...roomIds, roomId].sort() }])
    await removeRoom(second.store, world.clock, { buildingId, roomId })
    expect(named(await ask(`?since=${added.json.cursor}&wait=50`))).toEqual(everything())
  })

  test('a building that is renamed has changed itself, and none of its rooms', async () => {
    const cursor = await cursorNow()
    await changeBuilding(second.store, world.clock, world.holder.buildingId, { name: 'Lakeside 13' })
    expect(named(await ask(`?since=${cursor}&wait=50`))).toEqual([{ id: world.holder.buildingId, rooms: [] }])
  })

  test('a key that is revoked while it waits is refused', async () => {
    const { accountId } = world.holder
    const key = await createKey(world.store, world.clock, { accountId, name: 'x', permission: 'read', expiresAt: null })
    const { cursor } = (await ask('', key.value)).json
    const waiting = ask(`?since=${cursor}&wait=50`, key.value)
    await revokeKey(second.store, world.clock, { accountId, id: key.id })
    await patchElsewhere({ target_temperature: 25 })
    expect((await waiting).json.error.code).toBe('invalid_api_key')
  })

  test.each(['56', '-1', 'x', '1.5', ''])('wait=%s is refused', async (wait) => {
    const { status, json } = await ask(`?wait=${wait}`)
    expect([status, json.error]).toEqual([
      400,
      { code: 'invalid_value', message: 'wait must be a whole number from 0 to 55.' },
    ])
  })

  test('a service that ends lets its clients go', async () => {
    const app = await appOn(world.store, world.clock)
    const cursor = await cursorNow()
    const headers = { 'x-api-key': world.holder.readKey }
    const waiting = app.inject({ url: `/v1/changes?since=${cursor}&wait=50`, headers })
    await app.close()
    expect((await waiting).json()).toEqual({ cursor, buildings: [] })
  })
})

const seen: fc.Arbitrary<SeenBuilding[]> = fc.array(
  fc.record({
    id: fc.uuid(),
    mark: fc.string({ minLength: 6, maxLength: 6 }),
    rooms: fc.array(fc.record({ id: fc.uuid(), mark: fc.string({ minLength: 6, maxLength: 6 }) }), { maxLength: 5 }),
  }),
  { maxLength: 5 },
)

const ROOMS = [
  { id: 'room 1', mark: 'cccccc' },
  { id: 'room 2', mark: 'dddddd' },
]

describe('a cursor', () => {
  test('names exactly the rooms and buildings whose marks are others', () => {
    fc.assert(
      fc.property(seen, fc.infiniteStream(fc.boolean()), (before, isChanged) => {
        const other = (mark: string) =>
          isChanged.next().value ? `${mark.slice(1)}${mark[0] === 'x' ? 'y' : 'x'}` : mark
        const changed = (a: string, b: string) => a !== b
        const after = before.map(({ id, mark, rooms }) => ({
          id,
          mark: other(mark),
          rooms: rooms.map((room) => ({ id: room.id, mark: other(room.mark) })),
        }))
        const expected = after.flatMap(({ id, mark, rooms }, b) => {
          const differing = rooms.filter((room, r) => changed(room.mark, before[b]?.rooms[r]?.mark ?? ''))
          const isNew = changed(mark, before[b]?.mark ?? '') || differing.length > 0
          return isNew ? [{ id, rooms: differing.map((room) => room.id) }] : []
        })
        expect(changesSince(cursorOf(before), after)).toEqual(expected)
      }),
    )
  })

  test('of a thousand houses fits into an address, and names the houses that have changed', () => {
    for (const count of [1000, 30_000]) {
      const many = Array.from({ length: count }, (_, i) => ({ id: `building ${i}`, mark: 'aaaaaa', rooms: ROOMS }))
      const cursor = cursorOf(many)
      expect(cursor.length).toBeLessThanOrEqual(6000)
      expect(changesSince(cursor, many)).toEqual([])
      const changed = many.with(7, { id: 'building 7', mark: 'bbbbbb', rooms: ROOMS })
      const named = changesSince(cursor, changed)
      expect(named).toContainEqual({ id: 'building 7', rooms: ROOMS.map(({ id }) => id) })
      expect(named.length).toBeLessThanOrEqual(Math.ceil(count / 900))
    }
  })

  test('whatever a client sends is understood or answered with everything', () => {
    fc.assert(
      fc.property(seen, fc.string({ maxLength: 200 }), (now, cursor) => {
        const changes = changesSince(cursor, now)
        if (cursor !== cursorOf(now) && now.length > 0) expect(changes.length).toBeGreaterThan(0)
      }),
    )
  })
})
