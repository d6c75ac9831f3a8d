import { eventually } from '@hypocaust/testing/eventually.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bringToLife, describeInBrowser, EMAIL, HOUSE, PASSWORD, Site } from './site.ts'

describeInBrowser('without a mouse', () => {
  const site = new Site()
  beforeAll(async () => {
    await site.start(async () => {
      const { building } = await site.addHouse(await site.addAccount(), HOUSE)
      await bringToLife(site, building.id)
    })
  })
  afterAll(() => site.stop())

  test('one signs in, raises a target, reads the chart, switches off and on, and changes a setting', async () => {
    const page = await site.open('desktop')
    await page.getByLabel('E-mail address').waitFor()
    await tabTo(page, 'E-mail address')
    await page.keyboard.type(EMAIL)
    await tabTo(page, 'Password')
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    const tile = page.getByRole('article', { name: 'Bathroom' })
    await tile.waitFor()

    await tabTo(page, 'Raise Bathroom by half a degree')
    await page.keyboard.press('Enter')
    await tile.getByText('22.5°', { exact: true }).waitFor()
    await tabTo(page, 'Bathroom', 'back')
    await page.keyboard.press('Enter')
    await page.locator('.uplot canvas').waitFor()
    await page.locator('h1:focus').waitFor()

    const moment = page.getByRole('slider', { name: 'Moment in the chart' })
    const endOfDay = await moment.getAttribute('max')
    await tabTo(page, 'Day')
    await moveTo(page, 'ArrowRight', 'Week')
    await page.keyboard.press('Space')
    await page.getByRole('radio', { name: 'Week', checked: true }).waitFor()
    // Until the week has come, the day is shown.
    await eventually(async () => (await moment.getAttribute('max')) !== endOfDay)
    await tabTo(page, 'Moment in the chart')
    const last = await moment.inputValue()
    await page.keyboard.press('ArrowLeft')
    await eventually(async () => Number(await moment.inputValue()) === Number(last) - 1)

    // Forward lies the page of that name in the navigation.
    await tabTo(page, 'Heat', 'back')
    await moveTo(page, 'ArrowLeft', 'Off')
    await page.keyboard.press('Space')
    await page.getByText('Bathroom is turned off.').waitFor()
    await tabTo(page, 'Undo')
    await page.keyboard.press('Enter')
    await page.getByRole('radio', { name: 'Heat', exact: true, checked: true }).waitFor()

    await tabTo(page, /^No night mode/)
    await page.keyboard.press('Enter')
    await planWeek(page)
    await tabTo(page, /^Settings of Bathroom/)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Settings of Bathroom' }).waitFor()
    await tabTo(page, 'Highest floor temperature (°C)')
    await page.keyboard.press('ArrowUp')
    await tabTo(page, 'Save')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Bathroom', exact: true, level: 1 }).waitFor()
    const { maxFloorC, programme } = await site.store.db
      .selectFrom('rooms')
      .select(['maxFloorC', 'programme'])
      .where('name', '=', 'Bathroom')
      .executeTakeFirstOrThrow()
    expect(maxFloorC).toBeGreaterThan(20)
    const week = JSON.parse(programme ?? '{}') as Record<string, { at: string; setback: number }[]>
    expect(week.tuesday?.map(({ at }) => at)).toEqual(['00:00', '05:30', '12:15', '22:30'])
    expect(week.tuesday?.[2]?.setback).toBe(0.5)
    expect(week.sunday).toEqual(week.tuesday)
    await site.leave(page)
  }, 300_000)
})

/** A fourth step on Tuesday, moved and lowered by arrow keys, and the same on all days. */
async function planWeek(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Programme of Bathroom' }).waitFor()
  await tabTo(page, 'Tu Choose Tuesday')
  await page.keyboard.press('Enter')
  await tabTo(page, '22.5° from 05:30 to 22:30')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Tuesday' }).waitFor()
  await tabTo(page, 'Add step')
  await page.keyboard.press('Enter')
  await tabTo(page, 'Tuesday, step 3', 'back')
  const edge = page.getByRole('slider', { name: 'Tuesday, step 3' })
  expect(await edge.getAttribute('aria-valuetext')).toBe('14:00, 22.5°')
  for (let i = 0; i < 7; i++) await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowDown')
  expect(await edge.getAttribute('aria-valuetext')).toBe('12:15, 22.0°')
  await tabTo(page, 'All days')
  await page.keyboard.press('Enter')
  await tabTo(page, 'Save')
  await page.keyboard.press('Enter')
  await page.getByText('Week programme', { exact: true }).waitFor()
}

const MOST_STOPS = 80

/** Goes on until the thing of that name has the focus; every stop on the way must be visible as such and have a name. */
async function tabTo(page: Page, name: string | RegExp, direction: 'on' | 'back' = 'on'): Promise<void> {
  const passed: string[] = []
  for (let i = 0; i < MOST_STOPS; i++) {
    await page.keyboard.press(direction === 'on' ? 'Tab' : 'Shift+Tab')
    const stop = (await page.evaluate(FOCUSED)) as { name: string; outlinePx: number; html: string }
    if (stop.html === '') continue
    expect(stop.outlinePx, `the focus cannot be seen on ${stop.html}`).toBeGreaterThanOrEqual(2)
    expect(stop.name, `no name: ${stop.html}`).not.toBe('')
    passed.push(stop.name)
    if (typeof name === 'string' ? stop.name === name : name.test(stop.name)) return
  }
  throw new Error(`${name} was not reached by keyboard; passed ${passed.join(', ')}`)
}

/** Within a group of choices the focus follows an arrow only after the key's event has ended. */
async function moveTo(page: Page, arrow: 'ArrowLeft' | 'ArrowRight', name: string): Promise<void> {
  await page.keyboard.press(arrow)
  await page.getByRole('radio', { name, exact: true }).and(page.locator(':focus')).waitFor()
}

const FOCUSED = `(() => {
  const element = document.activeElement
  if (!element || element === document.body) return { name: '', outlinePx: 0, html: '' }
  const style = getComputedStyle(element)
  const name = element.getAttribute('aria-label') ?? element.labels?.[0]?.innerText ?? element.innerText ?? ''
  return {
    name: name.trim().replace(/\\s+/g, ' '),
    outlinePx: style.outlineStyle === 'none' ? 0 : parseFloat(style.outlineWidth),
    html: element.outerHTML.slice(0, 120),
  }
})()`
