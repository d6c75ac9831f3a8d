import type { AppRoom, OverviewEntry } from '@hypocaust/domain'
import type { Page, Request } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bringToLife, describeInBrowser, EMAIL, HOUSE, pressed, Site } from './site.ts'

/** So that the stream of the page is one of its own, which the test can see. */
const WITHOUT_SHARED_WORKER = 'delete window.SharedWorker'
const CABIN = { ...HOUSE, name: 'Cabin' }

describeInBrowser('what the browser does to an open page', () => {
  const site = new Site()
  let path: string
  beforeAll(async () => {
    await site.start()
    const accountId = await site.addAccount()
    for (const house of [CABIN, HOUSE]) {
      const { building } = await site.addHouse(accountId, house)
      await bringToLife(site, building.id)
      path = `/buildings/${building.id}`
    }
  })
  afterAll(() => site.stop())

  const openWithOwnStream = (path = '') => site.openSignedIn('phone', { path }, EMAIL, WITHOUT_SHARED_WORKER)
  const namesOf = (page: Page) => page.getByRole('listitem').getByRole('link').locator('b').allTextContents()
  const isStream = (request: Request) => request.url().endsWith('/app/events')

  /** Another page of the account changes a room; returns its new target. */
  const changeElsewhere = async (): Promise<number> => {
    const other = await site.openSignedIn('phone', { path })
    const sent = other.waitForResponse((answer) => answer.request().method() === 'PATCH')
    await pressed(other.getByRole('button', { name: 'Raise Bathroom by half a degree' }))
    const answer = await sent
    const room = (await answer.json()) as AppRoom
    expect(answer.status(), JSON.stringify(room)).toBe(200)
    await site.leave(other)
    return room.target_temperature
  }

  test('buildings keep their places under a finger, and change them when it has gone', async () => {
    const page = await openWithOwnStream()
    let silent: string | undefined
    await page.route('**/app/overview', async (route) => {
      const entries = (await (await route.fetch()).json()) as OverviewEntry[]
      const well = { need: 'fine', urgent: [] }
      const unwell = { need: 'unavailable', urgent: ['building_silent'], silent_since: '2026-01-10T08:15:03.000Z' }
      await route.fulfill({ json: entries.map((each) => ({ ...each, ...(each.name === silent ? unwell : well) })) })
    })
    await page.reload()
    await page.getByText('All 2 buildings are fine.').waitFor()
    const before = await namesOf(page)
    silent = before.at(-1) ?? ''
    // Beside everything that a click would open.
    await page.mouse.move(1, 1)
    await page.mouse.down()
    await changeElsewhere()
    await page.getByRole('status').getByText('1 of 2 buildings needs attention.').waitFor()
    expect(await namesOf(page)).toEqual(before)
    await page.mouse.up()
    await expect.poll(() => namesOf(page)).toEqual([...before].reverse())
    await site.leave(page)
  })

  test('a page kept for “back” holds no stream, and is current when it is shown again', async () => {
    const page = await openWithOwnStream(path)
    const target = page
      .getByRole('article', { name: 'Bathroom' })
      .getByText(/^\d\d\.\d°$/)
      .last()
    const before = await target.textContent()
    const transition = (type: string) => `dispatchEvent(new PageTransitionEvent('${type}', { persisted: true }))`
    const ended = page.waitForEvent('requestfailed', isStream)
    await page.evaluate(transition('pagehide'))
    await ended
    const changed = `${(await changeElsewhere()).toFixed(1)}°`
    expect(changed).not.toBe(before)
    expect(await target.textContent()).toBe(before)
    const opened = page.waitForEvent('request', isStream)
    await page.evaluate(transition('pageshow'))
    await opened
    await page.getByRole('article', { name: 'Bathroom' }).getByText(changed, { exact: true }).waitFor()
    await site.leave(page)
  })

  test('a page whose script did not come says so, and loads again by itself', async () => {
    const context = await site.newContext('phone', { locale: 'de-DE' })
    const page = await context.newPage()
    await page.clock.install()
    let refused = 0
    await page.route('**/assets/index-*.js', (route) =>
      refused++ < 2 ? route.fulfill({ status: 503 }) : route.continue(),
    )
    await page.goto(site.url)
    for (const waitS of [5, 10]) {
      await page.getByText(`Die Seite konnte nicht geladen werden. Nächster Versuch in ${waitS} Sekunden.`).waitFor()
      await page.clock.runFor(waitS * 1000)
    }
    await page.getByLabel('E-Mail-Adresse').waitFor()
    expect(refused).toBe(3)
    await context.close()
  })

  test('the browser’s offer to install the app waits in the settings, and is asked for once', async () => {
    const page = await site.openSignedIn('phone')
    const isKept = await page.evaluate(`(() => {
      const offer = new Event('beforeinstallprompt', { cancelable: true })
      window.asked = 0
      offer.prompt = async () => { window.asked++ }
      return !dispatchEvent(offer)
    })()`)
    expect(isKept).toBe(true)
    await page.getByRole('link', { name: 'Settings', exact: true }).click()
    const install = page.getByRole('button', { name: 'Install', exact: true })
    await install.click()
    await install.waitFor({ state: 'detached' })
    expect(await page.evaluate('window.asked')).toBe(1)
    await site.leave(page)
  })
})
