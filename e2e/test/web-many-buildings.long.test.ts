import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addHouses, fateOf, nameOf } from '../home/houses.ts'
import { barriersInThemes, THEMES } from './barriers.ts'
import { describeInBrowser, EVERY_SIZE, Site } from './site.ts'

const BUILDINGS = 60
const fates = Array.from({ length: BUILDINGS }, (_, i) => fateOf(i))
const urgent = fates.filter((fate) => fate === 'unavailable' || fate === 'sensor_silent').length

describeInBrowser('the first page of a person with many buildings', () => {
  const site = new Site()
  beforeAll(async () => {
    await site.start()
    await addHouses(site, await site.addAccount(), BUILDINGS)
  })
  afterAll(() => site.stop())

  const idsOf = async (name: string) =>
    (await site.store.db.selectFrom('buildings').select('id').where('name', '=', name).execute()).map(({ id }) => id)
  const lines = (page: Page) => page.getByRole('list', { name: 'Buildings' }).getByRole('listitem')
  const isOnScreen = (line: Locator) =>
    line.evaluate((each) => each.getBoundingClientRect().top < Number(each.ownerDocument.defaultView?.innerHeight))
  const choose = async (page: Page, label: string, choice: string | RegExp) => {
    await page.getByRole('button', { name: label }).click()
    await page.getByRole('dialog').getByRole('button', { name: choice }).click()
  }
  const namesOf = (page: Page) => lines(page).locator('b').allTextContents()

  test('what is wrong comes first, then what is unavailable; home and alerts count alike', async () => {
    const page = await site.openSignedIn('desktop')
    const sentence = `${urgent} of ${BUILDINGS} buildings need attention.`
    await page.getByRole('status').getByText(sentence).waitFor()
    const wrong = fates.flatMap((fate, i) => (fate === 'sensor_silent' ? [nameOf(i)] : []))
    const unavailable = fates.flatMap((fate, i) => (fate === 'unavailable' ? [nameOf(i)] : []))
    const first = await namesOf(page)
    expect(first.slice(0, wrong.length).toSorted()).toEqual(wrong.toSorted())
    expect(first.slice(wrong.length, wrong.length + unavailable.length)).toEqual(unavailable)
    await page.getByRole('link', { name: 'Alerts' }).click()
    await page.getByText(sentence).waitFor()
    await site.leave(page)
  })

  test('search, filter, tags and order narrow the list; Enter opens the first', async () => {
    const page = await site.openSignedIn('phone')
    const search = page.getByRole('searchbox', { name: 'Search' })
    await search.fill('mill 2026')
    const found = fates.flatMap((_, i) => (i % 7 === 2 && [2, 3].includes(i % 5) ? [nameOf(i)] : []))
    await expect.poll(() => namesOf(page)).toEqual(found)
    await search.fill('')
    await choose(page, 'Show', /^Unavailable/)
    await expect.poll(() => namesOf(page)).toEqual([nameOf(11)])
    await choose(page, 'Show', /^All/)
    await choose(page, 'Tag', 'South')
    await choose(page, 'Sort by', 'Name')
    const names = (await namesOf(page)).map((name) => name.replace(/\d+$/, (n) => n.padStart(3, '0')))
    expect(names).toEqual(names.toSorted())
    await choose(page, 'Tag', 'Any')
    await search.fill(nameOf(BUILDINGS - 1))
    await expect.poll(() => namesOf(page)).toEqual([nameOf(BUILDINGS - 1)])
    await search.press('Enter')
    await page.getByRole('heading', { name: nameOf(BUILDINGS - 1) }).waitFor()
    await page.getByRole('link', { name: 'Back' }).click()
    expect(await search.inputValue()).toBe(nameOf(BUILDINGS - 1))
    await search.fill('nothing is called this')
    await page.getByRole('button', { name: 'Show all', exact: true }).click()
    await expect.poll(() => lines(page).count()).toBeGreaterThan(5)
    await site.leave(page)
  })

  test('a line names the coldest room and the temperature outdoors; sorted by it, the coldest comes first', async () => {
    const [id = ''] = await idsOf(nameOf(2))
    const { db } = site.store
    const cold = { temperatureC: 8.4, measuredAt: Date.now() }
    await db.updateTable('sensors').set(cold).where('buildingId', '=', id).where('address', 'like', '%05').execute()
    const weather = { buildingId: id, updatedAt: Date.now(), temperatureC: -3.4, cloudPct: 0, windDeg: 0, windMs: 0 }
    await db.insertInto('weather').values(weather).execute()
    const page = await site.openSignedIn('phone')
    await choose(page, 'Sort by', 'Coldest room')
    const first = lines(page).first()
    await first.getByText(nameOf(2)).waitFor()
    expect((await first.innerText()).replaceAll(/\s+/g, ' ')).toMatch(/Coldest room 8° Hall Outdoors −3°$/)
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    await choose(page, 'Sort by', 'Need')
    await site.leave(page)
  })

  test('every line is in the page, also far below the screen, and scrolling changes none', async () => {
    const page = await site.openSignedIn('phone')
    await expect.poll(() => lines(page).count()).toBe(BUILDINGS)
    const places = await lines(page).evaluateAll((all) => all.map((line) => line.getAttribute('aria-posinset')))
    expect(places).toEqual(fates.map((_, i) => String(i + 1)))
    await page.evaluate(`(() => {
      window.changes = 0
      const list = document.querySelector('main [role=list]')
      new MutationObserver((all) => { window.changes += all.length }).observe(list, { subtree: true, childList: true })
    })()`)
    await page.keyboard.press('End')
    await expect.poll(() => isOnScreen(lines(page).last())).toBe(true)
    expect(await page.evaluate('window.changes')).toBe(0)
    await site.leave(page)
  })

  test('a line opens its building without loading the site anew, and in a new tab with a key held', async () => {
    const page = await site.openSignedIn('desktop')
    await page.evaluate('window.isSame = true')
    const first = lines(page).first().getByRole('link')
    const newTab = page.context().waitForEvent('page')
    await first.click({ modifiers: ['ControlOrMeta'] })
    await (await newTab).getByRole('heading', { level: 1 }).waitFor()
    await first.click()
    await page.waitForURL(/\/buildings\//)
    expect(await page.evaluate('window.isSame')).toBe(true)
    await site.leave(page)
  })

  test.each(EVERY_SIZE)('the list is accessible on a %s, in both themes', async (size) => {
    const page = await site.openSignedIn(size)
    await lines(page).first().waitFor()
    expect(await barriersInThemes(page, 'home', size, THEMES)).toEqual([])
    await site.leave(page)
  })

  test('an owner gives a building a tag in its settings, and finds it by that', async () => {
    const page = await site.openSignedIn('phone')
    const last = BUILDINGS - 1
    await page.getByRole('searchbox').fill(nameOf(last))
    await page.getByRole('link', { name: nameOf(last) }).click()
    await page.getByRole('link', { name: /^Building settings/ }).click()
    await page.getByLabel('New tag').fill('Roof')
    await page.getByRole('button', { name: 'Add tag' }).click()
    await page.getByRole('button', { name: 'Remove tag Roof' }).waitFor()
    await page.getByRole('link', { name: 'Home' }).click()
    await page.getByRole('searchbox').fill('roof')
    await expect.poll(() => namesOf(page)).toEqual([nameOf(last)])
    await site.leave(page)
  })
})
