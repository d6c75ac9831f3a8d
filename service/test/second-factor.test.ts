import { Browser, openSite, PASSWORD, signedIn } from '@hypocaust/testing/browser.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { codeOf } from '@hypocaust/testing/totp.ts'
import type { World } from '@hypocaust/testing/world.ts'
import type { Kysely } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

describe.each(ENGINES)('a second factor on %s', (engine) => {
  let world: World
  let uri: string
  let backupCodes: string[]
  beforeAll(async () => {
    world = await openSite(engine)
  })
  afterAll(() => world.close())

  const enter = (browser: Browser, code: string) => browser.call('POST', '/app/session/code', { code })
  const halfway = async () => {
    const browser = new Browser(world)
    expect((await browser.signIn()).json).toEqual({ next: 'second_factor' })
    expect(browser.setCookies.join()).not.toContain('hypocaust.device=')
    return browser
  }

  test('is begun with the password once more, and not without', async () => {
    const browser = await signedIn(world)
    expect((await browser.call('POST', '/app/totp', {})).status).toBe(400)
    expect((await browser.call('POST', '/app/totp', { password: 'wrong password' })).status).toBe(401)
    const { json } = await browser.call('POST', '/app/totp', { password: PASSWORD })
    uri = json.uri
    backupCodes = json.backup_codes
    const confirmed = await browser.call('POST', '/app/totp/confirm', { code: codeOf(uri, Date.now()) })
    expect(confirmed.json).toEqual({ next: 'signed_in' })
  })

  test('a code opens once: not the one it was confirmed with, and none a second time', async () => {
    // Codes of the half minute before and after are accepted too, so one is left that was not used.
    const next = codeOf(uri, Date.now() + 30_000)
    const owner = await halfway()
    expect((await enter(owner, next)).status).toBe(200)
    const thief = await halfway()
    const refused = await enter(thief, next)
    expect([refused.status, refused.json.error.code]).toEqual([401, 'wrong_credentials'])
    expect((await thief.call('GET', '/app/buildings')).status).toBe(401)
    expect((await owner.call('GET', '/app/buildings')).status).toBe(200)
  })

  test('after ten wrong codes the right one is not called wrong: it is locked, and until when', async () => {
    for (let wrong = 0; wrong < 10; wrong++) {
      world.clock.advance(60_000)
      expect((await enter(await halfway(), '000000')).json.error.code).toBe('wrong_credentials')
    }
    world.clock.advance(60_000)
    const { status, headers, json } = await enter(await halfway(), codeOf(uri, Date.now()))
    expect([status, json.error.code]).toEqual([429, 'rate_limited'])
    expect(json.error.message).toMatch(/locked until \d\d:\d\d UTC/)
    expect(Number(headers['retry-after'])).toBeGreaterThan(10 * 60)
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(15 * 60)
    const plain = world.store.db.withoutPlugins() as unknown as Kysely<{ twoFactor: { lockedUntil: string | null } }>
    await plain.updateTable('twoFactor').set({ lockedUntil: null }).execute()
  })

  test('a device is known after the second factor, and not before', async () => {
    const browser = await halfway()
    expect((await enter(browser, backupCodes[0] ?? '')).status).toBe(200)
    expect(browser.setCookies.join()).toContain('hypocaust.device=')
    expect((await browser.call('DELETE', '/app/session')).status).toBe(204)
    // Strangers guess from many addresses; the owner's own device still gets in.
    for (let i = 0; i < 31; i++)
      await new Browser(world).call(
        'POST',
        '/app/session',
        { email: 'ada@example.org', password: 'wrong password' },
        { 'x-forwarded-for': `192.0.2.${i}` },
      )
    expect((await browser.signIn()).json).toEqual({ next: 'second_factor' })
  })
})
