import { expect, test } from 'vitest'
import { describeInBrowser, siteWithHouse } from './site.ts'

describeInBrowser('who is home in the browser', () => {
  const site = siteWithHouse()

  test('people are added, a rule is switched on in words, and a room is given to some of them', async () => {
    const page = await site.openSignedIn('phone')
    const { buildingId } = await site.room('Bathroom')
    const stored = () =>
      site.store.db
        .selectFrom('buildings')
        .select(['presence', 'presenceRule'])
        .where('id', '=', buildingId)
        .executeTakeFirstOrThrow()
    await page.getByRole('link', { name: /Who is home/ }).click()
    await page.getByText('Nobody has been reported yet.').waitFor()
    for (const name of ['Anna', 'Ben']) {
      await page.getByLabel('Name').fill(name)
      await page.getByRole('button', { name: 'Add' }).click()
      await page.getByRole('listitem').filter({ hasText: name }).getByText('Home since').waitFor()
    }
    await page.getByRole('listitem').filter({ hasText: 'Anna' }).getByRole('radio', { name: 'Away' }).click()
    await page.getByRole('listitem').filter({ hasText: 'Anna' }).getByText('Away since').waitFor()
    await page.getByRole('switch', { name: 'Let rooms cool' }).click()
    await page.getByText(/^Nobody home for 30\smin: at most 17\.0° until somebody comes/).waitFor()
    await page.getByRole('radio', { name: /^6\sh$/ }).click()
    await page.getByText(/warmed again within 6\sh/).waitFor()
    expect(JSON.parse((await stored()).presenceRule ?? '')).toEqual({
      after_minutes: 30,
      target_temperature: 17,
      warm_again_hours: 6,
    })
    await page.getByRole('button', { name: /Cellar/ }).click()
    await page.getByRole('button', { name: 'Only when some people are home' }).click()
    const users = page.getByRole('group', { name: 'Cellar is used by' })
    await users.getByRole('checkbox', { name: 'Ben' }).click()
    await expect.poll(async () => (await site.room('Cellar')).usedBy).toBe('["Anna"]')
    await page.getByRole('button', { name: 'Remove Ben' }).click()
    await expect.poll(async () => JSON.parse((await stored()).presence ?? '').length).toBe(1)
  })
})
