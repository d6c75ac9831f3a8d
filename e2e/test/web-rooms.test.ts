import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  bringToLife,
  describeInBrowser,
  EMAIL,
  EVERY_SIZE,
  HOUSE,
  PASSWORD,
  PATIENCE_MS,
  Site,
  signIn,
  WITH_SERVICE_WORKER,
} from './site.ts'

describeInBrowser('rooms in the browser', () => {
  const clock = {
    stoppedMs: undefined as number | undefined,
    now: () => clock.stoppedMs ?? Date.now(),
    elapsedMs: () => performance.now(),
  }
  const site = new Site({ clock })
  let buildingId: string
  beforeAll(async () => {
    await site.start()
    const house = await site.addHouse(await site.addAccount(), HOUSE)
    buildingId = house.building.id
    await bringToLife(site, buildingId)
  })
  afterAll(() => site.stop())

  const room = (page: Page, name = 'Bathroom') => page.getByRole('article', { name })
  const stored = async (name = 'Bathroom') =>
    (await site.store.db.selectFrom('rooms').selectAll().where('name', '=', name).executeTakeFirstOrThrow()).targetC

  test('a target raised on one page appears on the other without a reload', async () => {
    const [desktop, phone] = [await site.openSignedIn('desktop'), await site.openSignedIn('phone')]
    await room(phone).getByText('22.0°', { exact: true }).waitFor()
    await room(desktop).getByRole('button', { name: 'Raise Bathroom by half a degree' }).click({ clickCount: 2 })
    await room(desktop).getByText('23.0°', { exact: true }).waitFor()
    await room(phone).getByText('23.0°', { exact: true }).waitFor()
    expect(await stored()).toBe(23)
    await desktop.context().close()
    await phone.context().close()
  })

  test('a change that fails goes back, says why, and can be tried again; another page then sees it', async () => {
    const [page, other] = [await site.openSignedIn('phone'), await site.openSignedIn('desktop')]
    await room(page, 'Kitchen').getByText('20.0°', { exact: true }).waitFor()
    await site.stopService()
    // The change is under way until it has been seen.
    const seen = Promise.withResolvers<void>()
    await page.route('**/app/rooms/*', async (route) => {
      await seen.promise
      await route.continue()
    })
    await room(page, 'Kitchen').getByRole('button', { name: 'Lower Kitchen by half a degree' }).click()
    await room(page, 'Kitchen').getByText('19.5°', { exact: true }).waitFor()
    seen.resolve()
    await room(page, 'Kitchen').getByText('Not changed. No connection to the service.').waitFor()
    await page.unroute('**/app/rooms/*')
    await room(page, 'Kitchen').getByText('20.0°', { exact: true }).waitFor()
    await page.getByText('No connection. Last update').waitFor()
    expect(await stored('Kitchen')).toBe(20)
    await site.startService()
    await page.getByText('No connection. Last update').waitFor({ state: 'hidden' })
    await room(page, 'Kitchen').getByRole('button', { name: 'Try again' }).click()
    await expect.poll(() => stored('Kitchen'), { timeout: PATIENCE_MS }).toBe(19.5)
    await room(page, 'Kitchen').getByText('Not changed').waitFor({ state: 'hidden' })
    await room(other, 'Kitchen').getByText('19.5°', { exact: true }).waitFor()
    await page.context().close()
    await other.context().close()
  })

  test('a refusal is said in words, and nothing is changed', async () => {
    const page = await site.openSignedIn('phone')
    const refusals = [
      { status: 409, code: 'taken', says: 'This name is already in use.' },
      { status: 422, code: 'invalid_value', says: 'This value is not accepted: too warm' },
      { status: 429, code: 'rate_limited', says: 'Too many attempts. Wait a minute, then try again.' },
      { status: 503, code: 'unavailable', says: 'The service is overloaded. Try again in a moment.' },
    ]
    for (const { status, code, says } of refusals) {
      await page.route('**/app/rooms/*', (route) =>
        route.fulfill({ status, json: { error: { code, message: 'too warm' } } }),
      )
      await room(page, 'Cellar').getByRole('button', { name: 'Raise Cellar by half a degree' }).click()
      await room(page, 'Cellar').getByText(`Not changed. ${says}`).waitFor()
      await room(page, 'Cellar').getByText('20.0°', { exact: true }).waitFor()
      await page.unroute('**/app/rooms/*')
    }
    expect(await stored('Cellar')).toBe(20)
    await page.context().close()
  })

  test.each(EVERY_SIZE)('a room on a %s: chart, off with undo, manual with the keyboard, settings', async (size) => {
    const page = await site.openSignedIn(size)
    await room(page).getByRole('link', { name: 'Bathroom' }).click()
    await page.getByRole('heading', { name: 'Bathroom', level: 1 }).waitFor()
    await page.locator('.uplot canvas').waitFor()
    await page.getByRole('radio', { name: 'Year' }).click()
    await page.locator('.uplot canvas').waitFor()
    const path = await page.getByRole('link', { name: 'CSV file' }).getAttribute('href')
    const csv = await page.request.get(`${site.url}${path}`)
    expect(await csv.text()).toMatch(/^time,temperature,/)

    await page.getByRole('radio', { name: 'Off' }).click()
    await page.getByText('Bathroom is turned off.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('radio', { name: 'Heat', exact: true, checked: true }).waitFor()
    await page.getByRole('radio', { name: 'Manual' }).click()
    const slider = page.getByRole('slider', { name: 'Heating power' })
    await slider.focus()
    await page.keyboard.press('End')
    await page.getByRole('region', { name: 'Now' }).getByText('manual 100').waitFor()
    await page.getByRole('radio', { name: 'Heat', exact: true }).click()

    await page.getByRole('link', { name: /Night mode/ }).click()
    await page.getByLabel('Highest floor temperature').fill(size === 'phone' ? '31' : '32')
    await page.getByRole('switch', { name: 'Different times at the weekend' }).setChecked(true)
    await page.getByRole('group', { name: 'Saturday and Sunday' }).getByLabel('To').fill('08:15')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('region', { name: 'Now' }).waitFor()
    await page.getByText('Night mode 22:30–05:30, −2.0° (weekend 23:30–08:15)').waitFor()
    const { maxFloorC, nightMode } = await site.store.db
      .selectFrom('rooms')
      .select(['maxFloorC', 'nightMode'])
      .where('name', '=', 'Bathroom')
      .executeTakeFirstOrThrow()
    expect(maxFloorC).toBe(size === 'phone' ? 31 : 32)
    expect(JSON.parse(nightMode ?? '')).toEqual({
      from: '22:30',
      to: '05:30',
      setback: 2,
      weekend: { from: '23:30', to: '08:15' },
    })
    await page.context().close()
  })

  test('what another page changes while the settings are open stays', async () => {
    const page = await site.openSignedIn('desktop')
    await room(page, 'Cellar').getByRole('link', { name: 'Cellar' }).click()
    await page.getByRole('link', { name: /night mode/i }).click()
    await page.getByLabel('Highest floor temperature').fill('27')
    const { id } = await site.store.db
      .selectFrom('rooms')
      .select('id')
      .where('name', '=', 'Cellar')
      .executeTakeFirstOrThrow()
    await page.request.patch(`${site.url}/app/rooms/${id}`, { data: { name: 'Wine cellar' } })
    await page.getByRole('heading', { name: 'Settings of Wine cellar' }).waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('region', { name: 'Now' }).waitFor()
    const saved = await site.store.db.selectFrom('rooms').select(['name', 'maxFloorC']).where('id', '=', id).execute()
    expect(saved).toEqual([{ name: 'Wine cellar', maxFloorC: 27 }])
    await page.context().close()
  })

  test('away is set until a time by the clock of the building', async () => {
    const page = await site.openSignedIn('desktop', { timezoneId: 'Asia/Tokyo' })
    await page.goto(`${site.url}/buildings/${buildingId}/setup`)
    const year = new Date().getUTCFullYear() + 1
    await page.getByLabel('Away until').fill(`${year}-01-20T18:00`)
    await page.getByLabel('Temperature while away').fill('14')
    await page.getByRole('button', { name: 'Set away' }).click()
    await page.getByText(/Away until .*20 Jan.*18:00, at 14.0°/).waitFor()
    const away = () =>
      site.store.db.selectFrom('buildings').select('awayUntil').where('id', '=', buildingId).executeTakeFirstOrThrow()
    expect((await away()).awayUntil).toBe(Date.UTC(year, 0, 20, 17))
    await page.getByText('This service has no weather source.').waitFor()
    await page.getByRole('button', { name: 'I am back' }).click()
    await page.getByLabel('Away until').waitFor()
    await page.context().close()
  })

  test('a silent building says since when, and a low battery is an alert', async () => {
    const page = await site.openSignedIn('phone')
    await page.getByRole('link', { name: /Alerts/ }).click()
    await page.getByText('Kitchen: the sensor’s battery is at 9').waitFor()
    const { db } = site.store
    const hourAgo = Date.now() - 3_600_000
    await db.updateTable('gateways').set({ lastSeenAt: hourAgo }).where('buildingId', '=', buildingId).execute()
    await page.reload()
    // With the day, where that hour began before midnight.
    await page.getByText(/Lakeside 12 has not reported since .*\d\d:\d\d/).waitFor()
    await page.getByRole('link', { name: 'Home' }).click()
    await page.getByText(/No reports since .*\d\d:\d\d/).waitFor()
    await db.updateTable('gateways').set({ lastSeenAt: Date.now() }).where('buildingId', '=', buildingId).execute()
    await page.reload()
    await page.getByText('1 alert needs attention.').or(page.getByText('2 alerts need attention.')).waitFor()
    await page.context().close()
  })

  test('a second account sees nothing of the first', async () => {
    await site.addAccount('bob@example.org')
    const page = await site.openSignedIn('desktop', {}, 'bob@example.org')
    await page.getByText('You have no building yet.').waitFor()
    expect(await page.getByText('Bathroom').count()).toBe(0)
    const [{ id }] = (await site.store.db.selectFrom('rooms').select('id').execute()) as [{ id: string }]
    await page.goto(`${site.url}/rooms/${id}`)
    await page.getByText('This page does not exist, or your account has no access to it.').waitFor()
    await page.context().close()
  })

  test('without a connection the last state is shown, and marked as old', async () => {
    const page = await site.open('phone', WITH_SERVICE_WORKER)
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
    await signIn(page)
    await page.reload()
    await room(page).getByText('20.5°', { exact: true }).waitFor()
    await site.stopService()
    await page.reload()
    await page.getByText(/No connection\. Last update: .*\d\d:\d\d/).waitFor()
    await room(page).getByText('20.5°', { exact: true }).waitFor()
    await site.startService()
    await page.reload()
    await room(page).getByText('20.5°', { exact: true }).waitFor()
    await page.getByText('No connection').waitFor({ state: 'hidden' })
    await page.context().close()
  })

  // The last one here: it leaves the account throttled.
  test('a wrong password is refused, and guessing is slowed down', async () => {
    // However long the guesses take, they fall into one minute.
    clock.stoppedMs = Date.now()
    const page = await site.open('phone')
    const attempt = async (password: string) => {
      await page.getByLabel('E-mail address').fill(EMAIL)
      await page.getByLabel('Password').fill(password)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    }
    for (let i = 0; i < 5; i++) {
      const answered = page.waitForResponse((response) => response.request().method() === 'POST')
      await attempt(`wrong password ${i}`)
      expect((await answered).status()).toBe(401)
      await page.getByText('Wrong e-mail address, password or code').waitFor()
    }
    await attempt(PASSWORD)
    await page.getByText('Too many attempts').waitFor()
    await page.context().close()
  })
})
