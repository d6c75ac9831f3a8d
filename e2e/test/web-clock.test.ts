import { DAY_S } from '@hypocaust/domain/facts'
import { afterAll, beforeAll, test } from 'vitest'
import { bringToLife, describeInBrowser, HOUSE, Site } from './site.ts'

describeInBrowser('a service whose clock is not the browser’s', () => {
  // Two days ago at noon, and on from there: no day ends while the page is looked at.
  const startedMs = Date.now()
  const noonMs = Math.floor(startedMs / 1000 / DAY_S - 2) * DAY_S * 1000 + 11 * 3_600_000
  const twoDaysAgo = () => noonMs + Date.now() - startedMs
  const site = new Site({ clock: { now: twoDaysAgo, elapsedMs: () => performance.now() } })
  beforeAll(() =>
    site.start(async () => {
      const { building } = await site.addHouse(await site.addAccount(), HOUSE)
      await bringToLife(site, building.id, twoDaysAgo())
    }),
  )
  afterAll(() => site.stop())

  test('ages and charts follow the service’s clock', async () => {
    const page = await site.openSignedIn('phone')
    const bathroom = page.getByRole('article', { name: 'Bathroom' })
    await bathroom.getByText('20.5°', { exact: true }).waitFor()
    await bathroom.getByText(/last reading/).waitFor({ state: 'hidden' })
    await bathroom.getByRole('link', { name: 'Bathroom' }).click()
    await page.locator('.uplot canvas').waitFor()
    const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'Europe/Oslo' })
    await page
      .getByText(`${day.format(twoDaysAgo())},`)
      .first()
      .waitFor()
    await site.leave(page)
  })
})
