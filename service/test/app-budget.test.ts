import { DAY_MS } from '@hypocaust/domain'
import { type Browser, openSite, signedIn } from '@hypocaust/testing/browser.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { expect, test } from 'vitest'

/** A year of one room. */
const COST = 30
const UNITS_A_MINUTE = 6000
const REPLAYS_A_MINUTE = 20

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

test.each(ENGINES)(
  'an account has twenty replays of rooms a minute, and the rest of the website after, on %s',
  async (engine) => {
    const world = await openSite(engine)
    const [ada, bob] = [await signedIn(world), await signedIn(world, 'bob@example.org')]
    const room = `/app/rooms/${world.bathroomId}`
    // Of a room that is not only watched there is nothing to replay, which counts all the same.
    const replay = () => ada.call('GET', `${room}/shadow`)
    for (let asked = 0; asked < REPLAYS_A_MINUTE; asked++) expect((await replay()).status).toBe(204)
    expect((await replay()).status).toBe(429)
    expect((await ada.call('POST', `${room}/what-if`, {})).status).toBe(429)
    expect((await ada.call('GET', '/app/buildings')).status).toBe(200)
    expect((await bob.call('GET', `/app/rooms/${world.stranger.roomIds[0]}/shadow`)).status).toBe(204)
    world.clock.advance(60_000)
    expect((await replay()).status).toBe(204)
    await world.close()
  },
)
