import type { AppBuilding, RoomHistory } from '@hypocaust/domain'
import { DAY_S } from '@hypocaust/domain/facts'
import { type Running, start } from '@hypocaust/testing/command.ts'
import { temporaryFolder } from '@hypocaust/testing/folder.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bringToLife, describeInBrowser, HOUSE, launchBrowser, Site, signIn } from './site.ts'

/** A simulated fortnight takes seconds on a quiet machine. */
const PATIENCE_MS = 600_000

describeInBrowser('the demo, as npm start runs it', () => {
  const folder = temporaryFolder()
  let demo: Running
  let browser: Browser
  beforeAll(async () => {
    demo = await start(folder.path, ['demo', '--port', '0', '--mqtt-port', '0', '--log-level', 'error'])
    browser = await launchBrowser()
  }, PATIENCE_MS)
  afterAll(async () => {
    await browser?.close()
    await demo?.end('SIGTERM')
    folder.remove()
  })

  test('the printed account opens the printed address: rooms alive, charts filled', async () => {
    const [, address = ''] = /Website\s+(\S+)/.exec(demo.stdout) ?? []
    const [, email = '', password = ''] = /Account\s+(\S+)\s+password\s+(\S+)/.exec(demo.stdout) ?? []
    const page = await browser.newPage({ locale: 'en-GB' })
    page.setDefaultTimeout(60_000)
    await page.goto(address)
    await signIn(page, email, password)

    const building = await theBuilding(page, address)
    expect(building.rooms).toHaveLength(6)
    for (const { name } of building.rooms) {
      await page
        .getByRole('article', { name })
        .getByText(/^\d+\.\d°$/)
        .first()
        .waitFor()
    }
    await page.getByText(/Everything is fine\.|needs? attention\./).waitFor()

    const bathroom = page.getByRole('article', { name: 'Bathroom' })
    await bathroom.getByRole('button', { name: 'Raise Bathroom by half a degree' }).click({ clickCount: 6 })
    await bathroom.getByText('25.5°', { exact: true }).waitFor()
    await bathroom.getByText(/heating \d+/).waitFor()
    await bathroom.getByText('sending').waitFor({ state: 'hidden' })

    await bathroom.getByRole('link', { name: 'Bathroom' }).click()
    await page.locator('.uplot canvas').waitFor()
    await page.getByText('Why is it heating?').waitFor()
    const [room] = building.rooms
    for (const [span, days] of [
      ['Day', 1],
      ['Week', 7],
      ['Month', 14],
    ] as const) {
      await page.getByRole('radio', { name: span }).click()
      await page.locator('.uplot canvas').waitFor()
      const { temperature, power, outdoor, target } = await historyOf(page, address, room?.id ?? '', days)
      for (const column of [temperature, power, outdoor, target]) expect(filledShare(column)).toBeGreaterThan(0.95)
    }
  }, 120_000)
})

async function theBuilding(page: Page, address: string): Promise<AppBuilding> {
  const answer = await page.request.get(`${address}/app/buildings`)
  const [building] = (await answer.json()) as [AppBuilding]
  return building
}

/** Up to an hour ago: the step under way may have nothing yet. */
async function historyOf(page: Page, address: string, roomId: string, days: number): Promise<RoomHistory> {
  const toS = Math.floor(Date.now() / 1000) - 3600
  const span = `from=${toS - days * DAY_S + 7200}&to=${toS}`
  return (await page.request.get(`${address}/app/rooms/${roomId}/history?${span}`)).json() as Promise<RoomHistory>
}

const filledShare = (column: (number | null)[]): number =>
  column.filter((value) => value !== null).length / column.length

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
    await page.context().close()
  })
})
