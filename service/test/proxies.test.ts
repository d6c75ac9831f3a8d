import { Browser, openSite, PASSWORD } from '@hypocaust/testing/browser.ts'
import type { World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const EMAIL = 'ada@example.org'
/** As the request arrives here: from the proxy, which is this machine. */
const signIn = (browser: Browser, password: string, forwarded: Record<string, string>) =>
  browser.call('POST', '/app/session', { email: EMAIL, password }, forwarded)

async function guessUntilSlowedDown(world: World, forwarded: Record<string, string>): Promise<void> {
  const browser = new Browser(world)
  for (let i = 0; i < 5; i++) expect((await signIn(browser, 'wrong password', forwarded)).status).toBe(401)
  expect((await signIn(browser, PASSWORD, forwarded)).status).toBe(429)
}

describe('behind a proxy that is trusted', () => {
  let world: World
  beforeAll(async () => {
    world = await openSite('sqlite', { trustedProxies: '127.0.0.1, 10.0.0.0/8' })
  })
  afterAll(() => world.close())

  test('guessing slows down the address the proxy names, and no other', async () => {
    await guessUntilSlowedDown(world, { 'x-forwarded-for': '203.0.113.7' })
    const elsewhere = await signIn(new Browser(world), PASSWORD, { 'x-forwarded-for': '198.51.100.4' })
    expect(elsewhere.status).toBe(200)
  })

  test('addresses of one IPv6 network count as one caller, those of another do not', async () => {
    const from = (address: string) => ({ 'x-forwarded-for': address })
    const callers = ['1', '2', '3', '4', '5'].map((host) => from(`2001:db8:1:2::${host}`))
    for (const caller of callers) expect((await signIn(new Browser(world), 'wrong password', caller)).status).toBe(401)
    expect((await signIn(new Browser(world), PASSWORD, from('2001:db8:1:2:aaaa::6'))).status).toBe(429)
    expect((await signIn(new Browser(world), PASSWORD, from('2001:db8:1:3::1'))).status).toBe(200)
  })

  test('what a caller claims beyond the proxies is not believed', async () => {
    await guessUntilSlowedDown(world, { 'x-forwarded-for': '1.1.1.1, 203.0.113.8, 10.1.2.3' })
    const claimed = await signIn(new Browser(world), PASSWORD, { 'x-forwarded-for': '2.2.2.2, 203.0.113.8, 10.1.2.3' })
    expect(claimed.status).toBe(429)
  })

  test('a session remembers the caller’s address, and the cookie is Secure', async () => {
    const browser = new Browser(world, 'https')
    await signIn(browser, PASSWORD, { 'x-forwarded-for': '198.51.100.9' })
    expect(browser.setCookies[0]).toMatch(/; Secure/i)
    const { json } = await browser.call('GET', '/app/sessions')
    expect(json[0].address).toBe('198.51.100.9')
  })
})

test('nobody else is believed: a made-up address does not help to guess on', async () => {
  const world = await openSite('sqlite')
  await guessUntilSlowedDown(world, { 'x-forwarded-for': '203.0.113.7' })
  expect((await signIn(new Browser(world), PASSWORD, { 'x-forwarded-for': '198.51.100.4' })).status).toBe(429)
  await world.close()
})
