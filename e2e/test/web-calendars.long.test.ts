import { expect, test } from 'vitest'
import { describeInBrowser, siteWithHouse } from './site.ts'

const dateOf = (daysAhead: number) =>
  new Date(Date.now() + daysAhead * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '')

const FEED = [
  ...['BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'UID:1', 'SUMMARY:Summer holiday'],
  ...[`DTSTART;VALUE=DATE:${dateOf(3)}`, `DTEND;VALUE=DATE:${dateOf(10)}`, 'END:VEVENT', 'END:VCALENDAR'],
].join('\r\n')

describeInBrowser('calendars in the browser', () => {
  const site = siteWithHouse()

  test('a file is added with a rule in words, its events say what follows, and it is removed', async () => {
    const page = await site.openSignedIn('phone')
    const { buildingId } = await site.room('Bathroom')
    const wishes = async () => {
      const row = await site.store.db
        .selectFrom('buildings')
        .select('calendarWishes')
        .where('id', '=', buildingId)
        .executeTakeFirstOrThrow()
      return JSON.parse(row.calendarWishes ?? '[]')
    }
    await page.getByRole('link', { name: /Calendars/ }).click()
    await page.getByRole('button', { name: 'Add calendar' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name', { exact: true }).fill('Family')
    await dialog.locator('input[type=file]').setInputFiles({
      ...{ name: 'family.ics', mimeType: 'text/calendar', buffer: Buffer.from(FEED) },
    })
    await dialog.getByText('family.ics will be used.').waitFor()
    await dialog.getByLabel('Title contains').fill('holiday')
    await dialog.getByRole('checkbox', { name: 'Bathroom' }).click()
    await dialog.getByText('Events with “holiday”: at most 17.0° (Bathroom)').waitFor()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('listitem').filter({ hasText: 'Events with “holiday”' }).first().waitFor()
    expect(await wishes()).toMatchObject([{ kind: 'away', targetC: 17, rooms: [expect.any(String)] }])
    await page.getByText('Next events').click()
    await page.getByText('Summer holiday').waitFor()
    await page.getByRole('button', { name: 'Remove Family' }).click()
    await page.getByRole('button', { name: 'Remove calendar' }).click()
    await page.getByText('Add the address of a calendar, or a file.').waitFor()
    expect(await wishes()).toEqual([])
  })

  test('the programme of a room is read by a link that is made, and no more once it is revoked', async () => {
    const page = await site.openSignedIn('phone')
    const room = await site.room('Bathroom')
    await page.goto(`${site.url}/rooms/${room.id}/programme`)
    await page.getByRole('button', { name: 'Make link' }).click()
    const url = (await page.locator('code').filter({ hasText: '/app/programmes/' }).innerText()).trim()
    const read = await fetch(url)
    expect([read.status, read.headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8'])
    expect(await read.text()).toContain('BEGIN:VCALENDAR')
    await page.getByRole('button', { name: 'Revoke' }).click()
    await expect.poll(async () => (await fetch(url)).status).toBe(404)
  })
})
