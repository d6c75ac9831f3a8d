import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeInBrowser, HOUSE, pressed, Site } from './site.ts'

describeInBrowser('the change log', () => {
  const site = new Site()
  let buildingId = ''
  let roomId = ''
  beforeAll(async () => {
    await site.start()
    const { building, rooms } = await site.addHouse(await site.addAccount(), HOUSE)
    buildingId = building.id
    roomId = rooms[0]?.id ?? ''
  })
  afterAll(() => site.stop())

  test('shows a change of the target from the room’s page, and undoes it by keyboard', async () => {
    const page = await site.openSignedIn('phone', { path: `/rooms/${roomId}` })
    await pressed(page.getByRole('button', { name: 'Raise Bathroom by half a degree' }))
    await page.getByRole('region', { name: 'Now' }).getByText('22.5°', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Who changed what, and when' }).click()
    await page.getByRole('heading', { name: 'Changes in Bathroom' }).waitFor()
    const today = page.getByRole('region', { name: 'Today' })
    await today.getByText('Bathroom: comfort temperature 22.0° → 22.5°').waitFor()
    await today.getByText('ada@example.org').first().waitFor()
    const undo = page.getByRole('button', { name: 'Undo: Bathroom: comfort temperature 22.0° → 22.5°' })
    await undo.focus()
    await page.keyboard.press('Enter')
    await today.getByText('Bathroom: comfort temperature 22.5° → 22.0°').waitFor()
    await undo.waitFor({ state: 'hidden' })
    const room = await site.store.db
      .selectFrom('rooms')
      .select('targetC')
      .where('id', '=', roomId)
      .executeTakeFirstOrThrow()
    expect(room.targetC).toBe(22)
    await site.leave(page)
  })

  test('filters by who and what, and downloads the same as a table', async () => {
    const page = await site.openSignedIn('desktop', { path: `/buildings/${buildingId}/changes` })
    await page.getByText('Lakeside 12: building created').waitFor()
    await page.getByRole('group', { name: 'Changed by' }).getByRole('radio', { name: 'People' }).check()
    await page.getByText('Lakeside 12: building created').waitFor({ state: 'hidden' })
    await page.getByRole('group', { name: 'What' }).getByRole('radio', { name: 'Members and API keys' }).check()
    await page.getByText('No changes match.').waitFor()
    await page.getByRole('group', { name: 'Changed by' }).getByRole('radio', { name: 'API keys and programs' }).check()
    await page.getByRole('group', { name: 'What' }).getByRole('radio', { name: 'Set-up' }).check()
    await page.getByText('Cellar: room added').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download as a table (CSV)' }).click(),
    ])
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\n')
    expect(download.suggestedFilename()).toBe('Changes in Lakeside 12.csv')
    expect(lines[0]).toBe('time,by,name,role,holder,subject,field,before,after')
    expect(lines.at(-1)).toMatch(/,command,,,,Lakeside 12,building,,Lakeside 12$/)
    expect(lines.slice(1).every((line) => line.includes(',command,'))).toBe(true)
    await site.leave(page)
  })

  test('on a phone the changes come first, and the filter is a sheet', async () => {
    const page = await site.openSignedIn('phone', { path: `/buildings/${buildingId}/changes` })
    const newest = page.getByRole('region', { name: 'Today' }).getByRole('listitem').first()
    await newest.waitFor()
    expect((await newest.boundingBox())?.y).toBeLessThan(400)
    await page.getByRole('button', { name: 'Filter Everything' }).click()
    const sheet = page.getByRole('dialog', { name: 'Filter' })
    await sheet.getByRole('radio', { name: 'API keys and programs' }).check()
    await sheet.getByRole('radio', { name: 'Set-up' }).check()
    await sheet.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Filter API keys and programs, Set-up' }).waitFor()
    await page.getByText('Cellar: room added').waitFor()
    await page.getByText('Bathroom: comfort temperature 22.5° → 22.0°').waitFor({ state: 'hidden' })
    await site.leave(page)
  })

  test('is in German too', async () => {
    const page = await site.openSignedIn('phone')
    await page.evaluate("localStorage.setItem('language', 'de')")
    await page.goto(`${site.url}/buildings/${buildingId}/changes`)
    await page.getByRole('heading', { name: 'Änderungen in Lakeside 12' }).waitFor()
    await page.getByText('Bathroom: Wunschtemperatur 22,5° → 22,0°').waitFor()
    await page.getByText('Kommandozeile').first().waitFor()
    await site.leave(page)
  })

  test('all rooms are turned off from home, and are as before once that is undone', async () => {
    const targets = () =>
      site.store.db.selectFrom('rooms').select(['targetC', 'manualEnabled']).orderBy('position').execute()
    const before = await targets()
    const page = await site.openSignedIn('phone')
    await page.getByText('All rooms', { exact: true }).click()
    await page.getByRole('button', { name: 'All −1.0°' }).click()
    await page.getByText('All comfort temperatures are 1.0° lower.').waitFor()
    expect((await targets()).map(({ targetC }) => targetC)).toEqual(before.map(({ targetC }) => targetC - 1))
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('article', { name: 'Bathroom' }).getByText('22.0°', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'All off' }).click()
    await page.getByText('All rooms are turned off.').waitFor()
    expect((await targets()).every(({ manualEnabled }) => manualEnabled === 1)).toBe(true)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Raise Bathroom by half a degree' }).waitFor()
    expect(await targets()).toEqual(before)
    await site.leave(page)
  })
})
