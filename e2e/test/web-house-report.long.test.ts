import { readFileSync } from 'node:fs'
import { systemClock } from '@hypocaust/service'
import { learnRoom } from '@hypocaust/testing/learned-room.ts'
import { settleMember } from '@hypocaust/testing/members.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { barriersInThemes, THEMES } from './barriers.ts'
import { describeInBrowser, EVERY_SIZE, HOUSE, Site } from './site.ts'

const INSTALLER = 'installer@example.org'
const RESIDENT = 'resident@example.org'

describeInBrowser('the report of a house', () => {
  const site = new Site()
  let buildingId = ''
  let leftOut = ''
  beforeAll(async () => {
    await site.start()
    const { building, rooms } = await site.addHouse(await site.addAccount(), HOUSE)
    buildingId = building.id
    await settleMember(site.store, systemClock, { buildingId, email: INSTALLER, role: 'installer' })
    await settleMember(site.store, systemClock, { buildingId, email: RESIDENT, role: 'resident' })
    await site.store.db.updateTable('rooms').set({ areaM2: 12 }).execute()
    for (const { id } of rooms.slice(0, 2)) await learnRoom(site.store, id, 10, Date.now())
    leftOut = rooms[2]?.name ?? ''
  })
  afterAll(() => site.stop())

  const open = async (size: 'phone' | 'desktop', name: string, email = INSTALLER) => {
    const page = await site.openSignedIn(size, { path: `/buildings/${buildingId}/${name}` }, email)
    await page.getByRole('heading', { level: 1 }).waitFor()
    return page
  }

  test('says what limits the supply temperature, and that without a heat meter there are no kilowatts', async () => {
    const page = await open('desktop', 'house-report')
    const house = page.getByRole('region', { name: 'The house' })
    await house.getByText('Without a heat meter only shares are known').waitFor()
    expect(await house.getByText('Heat load').count()).toBe(0)
    expect(await page.getByRole('definition').filter({ hasText: /^–$/ }).count()).toBe(0)
    const supply = page.getByRole('region', { name: 'Supply temperature and heat pump' })
    await supply.getByText('Limiting room').waitFor()
    await supply.getByText('No gateway measures the supply temperature').waitFor()
    await page.getByRole('region', { name: 'Not included' }).getByText(leftOut).waitFor()
    await page.getByRole('spinbutton', { name: 'Design outdoor temperature' }).fill('-15')
    await page.getByRole('button', { name: 'Calculate' }).click()
    await page.getByText('Design weather: −15.0°').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download JSON' }).click(),
    ])
    const saved = JSON.parse(readFileSync(await download.path(), 'utf8'))
    expect(saved).toMatchObject({ outdoor_temperature: -15, is_metered: false, heat_load: null })
    expect(saved.rooms).toHaveLength(2)
    await site.leave(page)
  })

  test('leads to balancing, which is printed with a line to sign', async () => {
    const page = await open('desktop', 'house-report')
    await page.getByRole('link', { name: 'Hydraulic balancing' }).click()
    const rooms = page.getByRole('region', { name: 'Rooms' })
    await rooms.getByText('Water as a multiple of now').first().waitFor()
    await page.emulateMedia({ media: 'print' })
    const text = (await page.locator('body').innerText()).replaceAll(/\s+/g, ' ')
    for (const part of ['Limiting room', 'Lower by (K)', 'Date, professional']) expect(text).toContain(part)
    expect(text).not.toContain('Print or save')
    expect(text).not.toContain('Calculate')
    await site.leave(page)
  })

  test('is not there for a resident', async () => {
    for (const name of ['house-report', 'balancing']) {
      const page = await open('phone', name, RESIDENT)
      await page.getByRole('heading', { name: 'Not found' }).waitFor()
      await site.leave(page)
    }
  })

  test.each(EVERY_SIZE)('is accessible on a %s, in both themes', async (size) => {
    for (const name of ['house-report', 'balancing']) {
      const page = await open(size, name)
      await page.getByRole('region', { name: 'Rooms' }).waitFor()
      expect(await barriersInThemes(page, name, size, THEMES)).toEqual([])
      await site.leave(page)
    }
  })
})
