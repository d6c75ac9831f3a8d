import { eventually } from '@hypocaust/testing/eventually.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeInBrowser, keptAddresses, signIn, signOut, siteWithHouse, WITH_SERVICE_WORKER } from './site.ts'

describeInBrowser('what a device keeps for a time without a connection', () => {
  const site = siteWithHouse()

  // One page for all: its service worker loads the whole website.
  describe('by its service worker', () => {
    let page: Page
    beforeAll(async () => {
      page = await site.open('phone', WITH_SERVICE_WORKER)
      await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
      await signIn(page)
      await page.reload()
    })
    afterAll(() => site.leave(page))

    test('without a connection the last state is shown, and marked as old', async () => {
      await page.getByRole('article', { name: 'Bathroom' }).getByRole('link', { name: 'Bathroom' }).click()
      await page.locator('.uplot canvas').waitFor()
      await site.stopService()
      await page.reload()
      await page.getByText(/No connection\. Last update: .*\d\d:\d\d/).waitFor()
      await page.locator('.uplot canvas').waitFor()
      await page
        .getByRole('region', { name: 'History' })
        .getByText(/^As of .*\d\d:\d\d$/)
        .waitFor()
      await page.getByRole('link', { name: 'Home' }).click()
      await page.getByRole('article', { name: 'Bathroom' }).getByText('20.5°', { exact: true }).waitFor()
      await site.startService()
      await page.reload()
      await page.getByRole('article', { name: 'Bathroom' }).getByText('20.5°', { exact: true }).waitFor()
      await page.getByText('No connection').waitFor({ state: 'hidden' })
    })

    test('of the answers kept for a time without a connection, the oldest give way', async () => {
      const [first = '', ...others] = Array.from({ length: 201 }, (_, n) => `${site.url}/app/session?n=${n}`)
      await page.evaluate(`(async () => {
        await fetch(${JSON.stringify(first)})
        await Promise.all(${JSON.stringify(others)}.map((address) => fetch(address)))
      })()`)
      await eventually(async () => {
        const addresses = await keptAddresses(page)
        return addresses.length === 200 && !addresses.includes(first)
      })
    })

    test('an answer that arrives after the sign-out is in no cache', async () => {
      await page.getByRole('article', { name: 'Bathroom' }).waitFor()
      const [asked, signedOut] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      await page.context().route('**/app/alerts?held', async (route) => {
        const response = await route.fetch()
        asked.resolve()
        await signedOut.promise
        await route.fulfill({ response })
      })
      await page.evaluate(`void (globalThis.held = fetch('/app/alerts?held').then((answer) => answer.text()))`)
      await asked.promise
      await signOut(page)
      signedOut.resolve()
      expect(await page.evaluate('globalThis.held')).toContain('Lakeside 12')
      // Answers are kept in their order: once a later one is, the earlier one would be.
      await page.evaluate(`fetch('/app/session?later')`)
      await eventually(async () => (await keptAddresses(page)).includes(`${site.url}/app/session?later`))
      const other = (await keptAddresses(page)).filter((address) => !address.startsWith(`${site.url}/app/session`))
      expect(other).toEqual([])
    })
  })

  test('what an overloaded service has refused is asked for again after the time it names', async () => {
    const page = await site.openSignedIn('phone')
    const json = { error: { code: 'unavailable', message: 'Too many requests are under way.' } }
    const refusal = { status: 503, headers: { 'retry-after': '1' }, json }
    const history = /\/app\/rooms\/[^/]+\/history/
    let asked = 0
    const statuses: number[] = []
    page.on('request', (request) => history.test(request.url()) && asked++)
    page.on('response', (answer) => history.test(answer.url()) && statuses.push(answer.status()))
    await page.route(history, (route) => route.fulfill(refusal), { times: 2 })
    await page.clock.install()
    // From here on the page's time passes only by the test.
    await page.clock.pauseAt(Date.now() + 60_000)
    await page.getByRole('article', { name: 'Bathroom' }).getByRole('link', { name: 'Bathroom' }).click()
    for (const refusals of [1, 2]) {
      await eventually(() => statuses.length === refusals)
      // It may be heard here before the page has set its timer.
      await eventually(async () => {
        await page.clock.runFor(250)
        return asked > refusals
      })
    }
    await eventually(() => statuses.length === 3)
    expect(statuses).toEqual([503, 503, 200])
    await page.locator('.uplot canvas').waitFor()
    // Its clock stands still: nobody else may get it.
    await page.context().close()
  })

  test('a page of an overloaded service says so, and begins by itself when it answers again', async () => {
    const page = await site.open('phone')
    let isOverloaded = true
    const json = { error: { code: 'unavailable', message: 'Too many requests are under way.' } }
    const answer = { status: 503, headers: { 'retry-after': '1' }, json }
    await page.route('**/app/session', (route) => (isOverloaded ? route.fulfill(answer) : route.continue()))
    await page.reload()
    await page.getByText('The service is overloaded.').waitFor()
    isOverloaded = false
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    await site.leave(page)
  })
})
