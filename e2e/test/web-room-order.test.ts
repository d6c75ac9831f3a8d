import { afterAll, beforeAll, expect, test } from 'vitest'
import { chooseStep, describeInBrowser, HOUSE, Site } from './site.ts'

describeInBrowser('order and storeys of rooms', () => {
  const site = new Site()
  let buildingId = ''
  beforeAll(async () => {
    await site.start()
    const [bathroom, ...others] = HOUSE.rooms
    const rooms = [{ ...bathroom, storey: 'Upstairs' }, ...others] as typeof HOUSE.rooms
    buildingId = (await site.addHouse(await site.addAccount(), { ...HOUSE, rooms })).building.id
  })
  afterAll(() => site.stop())

  test('home groups the rooms by storey, in the order that was chosen on the set-up page', async () => {
    const page = await site.openSignedIn('phone')
    await page.getByRole('region', { name: 'Upstairs' }).getByRole('article', { name: 'Bathroom' }).waitFor()
    await page.goto(`${site.url}/buildings/${buildingId}/setup`)
    await chooseStep(page, 'Rooms')
    await page.getByRole('button', { name: 'Move Cellar up' }).click()
    await page.getByRole('button', { name: 'Move Kitchen down' }).and(page.locator(':disabled')).waitFor()
    await page.goto(site.url)
    const others = page.getByRole('region', { name: 'Other rooms' })
    await expect.poll(() => others.getByRole('article').first().innerText()).toMatch(/^Cellar/)
    await site.leave(page)
  })
})
