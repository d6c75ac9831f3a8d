import { randomUUID } from 'node:crypto'
import { openSite, signedIn } from '@hypocaust/testing/browser.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { tokensFor } from '@hypocaust/testing/oauth.ts'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NO_QUOTAS } from '../src/base/quotas.ts'
import { removeBuilding } from '../src/house/buildings/manage.ts'
import { createKey } from '../src/people/keys/keys.ts'
import { refreshGrant } from '../src/people/oauth/grants.ts'

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
    const buildings = [{ id: holder.buildingId, permission: 'write' as const }]
    app = await tokensFor(world, { accountId: holder.accountId, buildings })
    for (const buildingId of [holder.buildingId, elsewhere]) {
      const move = { buildingId, stage: 'moved' as const, url: URL, since: buildingId === elsewhere ? 1 : 2 }
      await store.db.insertInto('buildingMoves').values(move).execute()
      await store.db.insertInto('movedMembers').values({ buildingId, accountId: holder.accountId }).execute()
    }
  })
  afterAll(() => world.close())
  let limited: string
  let app: Awaited<ReturnType<typeof tokensFor>>
  const asApp = () => ({ headers: { authorization: `Bearer ${app.accessToken}` } })

  const tool = async (name: string, args: object, headers: Record<string, string>) => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
    const accept = 'application/json, text/event-stream'
    return (await world.call('POST', '/mcp', { body, headers: { accept, ...headers } })).text
  }

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

  test('its new address is named to an assistant', async () => {
    const { buildingId, readKey } = world.holder
    const said = `moved: The building ${buildingId} has moved to ${URL}.`
    expect(await tool('list_rooms', {}, { 'x-api-key': readKey })).toContain(said)
    const room = { building_id: buildingId, room_id: world.bathroomId }
    expect(await tool('explain_room', room, { 'x-api-key': readKey })).toContain(said)
  })

  test('its new address is named to an app that was granted it, and to an assistant with such a token', async () => {
    const { store, clock, holder } = world
    await store.db
      .insertInto('movedGrants')
      .columns(['keyId', 'buildingId'])
      .expression(
        store.db
          .selectFrom('apiKeys')
          .select((eb) => ['id', eb.val(holder.buildingId).as('building')])
          .where('clientId', 'is not', null),
      )
      .execute()
    for (const path of ['/v1/buildings', world.roomsPath])
      expect(location(await world.call('GET', path, asApp()))).toEqual([307, URL + path, 'moved'])
    const elsewherePath = `/v1/buildings/${elsewhere}`
    expect((await world.call('GET', elsewherePath, asApp())).status).toBe(404)
    expect(await tool('list_rooms', {}, asApp().headers)).toContain(`has moved to ${URL}`)
    const { clientId } = await store.db
      .selectFrom('apiKeys')
      .select('clientId')
      .where('clientId', 'is not', null)
      .executeTakeFirstOrThrow()
    const refresh = { clientId: clientId ?? '', refreshToken: app.refreshToken }
    await expect(refreshGrant({ store, clock, quotas: NO_QUOTAS }, refresh)).rejects.toThrow(
      `The building ${holder.buildingId} has moved to ${URL}.`,
    )
  })
})

describe.each(ENGINES)('a member who signs in on the website, on %s', (engine) => {
  let world: World
  beforeAll(async () => {
    world = await openSite(engine)
  })
  afterAll(() => world.close())

  test('is told the new address of a building, and nobody else is', async () => {
    const { store, holder } = world
    const ada = await signedIn(world)
    const movedTo = async (browser = ada) => (await browser.call('GET', '/app/session')).json.moved_to
    expect(await movedTo()).toBeNull()
    const buildingId = randomUUID()
    await store.db.insertInto('buildingMoves').values({ buildingId, stage: 'moved', url: URL, since: 1 }).execute()
    await store.db.insertInto('movedMembers').values({ buildingId, accountId: holder.accountId }).execute()
    expect(await movedTo()).toBe(URL)
    const { json } = await world.call('GET', '/app/session', {})
    expect([json.account, json.moved_to]).toEqual([null, null])
  })
})
