import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { barriers } from './barriers.ts'
import { bringToLife, describeInBrowser, HOUSE, pressed, Site } from './site.ts'

/** An overloaded service that wants to be asked again at once: soon enough the page gives up. */
const BUSY = {
  status: 503,
  headers: { 'retry-after': '0' },
  json: { error: { code: 'unavailable', message: 'Too many requests are under way.' } },
}

describeInBrowser('what did not come', () => {
  const site = new Site()
  let buildingId = ''
  let roomId = ''
  beforeAll(async () => {
    await site.start()
    const { building, rooms } = await site.addHouse(await site.addAccount(), HOUSE)
    await bringToLife(site, building.id)
    buildingId = building.id
    roomId = rooms[0]?.id ?? ''
  })
  afterAll(() => site.stop())

  const tryAgain = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Try again' })

  describe('of answers', () => {
    const cases: [answer: string, path: () => string, asked: RegExp, shown: string][] = [
      ['a building on the first page', () => '/', /\/buildings\?id=/, 'article >> text=Bathroom'],
      ['the building of a room', () => `/rooms/${roomId}`, /\/buildings\?id=/, '.uplot canvas'],
      ['an outlook', () => `/rooms/${roomId}`, /\/rooms\/[^/]+\/outlook$/, '[aria-labelledby=why] p:not([role])'],
      ['an explanation', () => `/rooms/${roomId}`, /\/explanation$/, 'text=/In detail|No decision/'],
      ['a history', () => `/rooms/${roomId}`, /\/history\?/, '.uplot canvas'],
      ['links to a programme', () => `/rooms/${roomId}/programme`, /\/programme\/links$/, 'text=Make link'],
      ['members', () => `/buildings/${buildingId}/members`, /\/members$/, 'text=ada@example.org'],
      ['invitations', () => `/buildings/${buildingId}/members`, /\/invitations$/, 'h1'],
      ['gateways of a record', () => `/buildings/${buildingId}/record`, /\/gateways$/, 'h1 >> text=Lakeside'],
      ['a screed', () => `/buildings/${buildingId}/screed`, /\/screed$/, 'h1 >> text=Screed'],
      ['heat', () => `/buildings/${buildingId}/energy`, /\/energy\?/, 'h1 >> text=Heat'],
      ['calendars', () => `/buildings/${buildingId}/calendars`, /\/calendars$/, 'role=button[name="Add calendar"]'],
      ['changes', () => `/buildings/${buildingId}/changes`, /\/changes/, 'li'],
      ['sensors of a room', () => `/rooms/${roomId}/settings`, /\/sensors$/, 'h1'],
      ['past alerts', () => '/alerts', /\/alerts\/past$/, 'text=None in the last 90 days.'],
      ['notifications', () => '/settings/notifications', /\/notifications$/, 'role=switch >> nth=0'],
      ['sessions', () => '/settings/security', /\/sessions$/, 'text=this device'],
      ['keys', () => '/settings/keys', /\/keys$/, 'role=button[name="Create a key"]'],
      ['webhooks', () => '/settings/webhooks', /\/webhooks$/, 'role=button[name="Add a webhook"]'],
      ['apps', () => '/settings/apps', /\/connected-apps$/, 'text=No app is connected.'],
      ['buildings of the settings', () => '/settings', /\/overview$/, 'text=Gateways, sensors, rooms'],
    ]

    test.each(cases)('%s: the page says why, and asks again', async (_answer, path, asked, shown) => {
      const page = await site.openSignedIn('phone', { path: '/no-such-page' })
      let isBusy = true
      const isAsked = (url: URL) => url.pathname.startsWith('/app/') && asked.test(url.href)
      await page.route(isAsked, (route) => (isBusy ? route.fulfill(BUSY) : route.continue()))
      await page.goto(site.url + path())
      await tryAgain(page).waitFor()
      await page.getByRole('main').getByText('The service is overloaded.').waitFor()
      expect(await barriers(page, path())).toEqual([])
      isBusy = false
      await pressed(tryAgain(page))
      await page.getByRole('main').locator(shown).first().waitFor()
      await tryAgain(page).waitFor({ state: 'detached' })
      await site.leave(page)
    })
  })

  test('after a lost stream of events what failed is asked for again by itself', async () => {
    const page = await site.openSignedIn('phone', { path: '/no-such-page' })
    let isBusy = true
    await page.route('**/app/webhooks', (route) => (isBusy ? route.fulfill(BUSY) : route.continue()))
    await page.goto(`${site.url}/settings/webhooks`)
    await tryAgain(page).waitFor()
    isBusy = false
    for (const type of ['pagehide', 'pageshow'])
      await page.evaluate(`dispatchEvent(new PageTransitionEvent('${type}', { persisted: true }))`)
    await page.getByRole('button', { name: 'Add a webhook' }).waitFor()
    await site.leave(page)
  })

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

  test('a page that could not be drawn is drawn when it is opened again', async () => {
    const page = await site.openSignedIn('phone')
    await page.evaluate(`{
      const { getContext } = HTMLCanvasElement.prototype
      HTMLCanvasElement.prototype.getContext = () => { throw new Error('no canvas') }
      window.mend = () => { HTMLCanvasElement.prototype.getContext = getContext }
    }`)
    const bathroom = page.getByRole('article', { name: 'Bathroom' }).getByRole('link', { name: 'Bathroom' })
    await bathroom.click()
    await page.getByRole('button', { name: 'Reload' }).waitFor()
    await page.evaluate('mend()')
    await page.getByRole('link', { name: 'Home', exact: true }).click()
    await bathroom.click()
    await page.locator('.uplot canvas').waitFor()
    await site.leave(page)
  })

  describe('of parts of the website', () => {
    const opened = (page: Page) => page.getByRole('navigation', { name: 'Pages', exact: true }).waitFor()
    const cases: [
      part: string,
      file: string,
      path: () => string,
      open: (page: Page) => Promise<unknown>,
      shown: string,
    ][] = [
      ['the chart', 'chart', () => `/rooms/${roomId}`, opened, '.uplot canvas'],
      ['the strips', 'strips', () => '/', opened, 'text=The last 24 hours'],
      [
        'a dialog',
        'away-dialog',
        () => '/',
        (page) => page.getByRole('button', { name: 'Away', exact: true }).click(),
        'role=dialog',
      ],
      [
        'a page outside',
        'sign-in',
        () => '/',
        (page) =>
          page
            .context()
            .clearCookies()
            .then(() => page.reload()),
        'text=E-mail address',
      ],
    ]

    test.each(cases)('%s: the page says so, and asks again', async (_part, file, path, open, shown) => {
      const page = await site.openSignedIn('desktop', { path: '/no-such-page' })
      let isGone = true
      // Without a connection the page is not loaded anew.
      for (const address of [`**/assets/${file}-*.js`, '**/health/live'])
        await page.route(address, (route) => (isGone ? route.abort() : route.continue()))
      await page.goto(site.url + path())
      await open(page)
      const again = page.getByRole('main').getByRole('button', { name: 'Try again' })
      await again.waitFor()
      expect(await barriers(page, path())).toEqual([])
      isGone = false
      await again.click()
      await page.locator(shown).first().waitFor()
      await site.leave(page)
    })
  })
})
