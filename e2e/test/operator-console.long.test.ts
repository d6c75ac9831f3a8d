import { systemClock } from '@hypocaust/service'
import { hypocaust, type Running, start } from '@hypocaust/testing/command.ts'
import { ENGINES, openTestStore, type TestStore } from '@hypocaust/testing/database.ts'
import { HOUSE, type Holder, STRANGERS_HOUSE, settleHolder } from '@hypocaust/testing/houses.ts'
import { PATIENCE_MS } from '@hypocaust/testing/patience.ts'
import { codeOf } from '@hypocaust/testing/totp.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { barriersInThemes, THEMES } from './barriers.ts'
import { executablePath, launchBrowser } from './stage.ts'

const PASSWORD = 'a password of an operator'
const REASON = 'The owner asked on the phone why the bath is cold'
const PICTURES = process.env.PICTURES

describe.skipIf(executablePath === undefined || !ENGINES.includes('postgres'))('the operators’ console', () => {
  let database: TestStore
  let holder: Holder
  let process: Running
  let browser: Awaited<ReturnType<typeof launchBrowser>>
  let secondFactor = ''

  beforeAll(async () => {
    database = await openTestStore('postgres')
    holder = await settleHolder(database.store, systemClock, 'ada@example.org', HOUSE)
    await settleHolder(database.store, systemClock, 'eve@example.org', STRANGERS_HOUSE)
    const env = { HYPOCAUST_DATABASE_URL: database.url, HYPOCAUST_LOG_LEVEL: 'error', HYPOCAUST_MONTHLY_COST: '240' }
    const { folder } = database
    const added = await hypocaust(folder, ['operator', 'add', 'olga', '--password-stdin', '--json'], PASSWORD, env)
    secondFactor = added.json.second_factor
    process = await start(folder, ['serve', '--role', 'operator', '--port', '0'], env)
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await process?.end('SIGTERM')
    await database.close()
  })

  const picture = (page: Page, name: string) =>
    PICTURES ? page.screenshot({ path: `${PICTURES}/${name}.png`, fullPage: true }) : undefined

  test('is a process that serves nothing else', async () => {
    expect(await (await fetch(`${process.url}/health/ready`)).json()).toEqual({ status: 'ok' })
    for (const path of ['/v1/buildings', '/app/session', '/docs/', '/openapi.json'])
      expect((await fetch(process.url + path)).status).toBe(404)
  })

  test('an operator signs in, finds a building, and sees its temperatures for a reason', {
    // Seven pages, each looked at by axe in both themes.
    timeout: 300_000,
  }, async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, locale: 'en' })
    page.setDefaultTimeout(PATIENCE_MS)
    await page.goto(process.url)
    await picture(page, 'sign-in')
    await page.getByLabel('Name').fill('olga')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByLabel('Code').fill(codeOf(secondFactor, Date.now()))
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('link', { name: 'Lakeside 12' }).waitFor()
    const problems = await barriersInThemes(page, 'buildings', 'desktop', THEMES)
    await picture(page, 'buildings')

    await page.getByLabel('Building, owner').fill('ADA@')
    await page.getByRole('button', { name: 'Search' }).click()
    expect(await page.getByRole('row').count()).toBe(2)
    await page.getByRole('link', { name: 'Lakeside 12' }).click()
    await page.getByRole('heading', { name: 'Room temperatures' }).waitFor()
    problems.push(...(await barriersInThemes(page, 'building', 'desktop', THEMES)))
    await picture(page, 'building')
    await page.getByLabel('Reason').fill(REASON)
    await page.getByRole('button', { name: 'Show the temperatures' }).click()
    await page.getByRole('heading', { name: 'Lakeside 12: Room temperatures' }).waitFor()
    await picture(page, 'temperatures')
    const { store } = database
    const entries = store.db
      .selectFrom('changeLog')
      .select(['actorName', 'newValue'])
      .where('field', '=', 'operator_access')
    expect(await entries.where('buildingId', '=', holder.buildingId).execute()).toEqual([
      { actorName: 'olga', newValue: JSON.stringify([REASON]) },
    ])

    for (const name of ['Tenants', 'Rate limits', 'Errors', 'Audit log']) {
      await page.getByRole('link', { name }).click()
      await page.getByRole('heading', { name }).waitFor()
      problems.push(...(await barriersInThemes(page, name, 'desktop', THEMES)))
      await picture(page, name)
    }
    await page.setViewportSize({ width: 390, height: 800 })
    problems.push(...(await barriersInThemes(page, 'on a phone', 'phone', THEMES)))
    await picture(page, 'phone')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    expect(problems).toEqual([])
  })
})
