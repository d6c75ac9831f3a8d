import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeInBrowser, siteWithHouse } from './site.ts'

/** By keyboard, some months ahead; the month chosen, such as 2027-01. */
async function chooseDay(page: Page, field: Locator, months: number, day: number): Promise<string> {
  await field.getByRole('button', { name: 'Day' }).press('Enter')
  const calendar = page.getByRole('dialog', { name: 'Day' })
  const focused = calendar.locator('td button:focus')
  await focused.waitFor()
  for (let i = 0; i < months; i++) await page.keyboard.press('PageDown')
  const before = Number(await focused.innerText())
  for (let i = before; i > day; i--) await page.keyboard.press('ArrowLeft')
  for (let i = before; i < day; i++) await page.keyboard.press('ArrowRight')
  const month = await calendar.locator('p').innerText()
  await page.keyboard.press('Enter')
  await calendar.waitFor({ state: 'hidden' })
  return new Intl.DateTimeFormat('sv-SE', { year: 'numeric', month: '2-digit' }).format(new Date(`15 ${month}`))
}

const inOslo = (atMs: number | null): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Oslo', dateStyle: 'short', timeStyle: 'short' }).format(
    atMs ?? 0,
  )

describeInBrowser('absence and override in the browser', () => {
  const site = siteWithHouse()
  const room = (page: Page, name = 'Bathroom') => page.getByRole('article', { name })

  test('away is set in two taps, or to any times by the clock of the building', async () => {
    const page = await site.openSignedIn('phone', { timezoneId: 'Asia/Tokyo' })
    const { buildingId } = await site.room('Bathroom')
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
    const until = page.getByRole('group', { name: 'Away until' })
    const monthsAhead = await chooseDay(page, until, 2, 20)
    await until.getByLabel('Time').fill('17:30')
    await page.getByLabel('Temperature while away').fill('14')
    await page.getByRole('button', { name: 'Set away' }).click()
    await page.getByText(/Away until 20 .*17:30, at 14.0°/).waitFor()
    expect(inOslo((await away()).awayUntil)).toBe(`${monthsAhead}-20 17:30`)
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
    await dialog.getByRole('radio', { name: 'Other time' }).check()
    const until = dialog.getByRole('group', { name: 'Until when' })
    await chooseDay(page, until, 1, 2)
    await until.getByLabel('Time').fill('22:00')
    const control = page.getByRole('region', { name: 'Control' })
    await dialog.getByRole('button', { name: 'Start' }).click()
    await control.getByText(/^25\.0° until .*22:00\.$/).waitFor()
    await page.getByRole('link', { name: 'Home' }).click()
    const end = room(page).getByText(/^Until 2 /)
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
})
