import { LANGUAGES } from '@hypocaust/domain'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bringToLife, chooseStep, describeInBrowser, HOUSE, SIZES, Site } from './site.ts'

/** Fifty letters without a place to break. */
const LONG = 'Donaudampfschifffahrtsgesellschaftskapitänszimmer'
const ROOMS = 30
const NARROWEST = 320
/** Words of choices and steps that are wider than their place. */
const CUT_CHOICES = `[...document.querySelectorAll('[role=radio], ol button')]
  .filter((choice) => choice.scrollWidth > choice.clientWidth + 1)
  .map((choice) => choice.textContent)`

describeInBrowser('names of fifty letters, and thirty rooms', () => {
  const site = new Site()
  let building = ''
  beforeAll(async () => {
    await site.start()
    const rooms = Array.from({ length: ROOMS }, (_, i) => ({
      name: `${LONG}${String.fromCharCode(97 + (i % 26))}${i < 26 ? '' : '2'}`,
      floor_type: 'screed' as const,
      sensor: `a4:c1:38:5e:02:${String(i + 10)}`,
      valves: i < 8 ? [{ gateway: 'cellar', channel: i + 1 }] : [],
    }))
    const house = await site.addHouse(await site.addAccount(), { ...HOUSE, name: `${LONG}x`, rooms })
    building = house.building.id
    await bringToLife(site, building)
  })
  afterAll(() => site.stop())

  test('widen no page of a phone', async () => {
    const page = await site.openSignedIn('phone')
    const room = await site.room(`${LONG}a`)
    const ofRoom = ['', '/settings', '/programme'].map((end) => `/rooms/${room.id}${end}`)
    const names = [
      'energy',
      'members',
      'changes',
      'setup',
      'settings',
      'record',
      'presence',
      'calendars',
      'house-report',
    ]
    const wide: string[] = []
    for (const path of ['/', ...ofRoom, ...names.map((name) => `/buildings/${building}/${name}`)]) {
      await page.goto(site.url + path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.locator('.skeleton').first().waitFor({ state: 'detached' })
      if (path.endsWith('/setup')) await chooseStep(page, 'Rooms')
      // A phone makes its view as wide as what is in it.
      const width = await page.evaluate('document.documentElement.scrollWidth')
      if (width !== SIZES.phone.viewport.width) wide.push(`${path} is ${width} wide`)
    }
    expect(wide).toEqual([])
    await site.leave(page)
  })

  test('choices and steps are shown whole in every language on the narrowest phone', async () => {
    const page = await site.openSignedIn('phone')
    await page.setViewportSize({ width: NARROWEST, height: 700 })
    const paths = ['/settings', ...['energy', 'setup', 'settings'].map((name) => `/buildings/${building}/${name}`)]
    const wrong: unknown[] = []
    for (const language of LANGUAGES) {
      await page.evaluate(`localStorage.setItem('language', '${language}')`)
      for (const path of paths) {
        await page.goto(site.url + path)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await page.locator('.skeleton').first().waitFor({ state: 'detached' })
        const cut = await page.evaluate(CUT_CHOICES)
        const width = await page.evaluate('document.documentElement.scrollWidth')
        if ((cut as string[]).length > 0 || width !== NARROWEST) wrong.push([language, path, width, cut])
      }
    }
    expect(wrong).toEqual([])
    await site.leave(page)
  })
})
