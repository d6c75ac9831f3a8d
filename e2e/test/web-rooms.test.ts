import { DAY_S } from '@hypocaust/domain'
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
  pressed,
  Site,
  validationMessage,
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

  test('a target raised in one tab appears in the others without a reload, also after the first tab has gone', async () => {
    const desktop = await site.openSignedIn('desktop')
    const secondTab = await desktop.context().newPage()
    // A tab whose shared worker cannot be loaded has a stream of its own.
    const [phone] = await Promise.all([site.openSignedIn('phone', {}, EMAIL, WITHOUT_WORKER), secondTab.goto(site.url)])
    await room(phone).getByText('22.0°', { exact: true }).waitFor()
    await pressed(room(desktop).getByRole('button', { name: 'Raise Bathroom by half a degree' }), 2)
    for (const page of [desktop, secondTab, phone]) await room(page).getByText('23.0°', { exact: true }).waitFor()
    expect(await stored()).toBe(23)
    await desktop.close()
    // Typed, with the comma of another language.
    await room(phone).getByRole('button', { name: 'Bathroom is heated to 23.0°' }).click()
    await room(phone).getByRole('textbox', { name: 'Temperature of Bathroom' }).fill('21,3')
    await phone.keyboard.press('Enter')
    for (const page of [phone, secondTab]) await room(page).getByText('21.3°', { exact: true }).waitFor()
    // Held down, it goes on.
    const more = await room(phone).getByRole('button', { name: 'Raise Bathroom by half a degree' }).boundingBox()
    await phone.mouse.move((more?.x ?? 0) + 10, (more?.y ?? 0) + 10)
    await phone.mouse.down()
    await room(phone)
      .getByText(/^(?:2[4-9]|3\d)\.\d°$/)
      .waitFor()
    await phone.mouse.up()
    await secondTab.context().close()

    // However long the verdict becomes, the rooms stay where they are.
    const top = async () => (await room(phone).boundingBox())?.y
    const before = await top()
    await phone.evaluate(`document.querySelector('main [role=status]').textContent = 'warm '.repeat(60)`)
    expect(await top()).toBe(before)
    await site.leave(phone)
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
    await pressed(room(page, 'Kitchen').getByRole('button', { name: 'Lower Kitchen by half a degree' }))
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
    await site.leave(page)
    await site.leave(other)
  })

  test('a damp room says what to do against mould, and its settings let it be warmed', async () => {
    const { id } = await site.store.db
      .selectFrom('rooms')
      .select('id')
      .where('name', '=', 'Cellar')
      .executeTakeFirstOrThrow()
    const record = {
      ...{ factor: 0.7, untilMs: Date.now(), knownH: 200, outdoorC: -2 },
      ...{ vapourHpa: 15, surfacePct: 90, dampShare: 0.75 },
    }
    await site.store.db
      .updateTable('rooms')
      .set({ surfaceRecord: JSON.stringify(record) })
      .where('id', '=', id)
      .execute()
    const page = await site.openSignedIn('phone', { path: `/rooms/${id}` })
    await page.getByText('mould risk high').waitFor()
    await page.getByText('The air at the coldest wall has been above 80 % for 18 hours a day.').waitFor()
    await page.goto(`${site.url}/rooms/${id}/settings`)
    await page.getByRole('spinbutton', { name: 'Warm against mould by up to (°C)' }).fill('0.5')
    await page.getByLabel('Coldest wall, f_Rsi').fill('0.65')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved').waitFor()
    const { mouldWarmingK, surfaceFactor } = await site.store.db
      .selectFrom('rooms')
      .select(['mouldWarmingK', 'surfaceFactor'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect([mouldWarmingK, surfaceFactor]).toEqual([0.5, 0.65])
    await site.leave(page)
  })

  test('a refusal is said in words, and nothing is changed', async () => {
    const page = await site.openSignedIn('phone')
    const refusals = [
      { status: 409, code: 'taken', says: 'This name is already in use.' },
      { status: 422, code: 'invalid_value', says: 'This is not possible with these values. Check your input.' },
      { status: 429, code: 'rate_limited', says: 'Too many attempts. Wait a minute, then try again.' },
      { status: 503, code: 'unavailable', says: 'The service is overloaded. Try again in a moment.' },
    ]
    for (const { status, code, says } of refusals) {
      await page.route('**/app/rooms/*', (route) =>
        route.fulfill({ status, json: { error: { code, message: 'too warm' } } }),
      )
      await pressed(room(page, 'Cellar').getByRole('button', { name: 'Raise Cellar by half a degree' }))
      await room(page, 'Cellar').getByText(`Not changed. ${says}`).waitFor()
      await room(page, 'Cellar').getByText('20.0°', { exact: true }).waitFor()
      await page.unroute('**/app/rooms/*')
    }
    expect(await stored('Cellar')).toBe(20)
    await site.leave(page)
  })

  test.each(EVERY_SIZE)('a room on a %s: chart, off with undo, manual with the keyboard, settings', async (size) => {
    const page = await site.openSignedIn(size)
    await room(page).getByRole('link', { name: 'Bathroom' }).click()
    await page.getByRole('heading', { name: 'Bathroom', level: 1 }).waitFor()
    await page.locator('.uplot canvas').waitFor()
    expect(await page.title()).toBe('Bathroom · Hypocaust')
    const moment = page.getByRole('slider', { name: 'Moment in the chart' })
    expect(await moment.getAttribute('aria-valuetext')).toMatch(/\d\d:\d\d: Room 20\.5°, .*Power/)
    expect(await page.getByText('Humidity', { exact: true }).count()).toBe(1)
    await page.getByRole('button', { name: 'Humidity' }).click()
    await page.locator('dt').getByText('Humidity').waitFor()
    if (size === 'phone') await dragToEarlier(page)
    await page.getByRole('radio', { name: 'Year' }).click()
    await page.locator('.uplot canvas').waitFor()
    const link = page.getByRole('link', { name: 'CSV file' })
    expect(await link.getAttribute('download')).toMatch(/^Bathroom \d+ \w+ \d{4} – \d+ \w+ \d{4}\.csv$/)
    const csv = await page.request.get(`${site.url}${await link.getAttribute('href')}`)
    expect(await csv.text()).toMatch(/^time,temperature,/)

    await page.getByRole('radio', { name: 'Off' }).click()
    await page.getByText('Bathroom is turned off.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('radio', { name: 'Heat', exact: true, checked: true }).waitFor()
    if (size === 'phone') await offAndOnFromHome(page)
    await page.getByRole('radio', { name: 'Manual' }).click()
    const slider = page.getByRole('slider', { name: 'Heating power' })
    await slider.focus()
    await page.keyboard.press('End')
    await page.getByRole('region', { name: 'Now' }).getByText('manual 100').waitFor()
    await page.getByRole('radio', { name: 'Heat', exact: true }).click()

    await page.getByRole('link', { name: /^Settings of Bathroom/ }).click()
    await page.getByLabel('Highest floor temperature').fill(size === 'phone' ? '31' : '32')
    await page.getByRole('switch', { name: 'Cooler at night' }).setChecked(true)
    await page.getByRole('switch', { name: 'Different times at the weekend' }).setChecked(true)
    await page.getByRole('group', { name: 'Saturday and Sunday' }).getByLabel('To').fill('08:15')
    // What is not saved is not lost without a question, and a night without length is refused.
    await page.getByRole('link', { name: 'Back' }).click()
    await page.getByRole('button', { name: 'Keep editing' }).click()
    const weekdays = page.getByRole('group', { name: 'Monday to Friday' })
    await weekdays.getByLabel('To').fill('22:30')
    await page.getByRole('button', { name: 'Save' }).click()
    const complaint = await weekdays.getByLabel('To').evaluate(validationMessage)
    expect(complaint).toBe('Start and end must differ.')
    await weekdays.getByLabel('To').fill('05:30')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.', { exact: true }).waitFor()
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
    await site.leave(page)
  })

  test('what another page changes while the settings are open stays', async () => {
    const page = await site.openSignedIn('desktop')
    await room(page, 'Cellar').getByRole('link', { name: 'Cellar' }).click()
    await page.getByRole('link', { name: /^Settings of Cellar/ }).click()
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
    await site.leave(page)
  })

  test('away is set in two taps, or to any times by the clock of the building', async () => {
    const page = await site.openSignedIn('phone', { timezoneId: 'Asia/Tokyo' })
    const away = () =>
      site.store.db.selectFrom('buildings').select('awayUntil').where('id', '=', buildingId).executeTakeFirstOrThrow()
    await page.getByRole('button', { name: 'Away' }).click()
    await page.getByRole('button', { name: /In a week/ }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Away' }).click()
    await page.getByRole('button', { name: /In a week/ }).click()
    await page.getByText(/^Away until .*18:00, at 15\.0°\.$/).waitFor()
    await room(page).getByText('Away', { exact: true }).waitFor()
    await room(page).getByText('15.0°', { exact: true }).waitFor()
    await room(page)
      .getByRole('button', { name: /^Bathroom is heated to / })
      .waitFor()
    await page.getByText(/^Heating for your return|^The rooms are heated in time/).waitFor()
    await page.getByRole('button', { name: 'I’m back' }).click()
    await page.getByRole('button', { name: 'Away' }).click()
    await page.getByText('Other times, temperature or rooms').click()
    const year = new Date().getUTCFullYear() + 1
    await page.getByLabel('Away until', { exact: true }).fill(`${year}-01-20T18:00`)
    await page.getByLabel('Temperature while away').fill('14')
    await page.getByRole('button', { name: 'Set away' }).click()
    await page.getByText(/Away until .*20 Jan.*18:00, at 14.0°/).waitFor()
    expect((await away()).awayUntil).toBe(Date.UTC(year, 0, 20, 17))
    await page.getByRole('button', { name: 'I’m back' }).click()
    await page.getByRole('button', { name: 'Away' }).waitFor()
    expect((await away()).awayUntil).toBeNull()
    await page.goto(`${site.url}/buildings/${buildingId}/settings`)
    await page.getByText('This service has no weather source.').waitFor()
    await site.leave(page)
  })

  test('an override says its end wherever the room is shown, and can be ended and brought back', async () => {
    const page = await site.openSignedIn('phone')
    await room(page).getByRole('link', { name: 'Bathroom' }).click()
    await page.getByRole('button', { name: 'For a while' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Temperature meanwhile').fill('25')
    await dialog.getByRole('radio', { name: 'At a time' }).click()
    const year = new Date().getUTCFullYear() + 1
    await dialog.getByLabel('Until when').fill(`${year}-01-02T22:00`)
    const control = page.getByRole('region', { name: 'Control' })
    await dialog.getByRole('button', { name: 'Start' }).click()
    await control.getByText(/^25\.0° until .*22:00\.$/).waitFor()
    await page.getByRole('link', { name: 'Home' }).click()
    const end = room(page).getByText(/^Until .*22:00$/)
    await end.waitFor()
    expect(await end.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
    await room(page).getByText('25.0°', { exact: true }).waitFor()
    await room(page).getByRole('link', { name: 'Bathroom' }).click()
    await control.getByRole('button', { name: 'End now' }).click()
    await page.getByText('Bathroom is back to normal.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await control.getByText(/^25\.0° until .*22:00\.$/).waitFor()
    // The newest wish wins.
    await control.getByRole('radio', { name: 'Off' }).click()
    await control.getByText(/^25\.0° until/).waitFor({ state: 'hidden' })
    await control.getByRole('radio', { name: 'Heat', exact: true }).click()
    await page.getByRole('button', { name: 'Boost 1 h' }).click()
    await control.getByRole('button', { name: 'End now' }).click()
    await site.leave(page)
  })

  test('a silent building says since when; a low battery is a reminder that can be snoozed', async () => {
    const { db } = site.store
    const [{ id: roomId }] = (await db.selectFrom('rooms').select('id').where('name', '=', 'Kitchen').execute()) as [
      { id: string },
    ]
    const subject = `battery_low ${roomId}`
    const row = { buildingId, roomId, subject, openSubject: subject, alert: '{}', beganAt: Date.now() - 60_000 }
    await db
      .insertInto('alerts')
      .values({ id: 'battery', ...row })
      .onConflict((c) => c.doNothing())
      .execute()
    const page = await site.openSignedIn('phone')
    await page.getByRole('link', { name: /Alerts.*1 alert/ }).click()
    const battery = page.getByRole('article').filter({ hasText: 'Kitchen: the sensor’s battery is at 9' })
    await battery.getByText('Replace it within the next weeks.').waitFor()
    await battery.getByText(/^Since .*\d\d:\d\d$/).waitFor()
    await battery.getByRole('button', { name: 'tomorrow' }).click()
    await page.getByText('Snoozed (1)').click()
    await battery.getByRole('button', { name: 'Show again' }).click()
    await battery.getByRole('button', { name: 'in a week' }).waitFor()
    await page.getByRole('heading', { name: 'Past alerts' }).waitFor()
    const hourAgo = Date.now() - 3_600_000
    await db.updateTable('gateways').set({ lastSeenAt: hourAgo }).where('buildingId', '=', buildingId).execute()
    await page.reload()
    // With the day, where that hour began before midnight.
    await page.getByText(/Lakeside 12 has not reported since .*\d\d:\d\d/).waitFor()
    await page.getByRole('link', { name: 'Home' }).click()
    await page.getByText(/No reports since .*\d\d:\d\d/).waitFor()
    await db.updateTable('gateways').set({ lastSeenAt: Date.now() }).where('buildingId', '=', buildingId).execute()
    await page.reload()
    await page.getByText('1 alert needs attention.').waitFor()
    await site.leave(page)
  })

  test('a second account sees nothing of the first', async () => {
    await site.addAccount('bob@example.org')
    const page = await site.openSignedIn('desktop', {}, 'bob@example.org')
    await page.getByText('You have no building yet.').waitFor()
    expect(await page.getByText('Bathroom').count()).toBe(0)
    const [{ id }] = (await site.store.db.selectFrom('rooms').select('id').execute()) as [{ id: string }]
    await page.goto(`${site.url}/rooms/${id}`)
    await page.getByText('This page does not exist, or your account has no access to it.').waitFor()
    await site.leave(page)
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
    await site.leave(page)
  })

  test.each([
    ['en', 'As warm as promised on 2 of the last 3 mornings.'],
    ['de', 'An 2 der letzten 3 Morgen so warm wie angekündigt.'],
  ])('a room says on how many mornings it was as warm as promised, in %s', async (language, sentence) => {
    const { id: roomId } = await site.store.db
      .selectFrom('rooms')
      .select('id')
      .where('name', '=', 'Bathroom')
      .executeTakeFirstOrThrow()
    const mornings = [20.9, 20.8, 20.5].map((measuredC, i) => ({
      ...{ roomId, setpointC: 21, expectedC: 21, measuredC },
      dueAt: Date.parse(`2026-01-0${i + 5}T05:00:00Z`),
    }))
    await site.store.db.deleteFrom('promises').execute()
    await site.store.db.insertInto('promises').values(mornings).execute()
    const inLanguage = `localStorage.setItem('language', '${language}')`
    const page = await site.openSignedIn('phone', { path: `/rooms/${roomId}` }, EMAIL, inLanguage)
    await page.getByText(sentence).waitFor()
    await page.context().close()
  })
})

const WITHOUT_WORKER = `{
  const { SharedWorker } = window
  window.SharedWorker = class extends SharedWorker {
    constructor(_url, options) { super('/no-such-worker.js', options) }
  }
}`

/** On a phone a finger moves the chart in time, and the page asks for what lies there. */
async function dragToEarlier(page: Page): Promise<void> {
  const chart = page.locator('.u-over')
  await chart.scrollIntoViewIfNeeded()
  const { x, y, width } = (await chart.boundingBox()) ?? { x: 0, y: 0, width: 0 }
  const touch = await page.context().newCDPSession(page)
  const at = (share: number) => [{ x: x + width * share, y: y + 60 }]
  const asked = page.waitForResponse(/history\?/)
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0.2) })
  for (const share of [0.3, 0.4, 0.5]) {
    await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(share) })
  }
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  // The last day was shown, and where there is a plan the next one too: the beginning tells how far the chart was moved.
  const fromS = Number(new URL((await asked).url()).searchParams.get('from'))
  expect(Date.now() / 1000 - fromS).toBeGreaterThan(DAY_S + 6 * 3600)
  // What it still shows of the plan has not gone.
  const moment = page.getByRole('slider', { name: 'Moment in the chart' })
  await moment.focus()
  await page.keyboard.press('End')
  await expect.poll(() => moment.getAttribute('aria-valuetext'), { timeout: PATIENCE_MS }).toContain('Expected')
}

/** Off on the room's page and on again at home: both with the way back. */
async function offAndOnFromHome(page: Page): Promise<void> {
  await page.getByRole('radio', { name: 'Off' }).click()
  await page.getByText('Bathroom is turned off.').waitFor()
  await page.getByRole('link', { name: 'Home' }).click()
  const tile = page.getByRole('article', { name: 'Bathroom' })
  await tile.getByRole('button', { name: 'Turn Bathroom on' }).click()
  await page.getByText('Bathroom is heated as usual.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await tile.getByRole('button', { name: 'Turn Bathroom on' }).click()
  await tile.getByRole('link', { name: 'Bathroom' }).click()
  await page.getByRole('radio', { name: 'Heat', exact: true, checked: true }).waitFor()
}
