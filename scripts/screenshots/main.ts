// Every page and state of the website, in both sizes, themes and languages, for looking at: npm run screenshots [FOLDER] [NAME…]

import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DAY_MS } from '@hypocaust/domain/facts'
import { createKey, systemClock } from '@hypocaust/service'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { Site, type Size } from '../../e2e/test/stage.ts'
import { furnish, HOUSE, hearSensors, reportAgain } from './house.ts'
import { EMPTY, OWNER, SEVERAL, type Staged, VIEWS, type View } from './views.ts'

const SIZES: Record<Size, { width: number; height: number }> = {
  desktop: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
}
const THEMES = ['light', 'dark'] as const
/** Every other language, each in one size at least. */
const TRANSLATED: Record<string, string[]> = { 'phone-light': ['de', 'fr', 'sv'], 'desktop-dark': ['de', 'nl'] }
const SETTLED_MS = 400
const PHONE_SCALE = 1.5
const SILENT_FOR_MS = 7_200_000

const [folder = join(tmpdir(), 'hypocaust-screenshots'), ...wanted] = process.argv.slice(2)
mkdirSync(folder, { recursive: true })
const views = wanted.length === 0 ? VIEWS : VIEWS.filter(({ name }) => wanted.includes(name))
const site = new Site()
const firstStart = new Site()
try {
  let ids: Ids | undefined
  await site.start(async () => {
    ids = await stage()
  })
  await firstStart.start()
  if (!ids) throw new Error('nothing staged')
  const staged: Staged = { ...ids, url: site.url, firstStartUrl: firstStart.url }
  const sessions = await signInAll([OWNER, SEVERAL, EMPTY])
  for (const view of views) {
    await reportAgain(site.store, staged.buildings, staged.stagedMs)
    await photograph(view, staged, sessions)
  }
} finally {
  await site.stop()
  await firstStart.stop()
}
console.log(`The pictures are in ${folder}`)

type Sessions = Map<string | null, BrowserContextOptions>

/** One sign-in for each account: frequent ones are throttled. */
async function signInAll(emails: string[]): Promise<Sessions> {
  const sessions: Sessions = new Map()
  for (const email of emails) {
    const page = await site.openSignedIn('desktop', {}, email)
    sessions.set(email, { storageState: await page.context().storageState() })
    await page.context().close()
  }
  return sessions
}

async function photograph(view: View, staged: Staged, sessions: Sessions): Promise<void> {
  for (const size of Object.keys(SIZES) as Size[]) {
    for (const theme of THEMES) {
      const context = await site.newContext(size, {
        viewport: SIZES[size],
        deviceScaleFactor: size === 'phone' ? PHONE_SCALE : 1,
        colorScheme: theme,
        ...sessions.get(view.account),
      })
      const page = await context.newPage()
      const name = `${view.name}-${size}-${theme}`
      try {
        await view.before?.(page)
        await page.goto(view.address(staged))
        await view.then(page)
        await picture(page, name)
        for (const language of TRANSLATED[`${size}-${theme}`] ?? [])
          await inLanguage(page, language, `${name}-${language}`)
      } catch (error) {
        console.error(`${name}: ${(error as Error).message.split('\n', 1)[0]}`)
        await page.screenshot({ path: join(folder, `${name}-FAILED.png`) })
      }
      await context.close()
    }
  }
  console.log(view.name)
}

/** As first seen; and where there is more below, the whole of it. */
async function picture(page: Page, name: string): Promise<void> {
  await page.waitForTimeout(SETTLED_MS)
  await page.screenshot({ path: join(folder, `${name}.png`) })
  const viewport = page.viewportSize()
  const height = (await page.evaluate('document.documentElement.scrollHeight')) as number
  if (!viewport || height <= viewport.height) return
  await page.setViewportSize({ ...viewport, height })
  await page.waitForTimeout(SETTLED_MS)
  await page.screenshot({ path: join(folder, `${name}-whole.png`) })
  await page.setViewportSize(viewport)
}

async function inLanguage(page: Page, language: string, name: string): Promise<void> {
  await page.evaluate(`localStorage.setItem('language', '${language}')`)
  await page.context().setOffline(false)
  await page.reload()
  await page.locator('h1').waitFor()
  await picture(page, name)
}

type Ids = Pick<Staged, 'buildings' | 'rooms' | 'stagedMs'>

async function stage(): Promise<Ids> {
  const { store } = site
  const nowMs = Date.now()
  const adaId = await site.addAccount(OWNER)
  const graceId = await site.addAccount(SEVERAL)
  await site.addAccount(EMPTY)
  const house = await site.addHouse(adaId, HOUSE)
  await furnish(store, house.building.id, nowMs)
  const empty = (name: string) => site.addHouse(graceId, { ...HOUSE, name, rooms: [] })
  const small = (name: string, n: number) =>
    site.addHouse(graceId, {
      ...HOUSE,
      name,
      rooms: [{ name: 'Hall', floor_type: 'slab', sensor: `b4:c1:38:5e:02:0${n}`, valves: [] }],
    })
  const [never, heard] = [await empty('Summer house'), await empty('Birch Road 3')]
  const [silent, alive] = [await small('Mill Lane 7', 1), await small('Market Square 1', 2)]
  await hearSensors(store, heard.building.id, nowMs)
  await store.db
    .updateTable('gateways')
    .set({ lastSeenAt: nowMs - SILENT_FOR_MS })
    .where('buildingId', '=', silent.building.id)
    .execute()
  await makeKeys(adaId, nowMs)
  const idOf = (name: string) => house.rooms.find((room) => room.name === name)?.id ?? ''
  return {
    stagedMs: nowMs,
    buildings: {
      own: house.building.id,
      never: never.building.id,
      heard: heard.building.id,
      silent: silent.building.id,
      alive: alive.building.id,
    },
    rooms: { bathroom: idOf('Bathroom'), bedroom: idOf('Bedroom') },
  }
}

async function makeKeys(accountId: string, nowMs: number): Promise<void> {
  const { store } = site
  const key = (name: string, permission: 'read' | 'write', expiresAt: number | null) =>
    createKey(store, systemClock, { accountId, name, permission, expiresAt })
  await key('Home Assistant', 'write', null)
  await key('Spreadsheet', 'read', nowMs + 30 * DAY_MS)
  const old = await key('Old tablet', 'read', null)
  await store.db
    .updateTable('apiKeys')
    .set({ revokedAt: nowMs - DAY_MS })
    .where('id', '=', old.id)
    .execute()
}
