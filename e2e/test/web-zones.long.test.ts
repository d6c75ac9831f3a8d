import { DAY_MS } from '@hypocaust/domain/facts'
import { createKey, systemClock } from '@hypocaust/service'
import { settleMember } from '@hypocaust/testing/members.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bringToLife, describeInBrowser, HOUSE, Site } from './site.ts'

/** In one of them it is another day than in Oslo, whatever the time there. */
const FAR = ['Pacific/Kiritimati', 'Pacific/Pago_Pago']
const THERE = { timezoneId: 'Europe/Oslo' }
const NOTE = 'All times are the house’s local time.'

describeInBrowser('a reader in another time zone than the house', () => {
  const site = new Site()
  let paths: string[] = []
  beforeAll(async () => {
    await site.start()
    const accountId = await site.addAccount()
    const { building, rooms } = await site.addHouse(accountId, HOUSE)
    const now = Date.now()
    await bringToLife(site, building.id, now)
    const guest = { email: 'bo@example.org', role: 'guest' as const, endsAt: now + 3 * DAY_MS }
    await settleMember(site.store, systemClock, { buildingId: building.id, ...guest })
    await createKey(site.store, systemClock, { accountId, name: 'Sheet', permission: 'read', expiresAt: now + DAY_MS })
    const [room] = rooms
    paths = [
      '/',
      ...['', '/setup', '/settings', '/record', '/members', '/changes', '/energy', '/presence', '/calendars'].map(
        (page) => `/buildings/${building.id}${page}`,
      ),
      ...['', '/settings', '/programme'].map((page) => `/rooms/${room?.id}${page}`),
      '/alerts',
      ...['', '/keys', '/notifications', '/security'].map((page) => `/settings${page}`),
    ]
  })
  afterAll(() => site.stop())

  test.each(FAR)('in %s sees every time by the clocks of the house, and that it is so', async (timezoneId) => {
    const [there, far] = await Promise.all([
      site.openSignedIn('phone', THERE),
      site.openSignedIn('phone', { timezoneId }),
    ])
    for (const path of paths) {
      await Promise.all([there, far].map((page) => page.goto(site.url + path)))
      await far.getByText(NOTE).waitFor()
      // Minutes pass, and answers come one after the other: until both show the same.
      await expect.poll(() => differences(path, there, far)).toEqual([])
      expect(await there.getByText(NOTE).count()).toBe(0)
    }
    await Promise.all([site.leave(there), site.leave(far)])
  })
})

/** Lines that only one of the two sees; of a page that is still loading, that it is. */
async function differences(path: string, there: Page, far: Page): Promise<string[]> {
  const [own = [], others = []] = await Promise.all([there, far].map(lines))
  const differing = [...new Set(own).symmetricDifference(new Set(others))]
  return differing.filter((line) => !line.startsWith(NOTE)).map((line) => `${path}: ${line}`)
}

async function lines(page: Page): Promise<string[]> {
  const main = page.getByRole('main')
  if ((await main.locator('.skeleton').count()) > 0) return [`still loading: ${page.url()}`]
  return (await main.innerText()).split('\n')
}
