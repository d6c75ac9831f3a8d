import { Authenticator } from '@hypocaust/testing/authenticator.ts'
import { Browser, HOST, openSite, PASSWORD, signedIn } from '@hypocaust/testing/browser.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import type { World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

const ORIGIN = `http://${HOST}`

describe.each(ENGINES)('a passkey on %s', (engine) => {
  let world: World
  const authenticator = new Authenticator()

  beforeAll(async () => {
    world = await openSite(engine)
    const ada = await signedIn(world)
    const { json } = await ada.call('POST', '/app/passkeys/options', { password: PASSWORD })
    const answer = authenticator.register({ challenge: json.challenge, origin: ORIGIN })
    expect((await ada.call('POST', '/app/passkeys', answer)).status).toBe(204)
  })
  afterAll(() => world.close())
  beforeEach(() => world.clock.advance(61_000))

  async function begin(): Promise<{ browser: Browser; challenge: string }> {
    const browser = new Browser(world)
    const { json } = await browser.call('POST', '/app/session/passkey/options')
    return { browser, challenge: json.challenge }
  }
  const finish = (browser: Browser, answer: unknown) => browser.call('POST', '/app/session/passkey', answer)
  const accountOf = async (browser: Browser) => (await browser.call('GET', '/app/session')).json.account?.email ?? null

  test('opens the account it was made for', async () => {
    const { browser, challenge } = await begin()
    expect((await finish(browser, authenticator.signIn({ challenge, origin: ORIGIN }))).status).toBe(200)
    expect(await accountOf(browser)).toBe('ada@example.org')
  })

  test('answers a challenge once: what was recorded opens nothing again', async () => {
    const { browser, challenge } = await begin()
    const cookies = browser.cookie
    const answer = authenticator.signIn({ challenge, origin: ORIGIN })
    expect((await finish(browser, answer)).status).toBe(200)
    const again = await new Browser(world).call('POST', '/app/session/passkey', answer, { cookie: cookies })
    expect(again.status).toBe(401)
    expect(again.headers['set-cookie'] ?? '').not.toContain('session_token')
  })

  test('answers the challenge of its own browser, and no other', async () => {
    const [one, other] = [await begin(), await begin()]
    const answer = authenticator.signIn({ challenge: one.challenge, origin: ORIGIN })
    expect((await finish(other.browser, answer)).status).toBe(401)
    expect(await accountOf(other.browser)).toBeNull()
  })

  test('answers no challenge that is too old', async () => {
    const { browser, challenge } = await begin()
    // biome-ignore lint/suspicious/noExplicitAny: a table of the library's own, not among ours
    const db = world.store.db.withoutPlugins() as any
    const past = engine === 'sqlite' ? new Date(0).toISOString() : new Date(0)
    await db.updateTable('verification').set({ expiresAt: past }).execute()
    expect((await finish(browser, authenticator.signIn({ challenge, origin: ORIGIN }))).status).toBe(401)
  })

  test('that was asked for by a page of another site opens nothing', async () => {
    const { browser, challenge } = await begin()
    const answer = authenticator.signIn({ challenge, origin: 'http://heating.local.evil.example' })
    expect((await finish(browser, answer)).status).toBe(401)
  })

  test('of another authenticator opens nothing', async () => {
    const { browser, challenge } = await begin()
    expect((await finish(browser, new Authenticator().signIn({ challenge, origin: ORIGIN }))).status).toBe(401)
  })

  test('stands in for password and second factor, so the authenticator must have verified the person', async () => {
    const { browser, challenge } = await begin()
    const answer = authenticator.signIn({ challenge, origin: ORIGIN, isVerified: false })
    expect((await finish(browser, answer)).status).toBe(401)
    expect(await accountOf(browser)).toBeNull()
    const asked = await browser.call('POST', '/app/session/passkey/options')
    expect(asked.json.userVerification).toBe('required')
  })

  test('that an authenticator made without verifying the person is not added', async () => {
    const ada = await signedIn(world)
    const { json } = await ada.call('POST', '/app/passkeys/options', { password: PASSWORD })
    expect(json.authenticatorSelection.userVerification).toBe('required')
    const answer = new Authenticator().register({ challenge: json.challenge, origin: ORIGIN, isVerified: false })
    expect((await ada.call('POST', '/app/passkeys', answer)).status).toBe(401)
    expect((await ada.call('GET', '/app/passkeys')).json).toHaveLength(1)
  })
})
