import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { barriersInThemes, THEMES } from './barriers.ts'
import { bringToLife, chooseStep, describeInBrowser, EVERY_SIZE, HOUSE, Site, validationMessage } from './site.ts'

/** Paragraphs that do not fit their place. */
const CUT_OFF = `[...document.querySelectorAll('main p')]
  .filter(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight + 1)
  .map(({ textContent }) => textContent)`

/** Numbers of words at which the sentence at the top is scrolled although its lines have their place. */
const SCROLLED = `(() => {
  const sentence = document.querySelector('main p [role=status]')
  const place = sentence.closest('p')
  return Array.from({ length: 40 }, (_, n) => n).filter((n) => {
    sentence.textContent = 'warm '.repeat(n)
    return place.firstElementChild.offsetHeight <= 72 && place.scrollHeight > place.clientHeight
  })
})()`

/** A dozen pages, each looked at by axe: on a busy machine that takes its time. */
const PATIENCE_MS = 300_000

describeInBrowser('every page', () => {
  const site = new Site()
  const paths: string[] = []
  let buildingId = ''
  beforeAll(async () => {
    await site.start()
    const { building, rooms } = await site.addHouse(await site.addAccount(), HOUSE)
    buildingId = building.id
    await bringToLife(site, building.id)
    const address = 'a4:c1:38:5e:01:09'
    const heard = { id: address, address, buildingId: building.id, createdAt: Date.now() }
    await site.store.db.insertInto('sensors').values(heard).execute()
    const [room] = rooms
    paths.push(
      '/',
      `/buildings/${building.id}`,
      `/buildings/${building.id}/setup`,
      '/buildings/new',
      `/rooms/${room?.id}`,
      `/rooms/${room?.id}/settings`,
      `/rooms/${room?.id}/programme`,
      '/alerts',
      '/settings',
      '/settings/keys',
      '/settings/apps',
      '/settings/webhooks',
      '/settings/notifications',
      '/settings/security',
      `/buildings/${building.id}/members`,
      `/buildings/${building.id}/changes`,
      `/buildings/${building.id}/settings`,
      '/no-such-page',
    )
  })
  afterAll(() => site.stop())

  test.each(EVERY_SIZE)(
    'on a %s, light and dark: can be used by everyone, fits, stays put, asks no other host',
    async (size) => {
      const page = await site.open(size)
      const complaints = listen(page)
      await page.getByLabel('E-mail address').waitFor()
      // The next page loads in the theme this one was left in: by both sizes, every page loads in both.
      let themes = size === 'desktop' ? THEMES : THEMES.toReversed()
      const inEachTheme = async (path: string) => {
        const problems = await barriersInThemes(page, path, size, themes)
        themes = themes.toReversed()
        return problems
      }
      const problems = await inEachTheme('/ signed out')
      await signInHere(page)
      for (const path of paths) {
        await page.goto(site.url + path)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await page.waitForLoadState('load')
        if (/^\/rooms\/[^/]+$/.test(path)) await page.locator('.uplot canvas').waitFor()
        problems.push(...(await jumps(page, path)), ...(await inEachTheme(path)))
      }
      expect([...problems, ...complaints]).toEqual([])
      await site.leave(page)
    },
    PATIENCE_MS,
  )

  test(
    'what opens on a page, light and dark: can be used by everyone, and fits',
    async () => {
      const page = await site.open('phone')
      await signInHere(page)
      const [, , setUp = '', , room = '', roomSettings = ''] = paths
      const buildingSettings = paths.at(-2) ?? ''
      // Going to another path closes what was opened on the last one: no path comes twice in a row.
      const openings: [path: string, open: () => Promise<void>][] = [
        [room, () => page.getByText('In detail').click()],
        ['/', () => page.getByRole('button', { name: 'Away' }).click()],
        [room, () => page.getByRole('button', { name: 'For a while' }).click()],
        [roomSettings, () => page.getByRole('button', { name: /^Icon/ }).click()],
        [
          room,
          async () => {
            await page.getByRole('button', { name: 'For a while' }).click()
            await page.getByRole('radio', { name: 'Other time' }).check()
            await page.getByRole('button', { name: /^Day/ }).click()
            await page.getByRole('table').waitFor()
          },
        ],
        [
          setUp,
          async () => {
            await chooseStep(page, 'Gateway')
            await page.getByRole('button', { name: 'Pairing code' }).click()
          },
        ],
        [room, () => page.getByRole('radio', { name: 'Manual' }).click()],
        [buildingSettings, () => page.getByRole('button', { name: 'Remove this building' }).click()],
        [roomSettings, () => page.getByRole('button', { name: 'Remove this room' }).click()],
        [setUp, () => page.getByRole('button', { name: /More about the room/ }).click()],
        ['/settings/keys', () => page.getByRole('button', { name: 'Create a key' }).click()],
        ['/settings/webhooks', () => page.getByRole('button', { name: 'Add a webhook' }).click()],
        ['/settings/security', () => page.getByRole('button', { name: 'Turn on' }).click()],
        [roomSettings, () => page.getByRole('button', { name: /^Room sensor/ }).click()],
      ]
      const problems: string[] = []
      for (const [path, open] of openings) {
        // Within the website, so that axe has to be loaded and compiled once.
        await page.evaluate(
          `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new Event('popstate'))`,
        )
        await open()
        await page.locator('dialog[open], details[open], [role=slider]').first().waitFor()
        problems.push(...(await barriersInThemes(page, path, 'phone', THEMES)))
      }
      expect(problems).toEqual([])
      // A room steered by hand has no plus and minus: it is left as it was found.
      await page.goto(site.url)
      const ended = page.waitForResponse((response) => response.request().method() === 'PATCH')
      await page.getByRole('button', { name: 'End manual power of Bathroom' }).click()
      expect((await ended).ok()).toBe(true)
      await site.leave(page)
    },
    PATIENCE_MS,
  )

  test('everything is said in German where German is wished', async () => {
    const page = await site.open('phone', { locale: 'de-DE' })
    await page.getByRole('button', { name: 'Anmelden', exact: true }).click()
    const field = page.getByLabel('E-Mail-Adresse')
    expect(await field.evaluate(validationMessage)).toBe('Fülle dieses Feld aus.')
    await field.fill('ada@example.org')
    await page.getByLabel('Passwort').fill('correct horse battery')
    await page.getByRole('button', { name: 'Anmelden', exact: true }).click()
    const bathroom = page.getByRole('article', { name: 'Bathroom' })
    await bathroom.getByText('20,5°', { exact: true }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('de')
    await page.route('**/app/alerts', (route) =>
      route.fulfill({ json: [{ kind: 'battery_low', building_id: buildingId, snoozed_until: null }] }),
    )
    await page.reload()
    await page.getByText('1 Erinnerung.').waitFor()
    expect(await page.evaluate(CUT_OFF)).toEqual([])
    expect(await page.evaluate(SCROLLED)).toEqual([])
    await page.unroute('**/app/alerts')
    await page.getByRole('link', { name: 'Einstellungen', exact: true }).click()
    await page.getByRole('radio', { name: 'English' }).click()
    await page.getByRole('heading', { name: 'Settings' }).waitFor()
    // In a German browser, English numbers and dates; and degrees Fahrenheit where they are wished.
    await page.getByRole('radio', { name: '°F' }).click()
    await page.getByRole('link', { name: 'Home', exact: true }).click()
    await bathroom.getByText('68.9°', { exact: true }).waitFor()
    await bathroom.getByRole('button', { name: 'Raise Bathroom by one degree' }).waitFor()
    await site.leave(page)
  })

  test('a browser whose language is none still shows the website, and its charts', async () => {
    const page = await (await site.newContext('desktop')).newPage()
    await page.addInitScript(`for (const [name, value] of [['language', 'C'], ['languages', ['C']]])
      Object.defineProperty(Navigator.prototype, name, { get: () => value })`)
    await page.goto(site.url)
    await signInHere(page)
    await page.getByRole('article', { name: 'Bathroom' }).getByRole('link').first().click()
    await page.locator('.uplot canvas').waitFor()
    await site.leave(page)
  })

  test('a chosen theme stays, whatever the system says', async () => {
    const page = await site.open('desktop', { colorScheme: 'light' })
    await signInHere(page)
    await page.goto(`${site.url}/settings`)
    const background = () => page.evaluate('getComputedStyle(document.documentElement).backgroundColor')
    const light = await background()
    await page.getByRole('radio', { name: 'Dark' }).click()
    const dark = await background()
    expect(dark).not.toBe(light)
    await page.reload()
    expect(await background()).toBe(dark)
    await site.leave(page)
  })

  test('the app can be installed', async () => {
    const address = `${site.url}/manifest.webmanifest`
    const manifest = (await (await fetch(address)).json()) as {
      display: string
      icons: { src: string; purpose?: string }[]
    }
    expect(manifest.display).toBe('standalone')
    expect(manifest.icons.some(({ purpose }) => purpose === 'maskable')).toBe(true)
    for (const { src } of manifest.icons) {
      const icon = await fetch(new URL(src, address))
      expect(icon.headers.get('content-type')).toBe('image/png')
    }
  })

  test('a path of a program answers a browser with JSON, any other with a page', async () => {
    const headers = { accept: 'text/html' }
    for (const path of ['/v1/nothing', '/app/nothing', '/health/nothing', '/metrics/x', '/openapi.json/x']) {
      const answer = await fetch(site.url + path, { headers })
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([
        path,
        404,
        'application/json; charset=utf-8',
      ])
    }
    const page = await fetch(`${site.url}/rooms/whatever`, { headers })
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('content-security-policy')).not.toMatch(/unsafe/)
    expect((await fetch(`${site.url}/nothing`, { headers: { accept: 'application/json' } })).status).toBe(404)
  })

  function listen(page: Page): string[] {
    const complaints: string[] = []
    page.on('request', (request) => {
      const { host, protocol } = new URL(request.url())
      if (protocol !== 'data:' && host !== new URL(site.url).host) complaints.push(`asked ${request.url()}`)
    })
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    return complaints
  }
})

async function signInHere(page: Page): Promise<void> {
  await page.getByLabel('E-mail address').fill('ada@example.org')
  await page.getByLabel('Password').fill('correct horse battery')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('article', { name: 'Bathroom' }).waitFor()
}

const GOOD_SHIFT = 0.1

/** What the browser itself counts as jumping. */
async function jumps(page: Page, where: string): Promise<string[]> {
  const shift = (await page.evaluate(`new Promise((resolve) => {
    let sum = 0
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) sum += entry.value
    })
    observer.observe({ type: 'layout-shift', buffered: true })
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)))
  })`)) as number
  return shift > GOOD_SHIFT ? [`${where}: jumps by ${shift.toFixed(3)}`] : []
}
