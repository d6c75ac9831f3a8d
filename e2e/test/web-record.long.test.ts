import { readFileSync } from 'node:fs'
import { systemClock } from '@hypocaust/service'
import { settleMember } from '@hypocaust/testing/members.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { barriersInThemes, THEMES } from './barriers.ts'
import { bringToLife, describeInBrowser, EVERY_SIZE, HOUSE, Site } from './site.ts'

const INSTALLER = 'installer@example.org'
const RESIDENT = 'resident@example.org'

describeInBrowser('the commissioning record of a building', () => {
  const site = new Site()
  let buildingId = ''
  beforeAll(async () => {
    await site.start()
    const { building, gateways } = await site.addHouse(await site.addAccount(), HOUSE)
    buildingId = building.id
    await bringToLife(site, buildingId)
    await settleMember(site.store, systemClock, { buildingId, email: INSTALLER, role: 'installer' })
    await settleMember(site.store, systemClock, { buildingId, email: RESIDENT, role: 'resident' })
    const tested = { gatewayId: gateways[0]?.id ?? '', channel: 1, testedAt: Date.now(), certainty: 0.97 }
    const room = await site.store.db
      .selectFrom('rooms')
      .select('id')
      .where('buildingId', '=', buildingId)
      .where('name', '=', 'Bathroom')
      .executeTakeFirstOrThrow()
    await site.store.db
      .insertInto('loopTests')
      .values({ ...tested, roomId: room.id })
      .execute()
  })
  afterAll(() => site.stop())

  const open = async (size: 'phone' | 'desktop', email: string, colorScheme: 'light' | 'dark' = 'light') => {
    const page = await site.openSignedIn(size, { colorScheme, path: `/buildings/${buildingId}/record` }, email)
    await page.getByRole('heading', { level: 1 }).waitFor()
    return page
  }

  test('an installer sees what is done, what is missing and when each thing last reported', async () => {
    const page = await open('desktop', INSTALLER)
    await page.getByRole('heading', { name: 'Commissioning of Lakeside 12' }).waitFor()
    const list = page.getByRole('region', { name: 'Check list' })
    const item = (text: string) => list.getByRole('listitem').filter({ hasText: text })
    await list.getByText('5 items are open.').waitFor()
    expect(await item('Every gateway reports').textContent()).toContain('Done')
    expect(await item('The sensor of every room reports').textContent()).toContain('Open: Cellar')
    expect(await item('Every room has a loop').textContent()).toContain('Open: Cellar')
    expect(await item('Every loop has been tested').textContent()).toContain('Open: Loop 2')
    expect(await item('Every relay').textContent()).toContain('Open: Loop 1, Loop 2')
    expect(await item('No battery is low').textContent()).toContain('Open: Kitchen')
    const batteries = page.getByRole('region', { name: 'Batteries' }).getByRole('heading', { level: 3 })
    expect(await batteries.allTextContents()).toEqual(['Kitchen', 'Bathroom'])
    await site.leave(page)
  })

  test('an installer opens a loop for a test, closes it, and confirms its room', async () => {
    const page = await site.openSignedIn('phone', { path: `/buildings/${buildingId}/setup` }, INSTALLER)
    await page.getByRole('button', { name: /Test$/, exact: true }).last().click()
    await page.getByRole('button', { name: 'Test: Loop 2' }).click()
    await page.getByText(/^Loop 2 is open until/).waitFor()
    await page.getByRole('button', { name: 'Close the loop now' }).click()
    await page.getByRole('button', { name: /^Room that Loop 2 warms Kitchen$/ }).waitFor()
    await page.getByRole('button', { name: 'Confirm rooms' }).click()
    await page.getByText(/^Kitchen · tested/).waitFor()
    await site.leave(page)
  })

  test('an installer enters the figures of a loop, and takes the record away as JSON', async () => {
    const page = await open('desktop', INSTALLER)
    await page.getByRole('button', { name: 'Enter figures of Loop 1', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Pipe length (m)').fill('84.5')
    await dialog.getByLabel('Floor covering').fill('Oak')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('region', { name: 'Loops' }).getByText('84.5').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download JSON' }).click(),
    ])
    const saved = JSON.parse(readFileSync(await download.path(), 'utf8'))
    expect(saved.loops[0]).toMatchObject({ channel: 1, length_m: 84.5, covering: 'Oak', design_flow_l_min: null })
    expect(saved.gateways[0].relays).toBeDefined()
    await site.leave(page)
  })

  test('printed, it has every room, loop and date, and nothing to click', async () => {
    const page = await open('desktop', INSTALLER, 'dark')
    await page.getByRole('region', { name: 'Loops' }).getByText('97').waitFor()
    await page.emulateMedia({ media: 'print' })
    const text = (await page.locator('body').innerText()).replaceAll(/\s+/g, ' ')
    for (const part of ['Tile on screed', 'a4:c1:38:5e:01:02', 'Loop 1', 'Last contact', 'Date, installer'])
      expect(text).toContain(part)
    expect(text).not.toContain('Print or save')
    expect(await page.getByRole('navigation', { name: 'Pages', exact: true }).isVisible()).toBe(false)
    const pdf = await page.pdf({ format: 'A4' })
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
    await site.leave(page)
  })

  test('a resident has no such page', async () => {
    const page = await open('phone', RESIDENT)
    await page.getByRole('heading', { name: 'Not found' }).waitFor()
    await site.leave(page)
  })

  test.each(EVERY_SIZE)('it is accessible on a %s, in both themes', async (size) => {
    const page = await open(size, INSTALLER)
    await page.getByRole('region', { name: 'Batteries' }).waitFor()
    expect(await barriersInThemes(page, 'record', size, THEMES)).toEqual([])
    await site.leave(page)
  })
})
