import { DAY_MS } from '@hypocaust/domain'
import { type Browser, openSite, signedIn } from '@hypocaust/testing/browser.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { expect, test } from 'vitest'

/** A year of one room. */
const COST = 30
const UNITS_A_MINUTE = 6000

test.each(ENGINES)(
  'an account uses up its own units on /app and nobody else’s, for a minute, on %s',
  async (engine) => {
    const world = await openSite(engine)
    const [ada, bob] = [await signedIn(world), await signedIn(world, 'bob@example.org')]
    const daysAgo = (days: number) => Math.floor((world.clock.now() - days * DAY_MS) / 1000)
    const roomId = world.bathroomPath.split('/').at(-1)
    const year = (browser: Browser) =>
      browser.call('GET', `/app/rooms/${roomId}/history?from=${daysAgo(365)}&to=${daysAgo(0)}`)
    for (let used = 0; used < UNITS_A_MINUTE; used += COST) expect((await year(ada)).status).toBe(200)
    const refused = await year(ada)
    expect([refused.status, refused.json.error.code]).toEqual([429, 'rate_limited'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await ada.call('GET', '/app/buildings')).status).toBe(429)
    expect((await bob.call('GET', '/app/buildings')).status).toBe(200)
    // Who is signed in, and signing out, are never refused.
    expect((await ada.call('GET', '/app/session')).json.account.email).toBe('ada@example.org')
    world.clock.advance(1000 * Number(refused.headers['retry-after']))
    expect((await year(ada)).status).toBe(200)
    await world.close()
  },
)
