import { DAY_MS, HOUR_MS } from '@hypocaust/domain'
import { type Browser, HOST, openSite, signedIn } from '@hypocaust/testing/browser.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { furnish, STRANGERS_HOUSE } from '@hypocaust/testing/houses.ts'
import { settleMember } from '@hypocaust/testing/members.ts'
import { connect, ISSUER, newPkce, post, REDIRECT_URI, registerApp, tokensFor } from '@hypocaust/testing/oauth.ts'
import type { World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NO_QUOTAS } from '../src/base/quotas.ts'
import { keysAfterReset } from '../src/people/accounts/accounts.ts'
import { forgetEndedKeys, listKeys } from '../src/people/keys/keys.ts'
import { removeEndedRoles } from '../src/people/members/ended.ts'
import { removeMember } from '../src/people/members/members.ts'
import { removeClient } from '../src/people/oauth/clients.ts'
import { newCode, redeemCode } from '../src/people/oauth/codes.ts'
import { beginOnDevice, decideOnDevice, redeemOnDevice } from '../src/people/oauth/devices.ts'
import { forgetOauth } from '../src/people/oauth/forget.ts'
import { grantedApps } from '../src/people/oauth/granted-apps.ts'
import { refreshGrant } from '../src/people/oauth/grants.ts'
import type { Store } from '../src/store/store.ts'

describe.each(ENGINES)('what an app may do on %s', (engine) => {
  let world: World
  let ada: Browser
  let cabin: string
  beforeAll(async () => {
    world = await openSite(engine)
    ada = await signedIn(world)
    const { store, clock, holder } = world
    cabin = (await furnish(store, clock, holder.accountId, { ...STRANGERS_HOUSE, name: 'Cabin' })).buildingId
  })
  afterAll(() => world.close())

  const withToken = (token: string, method: 'GET' | 'PATCH', path: string, body?: object) =>
    world.call(method, path, { headers: { authorization: `Bearer ${token}` }, ...(body && { body }) })
  const statusOf = async (token: string, path = world.roomsPath) => (await withToken(token, 'GET', path)).status
  const grant = (permission: 'read' | 'write', buildingId = world.holder.buildingId) =>
    tokensFor(world, { accountId: world.holder.accountId, buildings: [{ id: buildingId, permission }] })

  test('it reaches the granted buildings and no others, on every path that lists some', async () => {
    const { accessToken } = await grant('read')
    const ids = async (path: string) => (await withToken(accessToken, 'GET', path)).json
    expect((await ids('/v1/buildings')).map(({ id }: { id: string }) => id)).toEqual([world.holder.buildingId])
    expect((await ids('/v1/changes')).buildings.map(({ id }: { id: string }) => id)).toEqual([world.holder.buildingId])
    const log = (await ids('/v1/log')).entries.map(({ building_id: id }: { building_id: string }) => id)
    expect(log).not.toContain(cabin)
    expect(await statusOf(accessToken, `/v1/buildings/${cabin}`)).toBe(404)
    expect(await statusOf(accessToken, `/v1/log?building_id=${cabin}`)).toBe(404)
  })

  test('it controls one building and only reads another, by one token', async () => {
    const { holder } = world
    const buildings = [
      { id: holder.buildingId, permission: 'read' as const },
      { id: cabin, permission: 'write' as const },
    ]
    const { accessToken } = await tokensFor(world, { accountId: holder.accountId, buildings })
    const change = { target_temperature: 21 }
    const refused = await withToken(accessToken, 'PATCH', world.bathroomPath, change)
    expect(refused).toMatchObject({ status: 403, json: { error: { code: 'read_only_key' } } })
    const many = await withToken(accessToken, 'PATCH', world.roomsPath, {
      rooms: [{ id: world.bathroomId, ...change }],
    })
    expect(many.json.error.code).toBe('read_only_key')
    const [room] = (await withToken(accessToken, 'GET', `/v1/buildings/${cabin}/rooms`)).json
    const path = `/v1/buildings/${cabin}/rooms/${room.id}`
    expect((await withToken(accessToken, 'PATCH', path, change)).status).toBe(200)
  })

  test('a token that may read writes nothing, and none opens the website or the heating control', async () => {
    const read = await grant('read')
    const refused = await withToken(read.accessToken, 'PATCH', world.bathroomPath, { target_temperature: 21 })
    expect(refused.json.error.code).toBe('read_only_key')
    const { accessToken } = await grant('write')
    expect((await withToken(accessToken, 'GET', '/app/keys')).status).toBe(401)
    const programme = `/control/v1/buildings/${world.holder.buildingId}/rooms/${world.bathroomId}/programme`
    expect((await withToken(accessToken, 'GET', programme)).status).toBe(403)
  })

  test('it ends in a building with the membership, for good, and as a whole with the last one', async () => {
    const { store, clock, holder } = world
    const member = await settleMember(store, clock, {
      buildingId: holder.buildingId,
      email: 'carol@example.org',
      role: 'resident',
    })
    const own = (await furnish(store, clock, member.accountId, { ...STRANGERS_HOUSE, name: 'Hut' })).buildingId
    const both = [holder.buildingId, own].map((id) => ({ id, permission: 'write' as const }))
    const { accessToken } = await tokensFor(world, { accountId: member.accountId, buildings: both })
    const [only] = both
    const single = await tokensFor(world, { accountId: member.accountId, buildings: only ? [only] : [] })
    const scope = { buildingId: holder.buildingId, accountId: member.accountId }
    expect(await statusOf(accessToken)).toBe(200)
    await removeMember(store, clock, scope)
    expect(await statusOf(accessToken)).toBe(404)
    expect(await statusOf(accessToken, `/v1/buildings/${own}/rooms`)).toBe(200)
    expect(await statusOf(single.accessToken, '/v1/key')).toBe(401)
    const row = { ...scope, role: 'resident' as const, rooms: null, endsAt: null, createdAt: clock.now() }
    await store.db.insertInto('members').values(row).execute()
    expect(await statusOf(accessToken)).toBe(404)
    expect(await statusOf(single.accessToken)).toBe(401)
    expect((await withToken(accessToken, 'GET', '/v1/buildings')).json).toHaveLength(1)
  })

  test('a role with an end takes it along at that moment, and removal makes it final', async () => {
    const { store, clock, holder } = world
    const endsAt = clock.now() + 30 * 60_000
    const { accountId } = await settleMember(store, clock, {
      ...{ buildingId: holder.buildingId, email: 'dan@example.org', role: 'installer', endsAt },
    })
    const { accessToken } = await tokensFor(world, {
      accountId,
      buildings: [{ id: holder.buildingId, permission: 'write' }],
    })
    expect(await statusOf(accessToken)).toBe(200)
    clock.advance(30 * 60_000)
    expect(await statusOf(accessToken)).toBe(404)
    await removeEndedRoles(store, clock)
    expect(await statusOf(accessToken)).toBe(401)
  })

  test('what the role does not allow, a token does not either, and a guest’s sees the guest’s rooms', async () => {
    const { store, clock, holder } = world
    const roomIds = holder.roomIds.slice(1, 2)
    const { accountId } = await settleMember(store, clock, {
      ...{ buildingId: holder.buildingId, email: 'eve@example.org', role: 'guest', roomIds },
    })
    const { accessToken } = await tokensFor(world, {
      accountId,
      buildings: [{ id: holder.buildingId, permission: 'write' }],
    })
    const rooms = (await withToken(accessToken, 'GET', world.roomsPath)).json
    expect(rooms.map(({ id }: { id: string }) => id)).toEqual(roomIds)
    expect((await withToken(accessToken, 'PATCH', world.bathroomPath, {})).status).toBe(404)
  })

  test('it is listed with its buildings, and ended on the page, by nobody else', async () => {
    const client = await registerApp(world)
    const { answer } = await connect(world, ada, client, [{ id: world.holder.buildingId, permission: 'read' }])
    const [first] = (await ada.call('GET', '/app/connected-apps')).json
    expect(first).toMatchObject({
      name: 'Wall panel',
      buildings: [{ id: world.holder.buildingId, permission: 'read' }],
    })
    const bob = await signedIn(world, 'bob@example.org')
    expect((await bob.call('GET', '/app/connected-apps')).json).toEqual([])
    expect((await bob.call('DELETE', `/app/connected-apps/${first.id}`)).status).toBe(404)
    expect((await ada.call('GET', '/app/keys')).json.map(({ id }: { id: string }) => id)).not.toContain(first.id)
    const [key] = await listKeys(world.store, world.holder.accountId)
    expect((await ada.call('DELETE', `/app/connected-apps/${key?.id}`)).status).toBe(404)
    expect(await statusOf(answer.json.access_token)).toBe(200)
    expect((await ada.call('DELETE', `/app/connected-apps/${first.id}`)).status).toBe(204)
    expect(await statusOf(answer.json.access_token)).toBe(401)
    const form = { grant_type: 'refresh_token', client_id: client.id, refresh_token: answer.json.refresh_token }
    expect((await post(world, '/oauth/token', form)).json.error).toBe('invalid_grant')
  })

  test('it is in the change log of the building, beginning and end', async () => {
    const { accessToken } = await grant('write')
    await withToken(accessToken, 'PATCH', world.bathroomPath, { target_temperature: 18 })
    const rows = (await ada.call('GET', `/app/buildings/${world.holder.buildingId}/changes`)).json
    const text = JSON.stringify(rows)
    expect(text).toContain('Wall panel')
    const cabins = (await ada.call('GET', `/app/buildings/${cabin}/changes`)).json
    expect(JSON.stringify(cabins).match(/Wall panel/g)?.length ?? 0).toBeLessThan(
      text.match(/Wall panel/g)?.length ?? 0,
    )
  })

  test('it goes with the app, and with the keys when a forgotten password is reset', async () => {
    const { store, clock, holder } = world
    const client = await registerApp(world)
    const { answer } = await connect(world, ada, client, [{ id: holder.buildingId, permission: 'read' }])
    expect(await removeClient(store, client.id)).toBe(true)
    expect(await statusOf(answer.json.access_token)).toBe(401)
    const { accountId } = await settleMember(store, clock, {
      ...{ buildingId: holder.buildingId, email: 'fay@example.org', role: 'resident' },
    })
    const tokens = await tokensFor(world, { accountId, buildings: [{ id: holder.buildingId, permission: 'read' }] })
    expect(await keysAfterReset(store, clock, accountId, false)).toEqual({
      keysRevoked: 0,
      keysLeft: 3,
      webhooksRemoved: 0,
    })
    expect(await statusOf(tokens.accessToken)).toBe(200)
    expect(await keysAfterReset(store, clock, accountId, true)).toEqual({
      keysRevoked: 3,
      keysLeft: 0,
      webhooksRemoved: 0,
    })
    expect(await statusOf(tokens.accessToken)).toBe(401)
  })

  test('a reset with the keys also ends what was allowed and not yet exchanged, also while it is', async () => {
    const { store, clock, holder } = world
    const { accountId } = await settleMember(store, clock, {
      ...{ buildingId: holder.buildingId, email: 'gil@example.org', role: 'resident' },
    })
    const parts = { store, clock, quotas: NO_QUOTAS }
    const client = await registerApp(world)
    const buildings = [{ id: holder.buildingId, permission: 'read' as const }]
    const { verifier, challenge } = newPkce()
    const granted = { client, accountId, redirectUri: REDIRECT_URI, challenge, buildings }
    const presented = async () => ({ client, code: await newCode(parts, granted), verifier, redirectUri: REDIRECT_URI })
    const allowedOnDevice = async () => {
      const { deviceCode, userCode } = await beginOnDevice(parts, { client, permission: 'read' })
      await decideOnDevice(store, { userCode, accountId, buildings }, clock.now())
      return { client, deviceCode }
    }
    const reset = () => keysAfterReset(store, clock, accountId, true)
    const [code, device] = [await presented(), await allowedOnDevice()]
    await reset()
    await expect(redeemCode(parts, code)).rejects.toMatchObject({ code: 'invalid_grant' })
    await expect(redeemOnDevice(parts, device)).rejects.toMatchObject({ code: 'invalid_grant' })

    /** The reset comes after the code was found, and before it is taken. */
    const losing: Store = Object.create(store, {
      batch: {
        value: async (...args: Parameters<Store['batch']>) => {
          await reset()
          return store.batch(...args)
        },
      },
    })
    const late = { ...parts, store: losing }
    await expect(redeemCode(late, await presented())).rejects.toMatchObject({ code: 'invalid_grant' })
    await expect(redeemOnDevice(late, await allowedOnDevice())).rejects.toMatchObject({ code: 'invalid_grant' })
    expect(await grantedApps(store, accountId, clock.now())).toEqual([])
  })

  test('upkeep leaves what still counts', async () => {
    const { store, clock } = world
    const parts = { store, clock, quotas: NO_QUOTAS }
    const { refreshToken } = await grant('read')
    clock.advance(60 * DAY_MS)
    await forgetEndedKeys(store, clock.now(), 1)
    await forgetOauth(store, clock.now())
    const key = await store.db.selectFrom('apiKeys').select('clientId').where('clientId', 'is not', null).execute()
    const clientId = key.at(-1)?.clientId ?? ''
    const next = await refreshGrant(parts, { clientId, refreshToken })
    expect(await statusOf(next.accessToken)).toBe(200)
    clock.advance(200 * DAY_MS)
    await forgetEndedKeys(store, clock.now(), 1)
    await forgetOauth(store, clock.now())
    expect(await statusOf(next.accessToken)).toBe(401)
    expect(await store.db.selectFrom('oauthRefreshTokens').selectAll().execute()).toEqual([])
    expect(await store.db.selectFrom('oauthCodes').selectAll().execute()).toEqual([])
  })

  test('an app without a token finds out where to get one, also for assistants', async () => {
    const headers = { host: HOST }
    for (const [method, path] of [
      ['GET', '/v1/buildings'],
      ['POST', '/mcp'],
    ] as const) {
      const { status, headers: answered } = await world.call(method, path, {
        headers,
        ...(method === 'POST' && { body: {} }),
      })
      expect(status).toBe(401)
      const [, url = ''] = /resource_metadata="([^"]+)"/.exec(answered['www-authenticate'] ?? '') ?? []
      const resource = (await world.call('GET', new URL(url).pathname, { headers })).json
      expect(resource).toMatchObject({ resource: ISSUER, authorization_servers: [ISSUER] })
    }
    const server = (await world.call('GET', '/.well-known/oauth-authorization-server', { headers })).json
    expect(server).toMatchObject({
      issuer: ISSUER,
      code_challenge_methods_supported: ['S256'],
      response_types_supported: ['code'],
      authorization_response_iss_parameter_supported: true,
    })
    expect(server.registration_endpoint).toBeUndefined()
    expect((await world.call('POST', '/oauth/register', { headers, body: {} })).status).toBe(404)
  })

  test('an assistant uses a token over MCP, and may only do what it was granted', async () => {
    const { accessToken } = await grant('read')
    clockStep()
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
    const answer = await world.call('POST', '/mcp', {
      headers: { authorization: `Bearer ${accessToken}`, accept: 'application/json, text/event-stream' },
      body: list,
    })
    expect(answer.status).toBe(200)
    expect(answer.text).toContain('list_rooms')
    expect(answer.text).not.toContain('set_target')
  })

  const clockStep = () => world.clock.advance(HOUR_MS / 60)
})
