import { HOUR_MS } from '@hypocaust/domain'
import { type Browser, HOST, openSite, signedIn, WEBSITE } from '@hypocaust/testing/browser.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { ISSUER, post, registerApp } from '@hypocaust/testing/oauth.ts'
import type { World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { OauthClient } from '../src/people/oauth/clients.ts'
import { forgetOauth } from '../src/people/oauth/forget.ts'

describe.each(ENGINES)('connecting a device on %s', (engine) => {
  let world: World
  let ada: Browser
  let client: OauthClient
  beforeAll(async () => {
    world = await openSite(engine, { website: { ...WEBSITE, oauthRegistration: true } })
    ada = await signedIn(world)
    client = await registerApp(world, [])
  })
  afterAll(() => world.close())
  beforeEach(() => world.clock.advance(2 * HOUR_MS))

  const begin = async (scope = 'read control') =>
    (await post(world, '/oauth/device_authorization', { client_id: client.id, scope })).json
  const ask = (deviceCode: string, clientId = client.id) =>
    post(world, '/oauth/token', {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      client_id: clientId,
      device_code: deviceCode,
    })
  const all = () => [{ id: world.holder.buildingId, permission: 'write' }]

  test('it shows a code, a person enters it and allows, and the device gets its tokens', async () => {
    const { device_code: deviceCode, user_code: userCode, ...rest } = await begin()
    expect(userCode).toMatch(/^[B-Z]{4}-[B-Z]{4}$/)
    expect(rest).toEqual({
      verification_uri: `${ISSUER}/device`,
      verification_uri_complete: `${ISSUER}/device?user_code=${userCode}`,
      expires_in: 900,
      interval: 5,
    })
    expect((await ask(deviceCode)).json.error).toBe('authorization_pending')
    const typed = { user_code: userCode.toLowerCase().replace('-', ' ') }
    expect((await ada.call('POST', '/app/device/look', typed)).json).toEqual({
      name: 'Wall panel',
      is_verified: true,
      permission: 'write',
    })
    expect((await ada.call('POST', '/app/device', { ...typed, buildings: all() })).status).toBe(204)
    world.clock.advance(5000)
    const { json } = await ask(deviceCode)
    expect(json).toMatchObject({ token_type: 'Bearer', scope: 'read control' })
    expect((await world.get(world.roomsPath, { key: json.access_token })).status).toBe(200)
    expect((await ask(deviceCode)).json.error).toBe('invalid_grant')
    expect((await ada.call('POST', '/app/device/look', typed)).status).toBe(404)
  })

  test('it asks no faster than it is allowed to, and is slowed down each time it does', async () => {
    const { device_code: deviceCode } = await begin()
    const after = async (ms: number) => {
      world.clock.advance(ms)
      return (await ask(deviceCode)).json.error
    }
    expect(await after(0)).toBe('authorization_pending')
    expect(await after(4999)).toBe('slow_down')
    expect(await after(5000)).toBe('slow_down')
    expect(await after(15_000)).toBe('authorization_pending')
  })

  test('a refusal, a code after a quarter of an hour and one of another app get nothing', async () => {
    const refused = await begin()
    await ada.call('POST', '/app/device', { user_code: refused.user_code, buildings: [] })
    expect((await ask(refused.device_code)).json.error).toBe('access_denied')
    const other = await registerApp(world, [])
    const waiting = await begin()
    expect((await ask(waiting.device_code, other.id)).json.error).toBe('invalid_grant')
    world.clock.advance(900_000)
    expect((await ask(waiting.device_code)).json.error).toBe('expired_token')
    expect((await ada.call('POST', '/app/device/look', { user_code: waiting.user_code })).status).toBe(404)
    world.clock.advance(25 * HOUR_MS)
    await forgetOauth(world.store, world.clock.now())
    expect((await ask(waiting.device_code)).json.error).toBe('invalid_grant')
  })

  test('two people who enter one code: the first decides', async () => {
    const { user_code: userCode } = await begin('read')
    const bob = await signedIn(world, 'bob@example.org')
    const buildings = [{ id: world.stranger.buildingId, permission: 'read' }]
    expect((await bob.call('POST', '/app/device', { user_code: userCode, buildings: all() })).status).toBe(400)
    expect((await bob.call('POST', '/app/device', { user_code: userCode, buildings })).status).toBe(204)
    expect((await ada.call('POST', '/app/device', { user_code: userCode, buildings: [] })).status).toBe(404)
  })

  test('codes cannot be guessed in numbers, and one network begins few', async () => {
    const statuses = []
    for (let i = 0; i < 12; i++)
      statuses.push((await ada.call('POST', '/app/device/look', { user_code: 'BBBBBBBB' })).status)
    expect(statuses.slice(-2)).toEqual([429, 429])
    const begun = []
    for (let i = 0; i < 12; i++)
      begun.push((await post(world, '/oauth/device_authorization', { client_id: client.id })).status)
    expect(begun.slice(-1)).toEqual([429])
  })

  test('where the operator allows it an app registers itself, is called unverified, and forgotten if unused', async () => {
    const headers = { host: HOST }
    const register = (body: object) => world.call('POST', '/oauth/register', { headers, body })
    const made = await register({ client_name: 'Sneaky', redirect_uris: ['http://127.0.0.1/back'] })
    expect(made.status).toBe(201)
    expect(made.json).toMatchObject({ client_name: 'Sneaky', token_endpoint_auth_method: 'none' })
    expect(made.json.client_secret).toBeUndefined()
    expect((await register({ redirect_uris: ['javascript:alert(1)'] })).json.error).toBe('invalid_redirect_uri')
    expect((await register({ redirect_uris: 7 })).json.error).toBe('invalid_redirect_uri')
    expect((await register({ client_name: '' })).json.error).toBe('invalid_client_metadata')
    const started = await post(world, '/oauth/device_authorization', { client_id: made.json.client_id })
    const { user_code: userCode } = started.json
    expect((await ada.call('POST', '/app/device/look', { user_code: userCode })).json).toMatchObject({
      name: 'Sneaky',
      is_verified: false,
      permission: 'read',
    })
    const metadata = (await world.call('GET', '/.well-known/oauth-authorization-server', { headers })).json
    expect(metadata.registration_endpoint).toBe(`${ISSUER}/oauth/register`)
    world.clock.advance(25 * HOUR_MS)
    await forgetOauth(world.store, world.clock.now())
    const gone = await post(world, '/oauth/device_authorization', { client_id: made.json.client_id })
    expect([gone.status, gone.json.error]).toEqual([401, 'invalid_client'])
  })
})
