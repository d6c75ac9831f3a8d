import { Browser, HOST, openSite, PASSWORD, signedIn, WEBSITE } from '@hypocaust/testing/browser.ts'
import { MINUTE_MS } from '@hypocaust/testing/clock.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { addPasskey, passkeysIn } from '@hypocaust/testing/passkeys.ts'
import type { World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { resetPassword } from '../src/people/accounts/accounts.ts'
import { addWebhook } from '../src/people/webhooks/webhooks.ts'

/** By a trigger, so that all else goes on: as a fault of SQLite, and as a PostgreSQL that has become a standby. */
const DELETION_OF_SESSIONS = {
  sqlite: {
    refuse: `create trigger kept before delete on session begin select raise(abort, 'kept'); end`,
    allow: 'drop trigger kept',
    failure: 500,
  },
  postgres: {
    refuse: `create function keep() returns trigger language plpgsql as $$ begin raise exception 'recovering' using errcode = '25006'; end $$;
      create trigger kept before delete on session for each row execute function keep()`,
    allow: 'drop trigger kept on session; drop function keep',
    failure: 503,
  },
}

describe.each(ENGINES)('signing in on %s', (engine) => {
  let world: World
  beforeAll(async () => {
    world = await openSite(engine)
  })
  afterAll(() => world.close())

  test('the right password opens /app, and sign-out closes it', async () => {
    const browser = new Browser(world)
    expect((await browser.call('GET', '/app/buildings')).json.error.code).toBe('not_signed_in')
    expect((await browser.signIn()).json).toEqual({ next: 'signed_in' })
    expect((await browser.call('GET', '/app/session')).json.account.email).toBe('ada@example.org')
    expect((await browser.call('GET', '/app/buildings')).status).toBe(200)
    expect((await browser.call('DELETE', '/app/session')).status).toBe(204)
    expect((await browser.call('GET', '/app/buildings')).status).toBe(401)
  })

  test('the cookie is out of reach of scripts and other sites, and Secure behind TLS', async () => {
    const plain = new Browser(world)
    await plain.signIn()
    expect(plain.setCookies[0]).toMatch(/HttpOnly/i)
    expect(plain.setCookies[0]).toMatch(/SameSite=Strict/i)
    expect(plain.setCookies[0]).not.toMatch(/Secure/i)
    const claimed = new Browser(world, 'https')
    await claimed.signIn()
    expect(claimed.setCookies[0]).not.toMatch(/Secure/i)
  })

  test('behind a trusted proxy that ends TLS the cookie is Secure', async () => {
    const world = await openSite(engine, { trustedProxies: '127.0.0.1' })
    const behindProxy = new Browser(world, 'https')
    await behindProxy.signIn()
    expect(behindProxy.setCookies[0]).toMatch(/^__Secure-.*; Secure/i)
    expect((await behindProxy.call('GET', '/app/buildings')).status).toBe(200)
    await world.close()
  })

  test('a cookie opens nothing on /v1, and a key nothing on /app', async () => {
    const browser = await signedIn(world)
    const onV1 = await browser.call('GET', '/v1/buildings')
    expect(onV1.json.error.code).toBe('missing_api_key')
    const withKey = await world.call('GET', '/app/buildings', { key: world.holder.writeKey })
    expect(withKey.json.error.code).toBe('not_signed_in')
  })

  test('a page of another site cannot use the cookie', async () => {
    const browser = await signedIn(world)
    const path = `/app/rooms/${world.bathroomId}`
    const foreign = await browser.call('PATCH', path, { target_temperature: 30 }, { origin: 'https://evil.example' })
    expect(foreign.json.error.code).toBe('foreign_origin')
    const opaque = await browser.call('PATCH', path, { target_temperature: 30 }, { origin: 'null' })
    expect(opaque.json.error.code).toBe('foreign_origin')
    const asForm = await browser.call('PATCH', path, undefined, { 'content-type': 'text/plain' })
    expect(asForm.status).toBe(415)
    expect((await world.bathroom()).target_temperature).toBe(20)
  })

  test('guessing a password is slowed down, also for the right one after it, until a minute has passed', async () => {
    const browser = new Browser(world)
    for (let i = 0; i < 5; i++) expect((await browser.signIn('ada@example.org', 'wrong password')).status).toBe(401)
    const refused = await browser.signIn()
    expect(refused.status).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await browser.signIn('bob@example.org')).status).toBe(200)
    world.clock.advance(MINUTE_MS)
    expect((await browser.signIn()).status).toBe(200)
  })

  test('an unknown account and a wrong password get the same answer', async () => {
    const wrong = await new Browser(world).signIn('ada@example.org', 'wrong password')
    const unknown = await new Browser(world).signIn('nobody@example.org', 'wrong password')
    expect(unknown.json).toEqual(wrong.json)
  })

  test('sign-up is closed once there is an account', async () => {
    const browser = new Browser(world)
    expect((await browser.call('GET', '/app/session')).json.sign_up).toBe('closed')
    const answer = await browser.call('POST', '/app/accounts', { email: 'eve@example.org', password: PASSWORD })
    expect(answer.json.error.code).toBe('sign_up_closed')
  })

  test('a session seen in the list can be ended from another device', async () => {
    const [phone, desk] = [await signedIn(world), await signedIn(world)]
    const listed = (await desk.call('GET', '/app/sessions')).json
    expect(listed[0].is_current).toBe(true)
    const others = listed.filter((entry: { is_current: boolean }) => !entry.is_current)
    for (const { id } of others) expect((await desk.call('DELETE', `/app/sessions/${id}`)).status).toBe(204)
    expect((await phone.call('GET', '/app/buildings')).status).toBe(401)
    expect((await desk.call('GET', '/app/buildings')).status).toBe(200)
    expect((await desk.call('DELETE', '/app/sessions/none')).status).toBe(404)
  })

  test('sessions of another account cannot be ended', async () => {
    const stranger = await signedIn(world, 'bob@example.org')
    const own = await signedIn(world)
    const [{ id }] = (await own.call('GET', '/app/sessions')).json
    expect((await stranger.call('DELETE', `/app/sessions/${id}`)).status).toBe(404)
    expect((await own.call('GET', '/app/buildings')).status).toBe(200)
  })

  test('sign-out everywhere ends every session', async () => {
    const [phone, desk] = [await signedIn(world), await signedIn(world)]
    expect((await desk.call('DELETE', '/app/sessions')).status).toBe(204)
    expect((await phone.call('GET', '/app/buildings')).status).toBe(401)
    expect((await desk.call('GET', '/app/buildings')).status).toBe(401)
  })

  test('a session that the database does not delete is not reported as ended', async () => {
    const [phone, desk] = [await signedIn(world), await signedIn(world)]
    const [, other] = (await desk.call('GET', '/app/sessions')).json
    const { refuse, allow, failure } = DELETION_OF_SESSIONS[engine]
    const database = await world.test.connect()
    await database.execute(refuse)
    try {
      for (const path of ['/app/session', '/app/sessions', `/app/sessions/${other.id}`]) {
        const { status, headers } = await desk.call('DELETE', path)
        expect([path, status, desk.setCookies]).toEqual([path, failure, []])
        expect(headers['retry-after'] !== undefined).toBe(failure === 503)
      }
    } finally {
      await database.execute(allow)
      await database.end()
    }
    for (const device of [phone, desk]) expect((await device.call('GET', '/app/buildings')).status).toBe(200)
    expect((await desk.call('DELETE', '/app/session')).status).toBe(204)
  })

  test.runIf(engine === 'postgres')(
    'while the server of the database is away, requests get 503 and not 500',
    async () => {
      const away = await openSite(engine)
      const browser = await signedIn(away)
      expect((await browser.call('GET', '/app/notices')).status).toBe(200)
      await away.store.close()
      for (const [method, path] of [
        ['GET', '/app/notices'],
        ['GET', '/app/session'],
        ['DELETE', '/app/sessions'],
      ] as const) {
        const { status, json } = await browser.call(method, path)
        expect([method, path, status, json?.error.code]).toEqual([method, path, 503, 'unavailable'])
        expect(browser.setCookies).toEqual([])
      }
      await away.app.close()
    },
  )

  test('a password is changed with the old one only, and the other sessions end', async () => {
    const [phone, desk] = [await signedIn(world, 'bob@example.org'), await signedIn(world, 'bob@example.org')]
    const wrong = await desk.call('PUT', '/app/password', { current: 'not it at all', next: 'a new password' })
    expect(wrong.json.error.code).toBe('wrong_credentials')
    const changed = await desk.call('PUT', '/app/password', { current: PASSWORD, next: 'a new password' })
    expect(changed.status).toBe(204)
    expect((await phone.call('GET', '/app/buildings')).status).toBe(401)
    expect((await desk.call('GET', '/app/buildings')).status).toBe(200)
    expect((await new Browser(world).signIn('bob@example.org', 'a new password')).status).toBe(200)
  })

  test('a reset by the operator ends sessions, removes passkeys, and revokes keys where asked', async () => {
    const { store, clock } = world
    const reset = (email: string, password: string, revokeKeys = false) =>
      resetPassword(store, clock, email, password, { revokeKeys })
    const browser = await signedIn(world, 'ada@example.org')
    await addPasskey(store, world.holder.accountId)
    expect(await reset('Ada@example.org', 'quite another one')).toMatchObject({
      kind: 'reset',
      keysRevoked: 0,
      keysLeft: 2,
    })
    expect(await passkeysIn(store)).toEqual([])
    expect((await browser.call('GET', '/app/buildings')).status).toBe(401)
    expect((await world.get('/v1/buildings')).status).toBe(200)
    expect((await browser.signIn('ada@example.org', 'quite another one')).status).toBe(200)
    await addWebhook(store, world.holder.accountId, { url: 'https://example.org/', events: ['alert'] }, clock.now())
    const revoked = { keysRevoked: 2, keysLeft: 0, webhooksRemoved: 1 }
    expect(await reset('ada@example.org', 'quite another one', true)).toMatchObject(revoked)
    expect((await world.get('/v1/buildings')).status).toBe(401)
    expect(await reset('nobody@example.org', 'quite another one')).toEqual({ kind: 'no_account' })
    expect((await reset('ada@example.org', 'short')).kind).toBe('refused')
  })
})

describe.each(ENGINES)('a fresh site on %s', (engine) => {
  let world: World
  beforeAll(async () => {
    world = await openSite(engine)
  })
  afterAll(() => world.close())

  test('a passkey is added with the password once more, and not without', async () => {
    const browser = await signedIn(world)
    expect((await browser.call('POST', '/app/passkeys/options', {})).status).toBe(400)
    expect((await browser.call('POST', '/app/passkeys/options', { password: 'wrong password' })).status).toBe(401)
    const begun = await browser.call('POST', '/app/passkeys/options', { password: PASSWORD })
    expect(begun.json).toHaveProperty('challenge')
  })

  test('what looks like an address of the network is no account to guess at', async () => {
    const stranger = new Browser(world)
    for (let i = 0; i < 40; i++) expect((await stranger.signIn('127.0.0.1', 'wrong password')).status).toBe(401)
    expect((await new Browser(world).signIn()).status).toBe(200)
  })

  test('beginning to sign in with a passkey is limited for each address', async () => {
    const stranger = new Browser(world)
    const begin = async () => (await stranger.call('POST', '/app/session/passkey/options')).status
    const statuses = []
    for (let i = 0; i < 31; i++) statuses.push(await begin())
    expect(statuses.filter((status) => status === 200)).toHaveLength(30)
    expect(statuses.at(-1)).toBe(429)
  })
})

describe.each(ENGINES)('the first start on %s', (engine) => {
  test('offers to create the owner, once, and under its own name only', async () => {
    const world = await openSite(engine, { website: { ...WEBSITE, publicUrl: `http://${HOST}` } })
    await world.store.db.deleteFrom('user').execute()
    const browser = new Browser(world)
    expect((await browser.call('GET', '/app/session')).json).toMatchObject({ account: null, sign_up: 'owner' })
    const short = await browser.call('POST', '/app/accounts', { email: 'own@example.org', password: 'short' })
    expect(short.json.error.code).toBe('invalid_value')
    const rebound = await browser.call(
      'POST',
      '/app/accounts',
      { email: 'eve@example.org', password: PASSWORD },
      { host: 'rebound.example', origin: 'http://rebound.example' },
    )
    expect([rebound.status, rebound.json.error.code]).toEqual([403, 'foreign_origin'])
    const created = await browser.call('POST', '/app/accounts', { email: 'own@example.org', password: PASSWORD })
    expect(created.json).toEqual({ next: 'signed_in' })
    expect((await browser.call('GET', '/app/buildings')).json).toEqual([])
    const second = await new Browser(world).call('POST', '/app/accounts', {
      email: 'b@example.org',
      password: PASSWORD,
    })
    expect(second.json.error.code).toBe('sign_up_closed')
    await world.close()
  })

  test('where sign-up is open, anyone may create an account, but no address twice', async () => {
    const world = await openSite(engine, { website: { ...WEBSITE, openSignUp: true } })
    const browser = new Browser(world)
    expect((await browser.call('GET', '/app/session')).json.sign_up).toBe('open')
    const account = { email: 'eve@example.org', password: PASSWORD }
    expect((await browser.call('POST', '/app/accounts', account)).status).toBe(200)
    expect((await browser.call('POST', '/app/accounts', account)).json.error.code).toBe('taken')
    await world.close()
  })
})
