import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { barriers, misfits, THEMES } from './barriers.ts'
import { type CardRoom, climateOf, DAY, houseOf, planFor } from './card-house.ts'
import { executablePath, launchBrowser } from './stage.ts'

const CARD = join(import.meta.dirname, '../../custom_components/hypocaust/card')

/** Colours as the theme that Home Assistant brings has them. */
const PAGE = `<!doctype html><html lang="en"><head><title>Dashboard</title><style>
  :root { --primary-text-color: #141414; --secondary-text-color: #5e5e5e; --card-background-color: #fff; --divider-color: #e0e0e0;
    --secondary-background-color: #e5e5e5; --primary-color: #009ac7; --state-climate-heat-color: #ff8100; color-scheme: light dark }
  @media (prefers-color-scheme: dark) { :root { --primary-text-color: #e1e1e1; --secondary-text-color: #9b9b9b;
    --card-background-color: #1c1c1c; --divider-color: #2e2e2e; --secondary-background-color: #282828 } }
  body { margin: 0; background: var(--secondary-background-color); font: 14px sans-serif }
</style></head><body><header><h1>Dashboard</h1></header><main></main><script type="module" src="/card-page.js"></script></body></html>`

const WORDS = { heating: 'Heating', warm_enough: 'Warm enough', open_window: 'Window open', unavailable: 'Unavailable' }
const BATHROOM: CardRoom = {
  name: 'Bathroom',
  current: 21.4,
  setpoint: 22,
  action: 'heating',
  doing: 'heating',
  until: '2026-01-10T21:00:00.000Z',
  next: 19,
}
const HALL: CardRoom = { name: 'Hall', current: 18.96, setpoint: 19, reason: 'away', until: '2026-01-12T15:00:00.000Z' }

type Given = { house: ReturnType<typeof houseOf>; words: Record<string, string>; plans: object | null }
const given = (rooms: CardRoom[], plans: object | null = planFor(rooms)): Given => ({
  house: houseOf(rooms),
  words: WORDS,
  plans,
})

// Skipped visibly without a browser; where nothing may be missing it fails instead.
describe.skipIf(executablePath === undefined && process.env.CI !== 'true')(
  'the card for Home Assistant, in a browser',
  () => {
    let server: Server
    let browser: Browser
    let page: Page
    let complaints: string[]

    beforeAll(async () => {
      server = createServer(({ url = '' }, answer) => {
        // Of a full browser, which asks for an icon as well.
        if (url === '/favicon.ico') return answer.writeHead(204).end()
        const name = url.slice(1)
        const type = name ? 'text/javascript' : 'text/html; charset=utf-8'
        const file = name === 'card-page.js' ? join(import.meta.dirname, name) : join(CARD, name)
        answer.writeHead(200, { 'content-type': type }).end(name ? readFileSync(file) : PAGE)
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      browser = await launchBrowser()
    })
    afterAll(async () => {
      await browser?.close()
      server?.close()
    })

    beforeEach(async () => {
      page = await browser.newPage({ viewport: { width: 480, height: 800 } })
      complaints = []
      page.on('pageerror', (error) => complaints.push(error.message))
      await page.clock.setFixedTime('2026-01-10T11:00:00Z')
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
      await page.waitForFunction('window.cardPage')
    })
    afterEach(async () => {
      await page.close()
      expect(complaints).toEqual([])
    })

    const show = (what: Given, config: object = {}) =>
      page.evaluate(`window.cardPage.show(${JSON.stringify(what)}, ${JSON.stringify(config)})`)
    const change = (what: Given) => page.evaluate(`window.cardPage.change(${JSON.stringify(what)})`)
    const calls = () => page.evaluate('window.cardPage.calls') as Promise<unknown[][]>
    const row = (name: string) => page.locator('li', { hasText: name })
    const strip = (name: string) => row(name).getByRole('img')

    test('is listed for dashboards, with a form and its size', async () => {
      const card = `customElements.get('hypocaust-card')`
      expect(await page.evaluate('window.customCards')).toMatchObject([{ type: 'hypocaust-card', preview: true }])
      expect(await page.evaluate(`${card}.getStubConfig()`)).toEqual({})
      expect(
        await page.evaluate(`(() => {
        const { schema, computeLabel } = ${card}.getConfigForm()
        return schema.map((field) => [field.name, computeLabel(field)])
      })()`),
      ).toEqual([
        ['title', 'Title'],
        ['building', 'Building'],
      ])
      await show(given([BATHROOM, HALL]))
      const shown = `document.querySelector('hypocaust-card')`
      expect(await page.evaluate(`${shown}.getCardSize()`)).toBe(5)
      expect(await page.evaluate(`${shown}.getGridOptions()`)).toEqual({ columns: 12, min_columns: 6 })
    })

    test('refuses a configuration that it does not understand', async () => {
      await expect(show(given([]), { title: 5 })).rejects.toThrow('title must be a text')
    })

    test('shows how warm each room is, why, and what comes next', async () => {
      await show(given([HALL, BATHROOM]))
      expect(await page.getByRole('heading', { level: 2 }).textContent()).toBe('Lakeside 12')
      expect(await page.locator('.name').allTextContents()).toEqual(['Bathroom', 'Hall'])
      expect(await row('Bathroom').locator('.current').textContent()).toBe('21.4°')
      expect(await row('Bathroom').locator('.setpoint').textContent()).toBe('→ 22.0°')
      expect(await row('Bathroom').locator('.why').textContent()).toBe('Heating · Programme until 22:00, then 19.0°')
      expect(await row('Hall').locator('.why').textContent()).toBe('Warm enough · Away until Mon 16:00')
      await page.getByRole('button', { name: 'Bathroom 21.4° heated to 22.0° Heating · Programme until' }).waitFor()
    })

    test('asks once for the plan of all rooms, and draws it as a strip that can be read aloud', async () => {
      await show(given([HALL, BATHROOM]))
      await strip('Bathroom').waitFor()
      expect(await strip('Bathroom').getAttribute('aria-label')).toBe(
        'Plan of the day: 00:00 19.0°, 05:30 22.0°, 22:00 19.0°',
      )
      expect(await strip('Bathroom').locator('.span').allTextContents()).toEqual(['19.0°', '22.0°', ''])
      expect(await page.locator('.mark').allTextContents()).toEqual(['06:00', '12:00', '18:00'])
      expect(await calls()).toEqual([
        ['hypocaust', 'get_plan', {}, { entity_id: [climateOf('Bathroom'), climateOf('Hall')] }, false, true],
      ])
      const [line, box] = [await strip('Hall').locator('.now').boundingBox(), await strip('Hall').boundingBox()]
      expect(((line?.x ?? 0) - (box?.x ?? 0)) / (box?.width ?? 1)).toBeCloseTo(0.5, 2)
    })

    test('hours without heating are not a temperature, and a day that is over is not shown', async () => {
      const [night, day, evening] = DAY.plan
      const off = { ...DAY, plan: [night, { ...day, temperature: null }, evening] }
      await show(given([BATHROOM, HALL], { [climateOf('Bathroom')]: off }))
      expect(await strip('Bathroom').getAttribute('aria-label')).toContain('05:30 not heated')
      expect(await strip('Hall').count()).toBe(0)
      await page.clock.setFixedTime('2026-01-10T23:00:00Z')
      await change({ ...given([{ ...BATHROOM, current: 21 }, HALL], null) })
      await row('Bathroom').locator('.current', { hasText: '21.0°' }).waitFor()
      expect(await strip('Bathroom').count()).toBe(0)
    })

    test('without a plan, the rooms are shown as they are', async () => {
      await show(given([BATHROOM], null))
      await page.waitForFunction('window.cardPage.calls.length === 1')
      expect(await row('Bathroom').locator('.current').textContent()).toBe('21.4°')
      expect(await strip('Bathroom').count()).toBe(0)
    })

    test('asks again when another setpoint acts, not at every reading', async () => {
      const first = given([BATHROOM])
      await show(first)
      await strip('Bathroom').waitFor()
      const id = climateOf('Bathroom')
      const states = {
        ...first.house.states,
        [id]: { ...first.house.states[id], attributes: { current_temperature: 22 } },
      }
      await change({ ...first, house: { ...first.house, states } })
      await row('Bathroom').locator('.current', { hasText: '22.0°' }).waitFor()
      expect(await calls()).toHaveLength(1)
      await change(given([{ ...BATHROOM, setpoint: 23, reason: 'override' }]))
      await row('Bathroom').locator('.why', { hasText: 'Override' }).waitFor()
      expect(await calls()).toHaveLength(2)
    })

    test('the row in use keeps the focus, and opens the thermostat by key', async () => {
      await show(given([BATHROOM, HALL]))
      await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
      await change(
        given([
          { ...BATHROOM, current: 20 },
          { ...HALL, current: 17 },
        ]),
      )
      await row('Hall').locator('.current', { hasText: '17.0°' }).waitFor()
      await page.keyboard.press('Enter')
      expect(await page.evaluate('window.cardPage.opened')).toEqual([climateOf('Hall')])
    })

    test('what is off, silent or gone is said so', async () => {
      const off: CardRoom = {
        name: 'Study',
        state: 'off',
        reason: 'off',
        doing: 'off',
        until: BATHROOM.until ?? null,
        next: 20,
      }
      await show(given([off, { name: 'Cellar', state: 'unavailable', current: null, doing: 'unavailable' }], null))
      expect(await row('Study').locator('.setpoint').textContent()).toBe('')
      expect(await row('Study').locator('.why').textContent()).toBe('off · until 22:00, then 20.0°')
      expect(await row('Cellar').locator('.current').textContent()).toBe('–')
      expect(await row('Cellar').locator('.why').textContent()).toBe('Unavailable')
      await change(given([], null))
      await page.getByText('There are no rooms here yet.').waitFor()
      expect(await page.locator('li').count()).toBe(0)
    })

    test('only the rooms of the chosen building are shown', async () => {
      const both = given([BATHROOM, HALL], null)
      const hall = both.house.devices.hall as { via_device_id: string }
      hall.via_device_id = 'cabin'
      both.house.devices.cabin = { id: 'cabin', name: 'Cabin', name_by_user: 'The cabin' }
      await show(both)
      expect(await page.locator('.name').allTextContents()).toEqual(['Bathroom', 'Hall'])
      await show(both, { building: 'cabin' })
      expect(await page.locator('.name').allTextContents()).toEqual(['Hall'])
      expect(await page.getByRole('heading', { level: 2 }).textContent()).toBe('The cabin')
      await show(both, { building: 'cabin', title: 'Up there' })
      expect(await page.getByRole('heading', { level: 2 }).textContent()).toBe('Up there')
    })

    test('names are text, whatever they contain', async () => {
      const nasty = '<img src=x onerror="window.hit=1"><b>Bath</b>'
      const house = houseOf([BATHROOM], nasty)
      house.devices.bathroom = { id: 'bathroom', name: nasty, via_device_id: 'building' }
      await show({ house, words: { heating: nasty }, plans: null }, { title: nasty })
      expect(await page.getByRole('heading', { level: 2 }).textContent()).toBe(nasty)
      expect(await page.locator('.name').textContent()).toBe(nasty)
      expect(await page.locator('hypocaust-card b, hypocaust-card img').count()).toBe(0)
      expect(await page.evaluate('window.hit')).toBeUndefined()
    })

    test.each([
      ['de', '21,4°', 'Heating · Wochenprogramm bis 22:00, danach 19,0°', 'Tagesplan'],
      ['de-AT', '21,4°', 'Heating · Wochenprogramm bis 22:00, danach 19,0°', 'Tagesplan'],
      ['fr', '21,4°', 'Heating · Programme jusqu’à 22:00, puis 19,0°', 'Plan du jour'],
      ['nl', '21,4°', 'Heating · Weekprogramma tot 22:00, daarna 19,0°', 'Dagplan'],
      ['sv', '21,4°', 'Heating · Veckoprogram till 22:00, sedan 19,0°', 'Dagsplan'],
      ['ja', '21.4°', 'Heating · Programme until 22:00, then 19.0°', 'Plan of the day'],
    ])('speaks %s', async (language, current, why, plan) => {
      const what = given([BATHROOM])
      const locale = { ...what.house.locale, language }
      await show({ ...what, house: { ...what.house, language, locale } })
      expect(await row('Bathroom').locator('.current').textContent()).toBe(current)
      expect(await row('Bathroom').locator('.why').textContent()).toBe(why)
      expect(await strip('Bathroom').getAttribute('aria-label')).toContain(plan)
    })

    test('numbers and times follow the profile of the user', async () => {
      const what = given([BATHROOM], null)
      const locale = { language: 'en', number_format: 'decimal_comma', time_format: '12' }
      await show({ ...what, house: { ...what.house, locale } })
      expect(await row('Bathroom').locator('.why').textContent()).toBe('Heating · Programme until 10:00 PM, then 19,0°')
    })

    test('thirty rooms with long names fit a narrow screen in both themes, without barriers', async () => {
      const name = 'Kinderzimmerflurgarderobenabstellraumnebeneingang'
      const rooms = Array.from({ length: 30 }, (_, i) => ({ ...(i % 2 ? BATHROOM : HALL), name: `${name}${i}` }))
      await page.setViewportSize({ width: 320, height: 700 })
      await show(given(rooms))
      await page.locator('.strip').last().waitFor()
      for (const colorScheme of THEMES) {
        await page.emulateMedia({ colorScheme })
        expect(await barriers(page, colorScheme)).toEqual([])
        expect(await misfits(page, colorScheme, 'phone')).toEqual([])
      }
      const buttons = await page
        .locator('.room')
        .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().height))
      expect(Math.min(...buttons)).toBeGreaterThanOrEqual(44)
    })

    test('nothing moves', async () => {
      await show(given([BATHROOM]))
      await strip('Bathroom').waitFor()
      expect(await page.evaluate('document.getAnimations().length')).toBe(0)
    })
  },
)
