import { bridgeStopped, reportBridge, systemClock } from '@hypocaust/service'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeInBrowser, HOUSE, Site } from './site.ts'

const CODES = { manualCode: '34970112332', qrPayload: 'MT:Y.K9042C00KA0648G00' }

describeInBrowser('Matter on the set-up page', () => {
  const site = new Site()
  let buildingId: string
  beforeAll(async () => {
    await site.start()
    buildingId = (await site.addHouse(await site.addAccount(), HOUSE)).building.id
  })
  afterAll(() => site.stop())

  test('tells what to run, shows the code when a bridge runs, then who is paired', async () => {
    const page = await site.openSignedIn('phone', { path: `/buildings/${buildingId}/settings` })
    const matter = page.locator('section', { has: page.getByRole('heading', { name: 'Matter' }) })
    const command = matter.getByText(`hypocaust matter --building ${buildingId}`)
    await matter.getByText('For experts').click()
    await command.waitFor()
    await reportBridge(site.store, systemClock, buildingId, { ...CODES, controllers: 0 })
    await page.getByText('3497-011-2332').waitFor()
    const picture = page.getByRole('img', { name: 'QR code for pairing with Matter' })
    // Drawn a moment after its place is there.
    await eventually(() => picture.evaluate((image: { naturalWidth: number }) => image.naturalWidth > 0))
    await reportBridge(site.store, systemClock, buildingId, { ...CODES, controllers: 2 })
    await page.getByText('Paired with 2 controllers.').waitFor()
    expect(await picture.count()).toBe(0)
    await bridgeStopped(site.store, buildingId)
    await matter.getByText('For experts').click()
    await command.waitFor()
    await site.leave(page)
  })
})
