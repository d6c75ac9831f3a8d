import { expect, test } from 'vitest'
import { describeInBrowser, siteWithHouse } from './site.ts'

describeInBrowser('cooling in the browser', () => {
  const site = siteWithHouse()

  test('appears where a gateway can cool: the season of the building, and what a room is cooled to', async () => {
    const { db } = site.store
    const { id, buildingId } = await site.room('Cellar')
    const page = await site.openSignedIn('phone', { path: `/buildings/${buildingId}/settings` })
    await page.getByRole('heading', { name: 'The whole building' }).waitFor()
    expect(await page.getByRole('heading', { name: 'Cooling' }).count()).toBe(0)
    const sourceReport = JSON.stringify({ lock: null, cooling: { reported: null, supply_c: 19, dew_contact: false } })
    await db.updateTable('gateways').set({ sourceReport }).where('buildingId', '=', buildingId).execute()
    await page.reload()
    await page.getByRole('heading', { name: 'Cooling' }).waitFor()
    await page.getByText('The building is heated now.').waitFor()
    await page.getByText('Automatic', { exact: true }).first().click()
    await page.getByRole('spinbutton', { name: 'Cool above (°C)' }).waitFor()
    const stored = async () => {
      const row = await db.selectFrom('buildings').select('cooling').where('id', '=', buildingId).executeTakeFirst()
      return row?.cooling ? JSON.parse(row.cooling).season : null
    }
    await expect.poll(stored).toBe('automatic')
    await page.goto(`${site.url}/rooms/${id}/settings`)
    await page.getByRole('switch', { name: /Cool this room in summer/ }).click()
    await page.getByRole('spinbutton', { name: 'Cool to (°C)' }).fill('24.5')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.', { exact: true }).waitFor()
    expect((await site.room('Cellar')).coolingTargetC).toBe(24.5)
    await site.leave(page)
  })

  test('a room that is cooled says so on its tile, without a setpoint of heating', async () => {
    const { id, buildingId } = await site.room('Cellar')
    await site.store.db.updateTable('rooms').set({ cools: 1, controlPower: 0.4 }).where('id', '=', id).execute()
    const page = await site.openSignedIn('phone', { path: `/buildings/${buildingId}` })
    const tile = page.getByRole('article', { name: 'Cellar' })
    await tile.getByText('Cooling', { exact: true }).first().waitFor()
    expect(await tile.getByRole('button').count()).toBe(0)
    await tile.getByRole('link').click()
    await page.getByRole('heading', { name: 'Why is it cooling?' }).waitFor()
    await page.getByRole('radio', { name: 'Cool', exact: true }).waitFor()
    for (const name of ['Too cold', 'Too warm', 'Boost 1 h'])
      expect(await page.getByRole('button', { name }).count()).toBe(0)
    expect(await page.locator('section.heating').count()).toBe(0)
    await site.leave(page)
  })
})
