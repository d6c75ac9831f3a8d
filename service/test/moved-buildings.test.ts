import { randomUUID } from 'node:crypto'
import { DAY_MS } from '@hypocaust/domain'
import { openSite, signedIn } from '@hypocaust/testing/browser.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { settleMember } from '@hypocaust/testing/members.ts'
import { tokensFor } from '@hypocaust/testing/oauth.ts'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLogger } from '../src/base/logger.ts'
import { createMetrics } from '../src/base/metrics.ts'
import { NO_QUOTAS } from '../src/base/quotas.ts'
import { removeBuilding } from '../src/house/buildings/manage.ts'
import { calendarNetwork } from '../src/house/calendars/network.ts'
import { refreshCalendars } from '../src/house/calendars/refresh.ts'
import { countDueLimits } from '../src/house/flexibility/record.ts'
import { countNext } from '../src/house/heat/count.ts'
import { Fitting } from '../src/house/heating/fitting.ts'
import { updateWeather } from '../src/house/weather/updates.ts'
import { createKey, forgetEndedKeys } from '../src/people/keys/keys.ts'
import { removeEndedRoles } from '../src/people/members/ended.ts'
import { refreshGrant } from '../src/people/oauth/grants.ts'
import type { BuildingMoveTable } from '../src/store/tables/building.ts'

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

/** On PostgreSQL nothing can be written of such a building: work that tried to would fail for all others too. */
describe.each(ENGINES)('while a building is on its way, on %s', (engine) => {
  let world: World
  const going = () => world.holder.buildingId
  const staying = () => world.stranger.buildingId
  beforeAll(async () => {
    world = await openWorld(engine)
    const move: BuildingMoveTable['stage'] = 'leaving'
    await world.store.db.insertInto('buildingMoves').values({ buildingId: going(), stage: move, since: 1 }).execute()
  })
  afterAll(() => world.close())

  const logger = createLogger('silent')

  test('its neighbours get their weather', async () => {
    const { store, clock } = world
    const current = { temperatureC: 3, cloudPct: 50, windDeg: 0, windMs: 1 }
    const nowMs = clock.now()
    const fetched = {
      updatedAt: nowMs,
      expiresAt: nowMs + 1,
      current,
      lastModified: null,
      forecast: { startMs: nowMs, hourly: [] },
    }
    const provider = { fetch: async () => fetched }
    await updateWeather({ store, clock, logger, provider: provider as never, random: () => 0 })
    expect(await store.db.selectFrom('weather').select('buildingId').execute()).toEqual([{ buildingId: staying() }])
  })

  test('power limits of others are counted, all that are due in one turn', async () => {
    const { store, clock } = world
    const limit = { fromAt: 0, untilAt: 1, limitW: 1, roomIds: '[]', plannedKwh: 1, promisedKwh: 1, scale: 1 }
    const rows = [going(), staying(), staying()].map((buildingId, i) => ({
      ...{ ...limit, buildingId, promisedAt: i, withdrawn: 0 as const, dueAt: i },
    }))
    await store.db.insertInto('limitRecords').values(rows).execute()
    await countDueLimits(store, clock)
    const due = await store.db.selectFrom('limitRecords').select('buildingId').where('dueAt', 'is not', null).execute()
    expect(due).toEqual([{ buildingId: going() }])
  })

  test('its rooms are neither counted nor learned, and those of others are', async () => {
    const { store, clock } = world
    clock.advance(DAY_MS)
    while (await countNext({ store, clock })) await Promise.resolve()
    const heating = { exclusively: (_id: string, work: () => Promise<void>) => work() }
    const afterFit = async () => {}
    const fitting = new Fitting({ store, clock, metrics: createMetrics(), heating: heating as never, afterFit })
    while (await fitting.fitNext()) await Promise.resolve()
    const rooms = await store.db.selectFrom('rooms').select(['buildingId', 'heatCountedAt', 'fittedAt']).execute()
    for (const { buildingId, heatCountedAt, fittedAt } of rooms)
      expect([heatCountedAt > 0, fittedAt > 0]).toEqual(buildingId === going() ? [false, false] : [true, true])
  })

  test('its calendars wait, and those of others are read', async () => {
    const { store, clock } = world
    const calendar = { name: 'Work', rules: '[]', content: 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n', dueAt: 0 }
    const rows = [going(), staying()].map((buildingId) => ({ ...calendar, id: randomUUID(), buildingId }))
    await store.db.insertInto('calendars').values(rows).execute()
    const network = calendarNetwork({ privateAddresses: false })
    await refreshCalendars({ store, clock, logger, network, random: () => 0 })
    const due = await store.db.selectFrom('calendars').select('buildingId').where('dueAt', '=', 0).execute()
    expect(due).toEqual([{ buildingId: going() }])
  })

  test('its members and their keys stay as they are, and those of others end when they are to', async () => {
    const { store, clock, holder, stranger } = world
    for (const buildingId of [going(), staying()]) {
      const guest = { buildingId, email: `guest-of-${buildingId}@example.org`, role: 'guest' as const }
      await settleMember(store, clock, { ...guest, roomIds: [], endsAt: clock.now() + 1 })
    }
    clock.advance(1)
    await removeEndedRoles(store, clock)
    const guests = await store.db.selectFrom('members').select('buildingId').where('role', '=', 'guest').execute()
    expect(guests).toEqual([{ buildingId: going() }])
    await store.db.updateTable('apiKeys').set({ revokedAt: 1 }).execute()
    await forgetEndedKeys(store, clock.now(), 1)
    const keys = await store.db.selectFrom('apiKeys').select('accountId').distinct().execute()
    const holders = keys.map(({ accountId }) => accountId)
    expect([holders.includes(holder.accountId), holders.includes(stranger.accountId)]).toEqual([true, false])
  })
})
