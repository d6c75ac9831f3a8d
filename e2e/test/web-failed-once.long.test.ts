import { afterAll, beforeAll, expect, test } from 'vitest'
import { bringToLife, describeInBrowser, HOUSE, Site } from './site.ts'

describeInBrowser('what did not come', () => {
  const site = new Site()
  beforeAll(async () => {
    await site.start()
    const { building } = await site.addHouse(await site.addAccount(), HOUSE)
    await bringToLife(site, building.id)
  })
  afterAll(() => site.stop())

  test('a proxy without its service is asked again by itself', async () => {
    const page = await site.openSignedIn('phone', { path: '/no-such-page' })
    const bad = { status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }
    await page.route('**/app/webhooks', (route) => route.fulfill(bad), { times: 1 })
    await page.goto(`${site.url}/settings/webhooks`)
    await page.getByRole('button', { name: 'Add a webhook' }).waitFor()
    await site.leave(page)
  })

  test('a change whose answer broke off is not “sending” for good', async () => {
    const page = await site.openSignedIn('phone')
    const half = { status: 200, contentType: 'application/json', body: '{"id":' }
    await page.route('**/app/rooms/*', (route) => route.fulfill(half), { times: 1 })
    const kitchen = page.getByRole('article', { name: 'Kitchen' })
    await kitchen.getByRole('button', { name: 'Raise Kitchen by half a degree' }).press('Enter')
    await kitchen.getByRole('button', { name: 'Try again' }).click()
    await expect.poll(async () => (await site.room('Kitchen')).targetC).toBe(20.5)
    await site.leave(page)
  })

  test('a connection that failed for a moment is not “lost” while its events arrive', async () => {
    const page = await site.openSignedIn('phone')
    const cellar = page.getByRole('article', { name: 'Cellar' })
    await cellar.waitFor()
    const isGone = (url: URL) => url.pathname === '/health/live' || url.pathname.startsWith('/app/rooms/')
    await page.route(isGone, (route) => route.abort())
    await cellar.getByRole('button', { name: 'Raise Cellar by half a degree' }).press('Enter')
    const lost = page.getByText('No connection. Last update')
    await lost.waitFor()
    await page.unroute(isGone)
    const other = await site.openSignedIn('desktop')
    await other.getByRole('button', { name: 'Raise Bathroom by half a degree' }).press('Enter')
    await lost.waitFor({ state: 'detached' })
    await site.leave(other)
    await site.leave(page)
  })
})
