import { afterAll, beforeAll, expect, test } from 'vitest'
import { barriersInThemes, THEMES } from './barriers.ts'
import { bringToLife, describeInBrowser, HOUSE, Site } from './site.ts'

const FILE = 'name: Maker X\nsteps: [{ hours: 48, supply_c: 25 }, { hours: 24, supply_c: 38 }]\n'

describeInBrowser('the heat-up of a screed', () => {
  const site = new Site()
  let buildingId = ''
  let gatewayId = ''
  beforeAll(async () => {
    await site.start()
    const { building, gateways } = await site.addHouse(await site.addAccount(), HOUSE)
    buildingId = building.id
    gatewayId = gateways[0]?.id ?? ''
    await bringToLife(site, buildingId)
  })
  afterAll(() => site.stop())

  const measure = (supply_c: number | null) =>
    site.store.db
      .updateTable('gateways')
      .set({ sourceReport: JSON.stringify({ lock: null, supply_c }), lastSeenAt: Date.now() })
      .where('id', '=', gatewayId)
      .execute()
  const asking = (heatSource: string) =>
    site.store.db.updateTable('buildings').set({ heatSource }).where('id', '=', buildingId).execute()
  const open = async (size: 'phone' | 'desktop') => {
    const page = await site.openSignedIn(size, { path: `/buildings/${buildingId}/record` })
    await page.getByRole('link', { name: 'Screed heat-up' }).click()
    await page.getByRole('heading', { level: 1, name: 'Screed heat-up' }).waitFor()
    return page
  }

  test('says what is missing before one can be started', async () => {
    await asking('{"kind":"boiler"}')
    const page = await open('phone')
    await page.getByText('The service does not set the supply temperature').waitFor()
    expect(await page.getByRole('button', { name: 'Start heat-up' }).count()).toBe(0)
    await page.getByRole('link', { name: 'Building settings' }).click()
    await page.getByRole('heading', { name: 'Settings of Lakeside 12' }).waitFor()
    await site.leave(page)
  })

  test('is started from a file, shown, stopped, and leaves a record to print and to download', async () => {
    await asking('{"kind":"boiler","supply":{"max":40}}')
    await measure(25)
    const page = await open('desktop')
    await page.getByRole('button', { name: 'Programme' }).click()
    await page.getByRole('button', { name: 'Own programme' }).click()
    const choose = (text: string) =>
      page
        .locator('input[type=file]')
        .setInputFiles({ name: 'x.yaml', mimeType: 'text/yaml', buffer: Buffer.from(text) })
    await choose(FILE.replace('38', '48'))
    await page.getByRole('button', { name: 'Start heat-up' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Start heat-up' }).click()
    await dialog.getByText('outside the limits of the heat source').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await choose(FILE)
    await page.getByRole('button', { name: 'Start heat-up' }).click()
    await dialog.getByRole('button', { name: 'Start heat-up' }).click()
    await page.getByText('Step 1 of 2: water of 25.0°').waitFor()
    await page.getByText('0 of 72 h done').waitFor()
    await page.getByText('The record has no end yet.').waitFor()
    await page.getByText('The water is as the programme asks.').waitFor()
    expect(await barriersInThemes(page, 'screed', 'desktop', THEMES)).toEqual([])
    await measure(40)
    await page.reload()
    await page.getByText('Measured: 40.0°').waitFor()
    expect(await page.getByText('The water is as the programme asks.').count()).toBe(0)
    await page.getByRole('link', { name: 'Home' }).click()
    await page.getByText('The new screed is being heated up.').waitFor()
    expect(await page.getByRole('button', { name: 'Close the loop now' }).count()).toBe(0)
    await page.getByRole('region', { name: 'Screed heat-up' }).getByRole('link', { name: 'Show programme' }).click()
    await page.getByRole('button', { name: 'Stop heat-up' }).click()
    await dialog.getByRole('button', { name: 'Stop heat-up' }).click()
    await page.getByText('The programme was stopped.').waitFor()
    await page.getByText('Stopped after 0 h of the programme').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download JSON' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('screed-record.json')
    await page.emulateMedia({ media: 'print' })
    const text = (await page.locator('body').innerText()).replaceAll(/\s+/g, ' ')
    for (const part of ['Maker X in', 'Step 1: 25.0° for 48 h', 'Signature of this service', 'Date, installer'])
      expect(text).toContain(part)
    for (const part of ['Start heat-up', 'Download JSON', 'Print or save']) expect(text).not.toContain(part)
    await site.leave(page)
  })
})
