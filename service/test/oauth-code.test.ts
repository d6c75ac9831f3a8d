import { DAY_MS, HOUR_MS, MINUTE_MS } from '@hypocaust/domain'
import { type Browser, HOST, openSite, signedIn } from '@hypocaust/testing/browser.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { connect, ISSUER, newPkce, post, REDIRECT_URI, registerApp, requestOf } from '@hypocaust/testing/oauth.ts'
import type { World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { NO_QUOTAS } from '../src/base/quotas.ts'
import type { OauthClient } from '../src/people/oauth/clients.ts'
import { newCode, redeemCode } from '../src/people/oauth/codes.ts'
import { grantedApps } from '../src/people/oauth/granted-apps.ts'

describe.each(ENGINES)('the authorization code on %s', (engine) => {
  let world: World
  let ada: Browser
  let client: OauthClient
  beforeAll(async () => {
    world = await openSite(engine)
    ada = await signedIn(world)
    client = await registerApp(world)
  })
  afterAll(() => world.close())
  beforeEach(() => world.clock.advance(HOUR_MS))

  const all = () => [{ id: world.holder.buildingId, permission: 'write' as const }]
  const look = (change: object) =>
    ada.call('POST', '/app/authorization/look', { ...requestOf(client, newPkce().challenge), ...change })
  const read = async (token: string, path = world.roomsPath) =>
    (await world.call('GET', path, { headers: { authorization: `Bearer ${token}` } })).status
  const refresh = (token: string, clientId = client.id) =>
    post(world, '/oauth/token', { grant_type: 'refresh_token', client_id: clientId, refresh_token: token })

  test('a person allows an app, which is sent back with a code, and reads and controls with the token for it', async () => {
    const { back, answer } = await connect(world, ada, client, all())
    expect(`${back.origin}${back.pathname}`).toBe(REDIRECT_URI)
    expect(Object.fromEntries(back.searchParams)).toEqual({
      code: expect.stringMatching(/^hypc_/),
      state: 'a state',
      iss: ISSUER,
    })
    expect(answer).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } })
    expect(answer.json).toEqual({
      access_token: expect.stringMatching(/^hypa_[0-9A-Za-z]{38}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^hypr_[0-9A-Za-z]{38}$/),
      scope: 'read control',
    })
    const headers = { authorization: `Bearer ${answer.json.access_token}` }
    expect(
      (await world.call('PATCH', world.bathroomPath, { headers, body: { target_temperature: 22.5 } })).status,
    ).toBe(200)
    expect((await world.bathroom()).target_temperature).toBe(22.5)
    expect((await world.call('GET', '/v1/key', { headers })).json).toMatchObject({
      name: 'Wall panel',
      permission: 'write',
      expires_at: expect.any(String),
    })
  })

  test('the look names the app and where its answer goes; signed out, nothing is shown or granted', async () => {
    expect((await look({ scope: 'read' })).json).toEqual({
      question: { name: 'Wall panel', is_verified: true, permission: 'read', leads_to: 'app.example' },
      redirect: null,
    })
    const stranger = { host: HOST, origin: ISSUER }
    for (const path of ['/app/authorization/look', '/app/authorization'])
      expect((await world.call('POST', path, { body: {}, headers: stranger })).status).toBe(401)
    const elsewhere = { origin: 'https://evil.example' }
    expect((await ada.call('POST', '/app/authorization', {}, elsewhere)).json.error.code).toBe('foreign_origin')
  })

  test.each([
    [{ client_id: 'nobody' }],
    [{ client_id: undefined }],
    [{ redirect_uri: 'https://evil.example/back' }],
    [{ redirect_uri: `${REDIRECT_URI}/more` }],
    [{ redirect_uri: undefined }],
  ])('%j is refused to the person, and leads nowhere', async (change) => {
    const answer = await look(change)
    expect(answer).toMatchObject({ status: 400, json: { error: { code: 'invalid_value' } } })
    expect(answer.text).not.toContain('evil')
  })

  test.each([
    ['unsupported_response_type', { response_type: 'token' }],
    ['invalid_request', { code_challenge: undefined }],
    ['invalid_request', { code_challenge_method: 'plain' }],
    ['invalid_request', { code_challenge_method: undefined }],
    ['invalid_request', { code_challenge: 'short' }],
    ['invalid_scope', { scope: 'read everything' }],
    ['invalid_target', { resource: 'https://evil.example/v1' }],
  ])('the app is sent back with %s for %j, also instead of a code', async (error, change) => {
    const { question, redirect } = (await look(change)).json
    expect(question).toBeNull()
    const sentTo = new URL(redirect)
    expect(sentTo.origin).toBe('https://app.example')
    expect(Object.fromEntries(sentTo.searchParams)).toMatchObject({ error, state: 'a state', iss: ISSUER })
    const request = { ...requestOf(client, newPkce().challenge), ...change }
    const decided = await ada.call('POST', '/app/authorization', { request, buildings: all() })
    expect(new URL(decided.json.redirect).searchParams.get('code')).toBeNull()
  })

  test('a person refuses, and the app learns no more than that', async () => {
    const request = requestOf(client, newPkce().challenge)
    const { json } = await ada.call('POST', '/app/authorization', { request, buildings: [] })
    const back = new URL(json.redirect)
    expect(back.searchParams.get('error')).toBe('access_denied')
    expect(back.searchParams.get('code')).toBeNull()
  })

  test('nothing is granted that the app has not asked for, or that the person does not have', async () => {
    const request = { ...requestOf(client, newPkce().challenge), scope: 'read' }
    const grant = async (buildings: object[]) =>
      (await ada.call('POST', '/app/authorization', { request, buildings })).status
    expect(await grant(all())).toBe(400)
    const read = { id: world.holder.buildingId, permission: 'read' }
    expect(await grant([read, read])).toBe(400)
    expect(await grant([{ id: world.stranger.buildingId, permission: 'read' }])).toBe(404)
    expect(await grant([read])).toBe(200)
  })

  test('a code needs the secret behind its challenge, its own app, its own address, and a minute at most', async () => {
    const { verifier, challenge } = newPkce()
    const request = requestOf(client, challenge)
    const ask = async () => {
      const { json } = await ada.call('POST', '/app/authorization', { request, buildings: all() })
      return new URL(json.redirect).searchParams.get('code') ?? ''
    }
    const code = await ask()
    const form = { grant_type: 'authorization_code', client_id: client.id, code, code_verifier: verifier }
    const other = await registerApp(world)
    const refused = async (change: Record<string, string>) =>
      (await post(world, '/oauth/token', { ...form, ...change })).json.error
    expect(await refused({ code_verifier: newPkce().verifier })).toBe('invalid_grant')
    expect(await refused({ code_verifier: challenge })).toBe('invalid_grant')
    expect(await refused({ code_verifier: '' })).toBe('invalid_request')
    expect(await refused({ client_id: other.id })).toBe('invalid_grant')
    expect(await refused({ client_id: 'nobody' })).toBe('invalid_client')
    expect(await refused({ redirect_uri: 'https://app.example/other' })).toBe('invalid_grant')
    expect(await refused({ resource: 'https://evil.example/' })).toBe('invalid_target')
    expect(await refused({ grant_type: 'password' })).toBe('unsupported_grant_type')
    expect((await post(world, '/oauth/token', form)).status).toBe(200)
    const late = await ask()
    world.clock.advance(MINUTE_MS)
    expect(await refused({ code: late })).toBe('invalid_grant')
  })

  test('a code that comes a second time is refused, and ends what it was exchanged for', async () => {
    const { form, answer } = await connect(world, ada, client, all())
    const { access_token: token, refresh_token: next } = answer.json
    expect(await read(token)).toBe(200)
    expect((await post(world, '/oauth/token', form)).json.error).toBe('invalid_grant')
    expect(await read(token)).toBe(401)
    expect((await refresh(next)).json.error).toBe('invalid_grant')
  })

  test('of two exchanges of one code at the same moment, at most one gets tokens', async () => {
    const { verifier, challenge } = newPkce()
    const { json } = await ada.call('POST', '/app/authorization', {
      request: requestOf(client, challenge),
      buildings: all(),
    })
    const code = new URL(json.redirect).searchParams.get('code') ?? ''
    const form = { grant_type: 'authorization_code', client_id: client.id, code, code_verifier: verifier }
    const answers = await Promise.all([1, 2, 3].map(() => post(world, '/oauth/token', form)))
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
    expect(answers.every(({ status }) => status === 200 || status === 400)).toBe(true)
  })

  test('an access token is good for an hour; a refresh token for one new pair, and for its own app', async () => {
    const { access_token: first, refresh_token: old } = (await connect(world, ada, client, all())).answer.json
    world.clock.advance(HOUR_MS - 1000)
    expect(await read(first)).toBe(200)
    world.clock.advance(1000)
    expect(await read(first)).toBe(401)
    expect((await refresh(old, (await registerApp(world)).id)).json.error).toBe('invalid_grant')
    const { json } = await refresh(old)
    expect(json).toMatchObject({ token_type: 'Bearer', scope: 'read control' })
    expect(await read(json.access_token)).toBe(200)
    expect(await read(first)).toBe(401)
    expect(await read(old)).toBe(401)
    expect(await read(json.refresh_token)).toBe(401)
  })

  test('an app whose answer was lost may ask again; a token that comes back later ends the grant', async () => {
    const { refresh_token: old } = (await connect(world, ada, client, all())).answer.json
    await refresh(old)
    world.clock.advance(30_000)
    const again = (await refresh(old)).json
    expect(await read(again.access_token)).toBe(200)
    world.clock.advance(MINUTE_MS + 1)
    expect((await refresh(old)).json.error).toBe('invalid_grant')
    expect(await read(again.access_token)).toBe(401)
    expect((await refresh(again.refresh_token)).json.error).toBe('invalid_grant')
  })

  test('what is not used for ninety days has ended', async () => {
    const { refresh_token: token } = (await connect(world, ada, client, all())).answer.json
    world.clock.advance(89 * DAY_MS)
    const { json } = await refresh(token)
    world.clock.advance(90 * DAY_MS)
    expect((await refresh(json.refresh_token)).json.error).toBe('invalid_grant')
  })

  test('an app gives back its access with either token, and learns nothing about tokens of others', async () => {
    for (const name of ['access_token', 'refresh_token']) {
      const { answer } = await connect(world, ada, client, all())
      const revoke = (clientId: string) =>
        post(world, '/oauth/revoke', { client_id: clientId, token: answer.json[name] })
      const other = await registerApp(world)
      expect((await revoke(other.id)).status).toBe(200)
      expect(await read(answer.json.access_token)).toBe(200)
      expect((await revoke(client.id)).status).toBe(200)
      expect(await read(answer.json.access_token)).toBe(401)
      expect((await revoke(client.id)).status).toBe(200)
    }
    expect((await post(world, '/oauth/revoke', { client_id: client.id, token: 'x' })).status).toBe(200)
  })

  test('a parameter that comes twice is refused, and so is a token in the query', async () => {
    const twice = await world.app.inject({
      method: 'POST',
      url: '/oauth/token',
      headers: { host: HOST, 'content-type': 'application/x-www-form-urlencoded' },
      payload: `grant_type=refresh_token&client_id=${client.id}&client_id=${client.id}`,
    })
    expect([twice.statusCode, twice.json().error]).toEqual([400, 'invalid_request'])
    const { answer } = await connect(world, ada, client, all())
    expect(await world.call('GET', `/v1/key?access_token=${answer.json.access_token}`)).toMatchObject({ status: 401 })
    const noForm = await world.call('POST', '/oauth/token', { body: 'x', headers: { 'content-type': 'text/plain' } })
    expect(noForm.status).toBe(415)
  })

  test('whatever is sent in place of texts is refused, and breaks nothing', async () => {
    const odd = [{}, [], 7, true, null, '\u0000', 'x'.repeat(9000), '\ud800']
    for (const value of odd)
      for (const name of [
        'client_id',
        'grant_type',
        'code',
        'refresh_token',
        'device_code',
        'token',
        'scope',
        'resource',
      ])
        for (const path of ['/oauth/token', '/oauth/revoke', '/oauth/device_authorization']) {
          world.clock.advance(MINUTE_MS)
          const body = {
            client_id: client.id,
            grant_type: 'refresh_token',
            refresh_token: 'r',
            token: 't',
            [name]: value,
          }
          const answer = await world.call('POST', path, { body, headers: { host: HOST } })
          expect([200, 400, 401, 413], `${path} ${name} ${JSON.stringify(value)}: ${answer.text}`).toContain(
            answer.status,
          )
        }
    for (const body of ['[]', '7', 'null', '"x"']) {
      const answer = await world.call('POST', '/oauth/token', { body, headers: { host: HOST } })
      expect(answer.status, body).toBe(400)
    }
  })

  test('a grant beyond the quota of keys is refused, and leaves nothing behind', async () => {
    const { store, clock, holder } = world
    const parts = { store, clock, quotas: { ...NO_QUOTAS, max_keys_per_account: 1 } }
    const { verifier, challenge } = newPkce()
    const granted = { accountId: holder.accountId, buildings: all(), redirectUri: REDIRECT_URI, challenge }
    const code = await newCode(parts, { ...granted, client })
    const countOf = async () => (await grantedApps(store, holder.accountId, clock.now())).length
    const before = await countOf()
    const presented = { client, code, verifier, redirectUri: undefined }
    await expect(redeemCode(parts, presented)).rejects.toMatchObject({ code: 'access_denied' })
    expect(await countOf()).toBe(before)
    expect(await redeemCode({ ...parts, quotas: NO_QUOTAS }, presented)).toMatchObject({ permission: 'write' })
  })

  test('neither a code nor a token is in the database', async () => {
    const { back, answer } = await connect(world, ada, client, all())
    const secrets = [
      back.searchParams.get('code') ?? '',
      ...[answer.json.access_token, answer.json.refresh_token],
    ] as string[]
    const { db } = world.store
    const rows = JSON.stringify([
      await db.selectFrom('apiKeys').selectAll().execute(),
      await db.selectFrom('oauthCodes').selectAll().execute(),
      await db.selectFrom('oauthRefreshTokens').selectAll().execute(),
    ])
    for (const secret of secrets) expect(rows).not.toContain(secret)
  })
})
