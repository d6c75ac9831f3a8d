import { randomUUID } from 'node:crypto'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { removeBuilding } from '../src/house/buildings/manage.ts'
import { createKey } from '../src/people/keys/keys.ts'

const URL = 'https://cell-2.example'

describe.each(ENGINES)('a building that has left for another server, on %s', (engine) => {
  let world: World
  let elsewhere: string
  beforeAll(async () => {
    world = await openWorld(engine)
    const { store, clock, holder } = world
    elsewhere = randomUUID()
    const key = { accountId: holder.accountId, name: 'limited', permission: 'read' as const, expiresAt: null }
    limited = (await createKey(store, clock, { ...key, buildingIds: [holder.buildingId] })).value
    for (const buildingId of [holder.buildingId, elsewhere]) {
      const move = { buildingId, stage: 'moved' as const, url: URL, since: buildingId === elsewhere ? 1 : 2 }
      await store.db.insertInto('buildingMoves').values(move).execute()
      await store.db.insertInto('movedMembers').values({ buildingId, accountId: holder.accountId }).execute()
    }
  })
  afterAll(() => world.close())
  let limited: string

  const location = ({ status, headers, json }: Awaited<ReturnType<World['get']>>) => [
    status,
    headers.location,
    json.error?.code,
  ]

  test('while others of the account are here, is answered with its new address, and the list with those', async () => {
    const path = `/v1/buildings/${elsewhere}/rooms?x=1`
    expect(location(await world.get(path))).toEqual([307, URL + path, 'moved'])
    const list = await world.get('/v1/buildings')
    expect([list.status, list.json.length]).toEqual([200, 1])
  })

  test('is not known to strangers, nor to keys that are limited to others', async () => {
    const path = `/v1/buildings/${elsewhere}`
    expect((await world.get(path, { key: world.stranger.readKey })).status).toBe(404)
    expect((await world.get(path, { key: limited })).status).toBe(404)
    expect((await world.get(path, { key: 'hyp_x' })).status).toBe(401)
  })

  test('is not known to one whose membership has ended', async () => {
    const { store, clock } = world
    const ending = store.db.updateTable('movedMembers').where('buildingId', '=', elsewhere)
    await ending.set({ endsAt: clock.now() }).execute()
    expect((await world.get(`/v1/buildings/${elsewhere}`)).status).toBe(404)
    await ending.set({ endsAt: null }).execute()
  })

  test('once all have left, every request is sent on, changes and requests without a building too', async () => {
    await removeBuilding(world.store, world.holder.buildingId)
    expect(location(await world.patch({ target_temperature: 21 }))).toEqual([307, URL + world.bathroomPath, 'moved'])
    for (const path of ['/v1/buildings', '/v1/changes?wait=0', '/v1/log'])
      expect(location(await world.get(path))).toEqual([307, URL + path, 'moved'])
    expect((await world.get('/v1/buildings', { key: world.stranger.readKey })).status).toBe(200)
  })
})
