import { test } from 'vitest'
import { describeInBrowser, siteWithHouse } from './site.ts'

describeInBrowser('alerts in the browser', () => {
  const site = siteWithHouse()

  test('a silent building says since when; a low battery is a reminder that can be snoozed', async () => {
    const { db } = site.store
    const { id: roomId, buildingId } = await site.room('Kitchen')
    const subject = `battery_low ${roomId}`
    const row = { buildingId, roomId, subject, openSubject: subject, alert: '{}', beganAt: Date.now() - 60_000 }
    await db
      .insertInto('alerts')
      .values({ id: crypto.randomUUID(), ...row })
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
})
