import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findProgram } from '../../scripts/programs.ts'
import { bringToLife, EMAIL, executablePath, HOUSE, PASSWORD, Site } from '../test/stage.ts'
import { launchChromium } from './chromium.ts'
import type { Driven, Tab } from './driver.ts'
import { launchFirefox } from './firefox.ts'
import { launchWebKit } from './webkit.ts'

const firefox = findProgram(['firefox-esr', 'firefox'])
const webkit = findProgram(['WebKitWebDriver'])

const BROWSERS = [
  { name: 'Chromium', launch: executablePath && launchChromium },
  { name: 'Firefox', launch: firefox && (() => launchFirefox(firefox)) },
  { name: 'WebKit', launch: webkit && (() => launchWebKit(webkit)) },
]
const TABS = 8

const site = new Site()
beforeAll(async () => {
  await site.start(async () => {
    const { building } = await site.addHouse(await site.addAccount(), HOUSE)
    await bringToLife(site, building.id)
  })
})
afterAll(() => site.stop())

const stored = async () =>
  (await site.store.db.selectFrom('rooms').select('targetC').where('name', '=', 'Bathroom').executeTakeFirstOrThrow())
    .targetC

describe.each(BROWSERS)('the main paths in $name', ({ launch }) => {
  let browser: Driven
  let first: Tab
  beforeAll(async () => {
    if (!launch) throw new Error('not installed; see docs/website.md for the packages')
    browser = await launch()
    first = await open('/')
  })
  afterAll(() => browser?.close())

  const open = async (path: string): Promise<Tab> => {
    const tab = await browser.newTab()
    await tab.goto(site.url + path)
    return tab
  }

  test('signing in shows the rooms', async () => {
    await until(first, `document.querySelector('input[type=email]')`)
    await fill(first, 'input[type=email]', EMAIL)
    await fill(first, 'input[type=password]', PASSWORD)
    await click(first, 'Sign in')
    await until(first, tile('Bathroom'))
  })

  test('eight tabs are all live: one change reaches each of them without a reload', async () => {
    const tabs = [first]
    while (tabs.length < TABS) tabs.push(await open('/'))
    const inFront = tabs[TABS - 1] ?? first
    for (const tab of tabs) await until(tab, tile('Bathroom'))
    const before = await stored()
    const shows = (targetC: number) => `${tile('Bathroom')}?.innerText.includes('${targetC.toFixed(1)}°')`
    for (const tab of tabs) await tab.run(`void (window.seen = ${moment(shows(before + 0.5))})`)
    await click(inFront, 'Raise Bathroom by half a degree')
    const seenMs = await Promise.all(tabs.map((tab) => tab.run<number>('window.seen')))
    const clickedMs = Math.min(...seenMs)
    console.log(`${browser.version}: live after ${seenMs.map((ms) => ms - clickedMs).join(', ')} ms`)
    expect(await stored()).toBe(before + 0.5)
    // The tab that was there first goes away; the others stay live.
    await first.goto('about:blank')
    const [, second, third] = tabs
    if (!second || !third) throw new Error('too few tabs')
    await click(second, 'Lower Bathroom by half a degree')
    await until(third, shows(before))
  })

  test('a room shows its chart, and its settings can be changed', async () => {
    const tab = await open('/')
    await until(tab, tile('Bathroom'))
    await tab.run(`${tile('Bathroom')}.querySelector('a').click()`)
    await until(tab, `document.querySelector('.uplot canvas')`)
    await tab.run(`document.querySelector('a[href$="/settings"]').click()`)
    await until(tab, `document.querySelector('input[role=spinbutton]')`)
    await fill(tab, 'input[role=spinbutton]', '31')
    await click(tab, 'Save')
    await until(tab, `document.querySelector('.uplot canvas')`)
  })

  test('Escape closes the key dialog, and the focus is where it was', async () => {
    const tab = await open('/settings/keys')
    await until(tab, button('Create a key'))
    await tab.run(`(${button('Create a key')}.focus(), ${button('Create a key')}.click())`)
    await until(tab, `document.querySelector('dialog[open]')`)
    await tab.press('Escape')
    await until(tab, `!document.querySelector('dialog[open]')`)
    expect(await tab.run<string>('document.activeElement.textContent')).toContain('Create a key')
  })
})

const tile = (name: string) => `document.querySelector('article[aria-label="${name}"]')`
const button = (name: string) =>
  `[...document.querySelectorAll('button')].find((b) => (b.ariaLabel ?? b.getAttribute('aria-label') ?? b.innerText).trim() === '${name}')`

/** When a condition first holds, found in the page itself: timers of tabs in the background are slow. */
const moment = (condition: string) => `new Promise((resolve, reject) => {
  const look = () => {
    if (!(${condition})) return
    observer.disconnect()
    resolve(Date.now())
  }
  const observer = new MutationObserver(look)
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
  setTimeout(() => reject(new Error(${JSON.stringify(condition)} + ' never held: ' + document.body.innerText)), 60_000)
  look()
})`

const until = (tab: Tab, condition: string) => tab.run<number>(moment(condition))

async function click(tab: Tab, name: string): Promise<void> {
  await until(tab, button(name))
  await tab.run(`${button(name)}.click()`)
}

/** As React hears it: by the element's own setter and an event. */
async function fill(tab: Tab, selector: string, value: string): Promise<void> {
  await tab.run(`(() => {
    const field = document.querySelector('${selector}')
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, ${JSON.stringify(value)})
    field.dispatchEvent(new Event('input', { bubbles: true }))
  })()`)
}
