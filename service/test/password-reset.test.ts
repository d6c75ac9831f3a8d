import { Browser, openSite, PASSWORD, signedIn, WEBSITE } from '@hypocaust/testing/browser.ts'
import { MINUTE_MS } from '@hypocaust/testing/clock.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { MailServer, PUBLIC_URL, type ReceivedMail } from '@hypocaust/testing/mail-server.ts'
import { addPasskey, passkeysIn } from '@hypocaust/testing/passkeys.ts'
import type { World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { choose } from '../src/people/alerts/choices.ts'
import { listKeys } from '../src/people/keys/keys.ts'
import { checkMail } from '../src/people/notify/mail/check.ts'
import { addWebhook, webhooksOf } from '../src/people/webhooks/webhooks.ts'
import { readSettings } from '../src/settings.ts'

const NEW_PASSWORD = 'a new horse every day'

describe.each(ENGINES)('a forgotten password on %s', (engine) => {
  let world: World
  const mail = new MailServer()

  beforeAll(async () => {
    await mail.start()
    world = await openSite(engine, { website: { ...WEBSITE, mailer: mail.mailer() } })
  })
  afterAll(async () => {
    await world.close()
    await mail.stop()
  })
  beforeEach(() => {
    mail.received.length = 0
    world.clock.advance(16 * MINUTE_MS)
  })

  const forget = (email: string, headers = {}, language = 'en') =>
    new Browser(world).call('POST', '/app/password/forgotten', { email, language }, headers)

  async function letterTo(email: string): Promise<ReceivedMail> {
    await eventually(async () => mail.received.some(({ to }) => to === email))
    return mail.received.find(({ to }) => to === email) as ReceivedMail
  }

  const linkIn = ({ text }: ReceivedMail): URL => new URL(/https?:\/\/\S+/.exec(text)?.[0] ?? '')
  const tokenIn = (letter: ReceivedMail): string => new URLSearchParams(linkIn(letter).hash.slice(1)).get('token') ?? ''
  const reset = (token: string, password: string) =>
    new Browser(world).call('POST', '/app/password/reset', { token, password })

  test('is replaced through a link that works once; the old one, all sessions and passkeys end', async () => {
    const elsewhere = await signedIn(world)
    await addPasskey(world.store, world.holder.accountId)
    expect((await forget('Ada@Example.org')).status).toBe(204)
    const letter = await letterTo('ada@example.org')
    expect(letter.subject).toBe('A new password for Hypocaust')
    const token = tokenIn(letter)
    expect((await reset(token, NEW_PASSWORD)).status).toBe(204)
    expect(await passkeysIn(world.store)).toEqual([])
    expect((await elsewhere.call('GET', '/app/buildings')).status).toBe(401)
    expect((await new Browser(world).signIn('ada@example.org', PASSWORD)).status).toBe(401)
    expect((await new Browser(world).signIn('ada@example.org', NEW_PASSWORD)).status).toBe(200)
    expect((await reset(token, 'and yet another one')).json.error.code).toBe('wrong_credentials')
    expect((await new Browser(world).signIn('ada@example.org', NEW_PASSWORD)).status).toBe(200)
  })

  test('is replaced once: a link of an earlier letter ends with it, and with a password changed meanwhile', async () => {
    const email = 'bob@example.org'
    await forget(email)
    const earlier = tokenIn(await letterTo(email))
    mail.received.length = 0
    await forget(email)
    expect((await reset(tokenIn(await letterTo(email)), NEW_PASSWORD)).status).toBe(204)
    expect((await reset(earlier, 'of whoever reads the mail')).json?.error.code).toBe('wrong_credentials')

    mail.received.length = 0
    await forget(email)
    const unused = tokenIn(await letterTo(email))
    const bob = await signedIn(world, email)
    expect((await bob.call('PUT', '/app/password', { current: NEW_PASSWORD, next: PASSWORD })).status).toBe(204)
    expect((await reset(unused, 'of whoever reads the mail')).json?.error.code).toBe('wrong_credentials')
    expect((await new Browser(world).signIn(email, PASSWORD)).status).toBe(200)
  })

  test('is replaced together with the API keys and webhooks, where the page was asked to', async () => {
    const { accountId } = world.holder
    const open = async () => (await listKeys(world.store, accountId)).filter(({ revokedAt }) => revokedAt === null)
    expect(await open()).toHaveLength(2)
    await addWebhook(
      world.store,
      accountId,
      { url: 'https://receiver.example/', events: ['change'] },
      world.clock.now(),
    )
    await forget('ada@example.org')
    const token = tokenIn(await letterTo('ada@example.org'))
    const body = { token, password: NEW_PASSWORD, revoke_keys: true }
    expect((await new Browser(world).call('POST', '/app/password/reset', body)).status).toBe(204)
    expect(await open()).toEqual([])
    expect(await webhooksOf(world.store, accountId)).toEqual([])
  })

  test('is asked for with the same answer whether there is such an account or not, and nobody else gets mail', async () => {
    const unknown = await forget('nobody@example.org')
    const nonsense = await forget('not an address')
    const known = await forget('bob@example.org')
    for (const answer of [unknown, nonsense]) {
      expect([answer.status, answer.text]).toEqual([known.status, known.text])
    }
    await letterTo('bob@example.org')
    expect(mail.received.map(({ to }) => to)).toEqual(['bob@example.org'])
  })

  test('leads to the configured address, whatever host the request names', async () => {
    await forget('bob@example.org', { host: 'evil.example', origin: 'http://evil.example' })
    const letter = await letterTo('bob@example.org')
    expect(linkIn(letter).origin).toBe(PUBLIC_URL)
    expect(letter.text + letter.html).not.toContain('evil')
  })

  test('the link’s token is not in the database, ends with the hour, and needs a password that is long enough', async () => {
    await forget('bob@example.org')
    const token = tokenIn(await letterTo('bob@example.org'))
    expect((await reset(token, 'short')).status).toBe(400)
    const { db } = world.store
    // biome-ignore lint/suspicious/noExplicitAny: a table of the library's own, not among ours
    const verification = db.withoutPlugins() as any
    const rows = await verification.selectFrom('verification').selectAll().execute()
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain(token)
    const remainingMs = new Date(rows.at(-1).expiresAt).getTime() - Date.now()
    expect(remainingMs).toBeGreaterThan(50 * MINUTE_MS)
    expect(remainingMs).toBeLessThanOrEqual(60 * MINUTE_MS)
    const past = engine === 'sqlite' ? new Date(0).toISOString() : new Date(0)
    await verification.updateTable('verification').set({ expiresAt: past }).execute()
    expect((await reset(token, NEW_PASSWORD)).json.error.code).toBe('wrong_credentials')
    expect((await new Browser(world).signIn('bob@example.org', PASSWORD)).status).toBe(200)
  })

  test('is written about in the account’s language, else in that of the page', async () => {
    await forget('bob@example.org', {}, 'de')
    expect((await letterTo('bob@example.org')).subject).toBe('Ein neues Passwort für Hypocaust')
    mail.received.length = 0
    await choose(world.store, world.stranger.accountId, { mail: false, language: 'en', muted: [] })
    await forget('bob@example.org', {}, 'de')
    expect((await letterTo('bob@example.org')).subject).toBe('A new password for Hypocaust')
  })

  test('fills no mailbox: a fourth letter within a quarter of an hour is refused, known address or not', async () => {
    for (const email of ['bob@example.org', 'nobody@example.org']) {
      const answers = [await forget(email), await forget(email), await forget(email), await forget(email)]
      expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 429])
    }
    world.clock.advance(15 * MINUTE_MS)
    expect((await forget('bob@example.org')).status).toBe(204)
    await eventually(async () => mail.received.length === 4)
  })

  test('guessing at tokens is slowed down', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, (_, i) => reset(`guess ${i}`, NEW_PASSWORD)))
    expect(answers.map(({ status }) => status)).toContain(429)
  })
})

describe('without a mail server', () => {
  test('the page learns it, and no reset can be requested', async () => {
    const world = await openSite('sqlite')
    const browser = new Browser(world)
    expect((await browser.call('GET', '/app/session')).json.reset_by_mail).toBe(false)
    const asked = await browser.call('POST', '/app/password/forgotten', { email: 'ada@example.org', language: 'en' })
    expect(asked.status).toBe(404)
    await world.close()
  })
})

describe('the check of the mail server', () => {
  const settingsWith = (env: Record<string, string>) => readSettings({}, env, '/none.yaml')
  const rest = { HYPOCAUST_MAIL_FROM: 'heating@example.org', HYPOCAUST_PUBLIC_URL: 'https://heating.example/' }

  test('says whether it answers, what is missing beside it, and nothing where none is named', async () => {
    const mail = new MailServer()
    await mail.start()
    const url = mail.url
    expect(await checkMail(settingsWith({ HYPOCAUST_SMTP_URL: url, ...rest }))).toMatchObject([{ ok: true }])
    await mail.stop()
    expect(await checkMail(settingsWith({ HYPOCAUST_SMTP_URL: url, ...rest }))).toMatchObject([{ ok: false }])
    const [half] = await checkMail(settingsWith({ HYPOCAUST_SMTP_URL: url }))
    expect(half?.finding).toContain('HYPOCAUST_MAIL_FROM')
    expect(await checkMail(settingsWith({}))).toEqual([])
  })

  test('a wrong password for it is found', async () => {
    const mail = new MailServer()
    await mail.start({
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) =>
        password === 'right' ? done(null, { user: username }) : done(new Error('no')),
    })
    const at = (password: string) => mail.url.replace('//', `//heating:${password}@`)
    expect(await checkMail(settingsWith({ HYPOCAUST_SMTP_URL: at('right'), ...rest }))).toMatchObject([{ ok: true }])
    const [refused] = await checkMail(settingsWith({ HYPOCAUST_SMTP_URL: at('wrong'), ...rest }))
    expect(refused).toMatchObject({ ok: false })
    expect(refused?.finding).not.toContain('wrong@')
    await mail.stop()
  })
})
