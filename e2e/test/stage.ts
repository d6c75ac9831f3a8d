import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { HouseFile } from '@hypocaust/domain'
import { MINUTE_MS } from '@hypocaust/domain/facts'
import {
  applyHouse,
  openStore,
  readSettings,
  type ServiceExtras,
  type Store,
  startService,
  systemClock,
} from '@hypocaust/service'
import { addAccount, LAKESIDE, PASSWORD } from '@hypocaust/testing/houses.ts'
import { PATIENCE_MS } from '@hypocaust/testing/patience.ts'
import { freePort } from '@hypocaust/testing/ports.ts'
import { sessionCookie } from '@hypocaust/testing/session.ts'
import type { Selectable } from 'kysely'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core'
import { CHROMIUM, findProgram, HEADLESS_CHROMIUM } from '../../scripts/programs.ts'
import { readAuthSecret } from '../../service/src/people/accounts/secret.ts'
import type { RoomTable } from '../../service/src/store/tables/rooms.ts'

export const EMAIL = 'ada@example.org'
export { PASSWORD }

export const SIZES = {
  desktop: { viewport: { width: 1440, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
} satisfies Record<string, BrowserContextOptions>
export type Size = keyof typeof SIZES
export const EVERY_SIZE = Object.keys(SIZES) as Size[]

/** For tests of what the service worker does; elsewhere it would download the whole website for every context. */
export const WITH_SERVICE_WORKER = { serviceWorkers: 'allow' } satisfies BrowserContextOptions

/** Undefined where there is no Chromium. `npm run test:chromium` runs the tests of pages in one with windows. */
export const executablePath = findProgram(process.env.TEST_BROWSER === 'whole' ? CHROMIUM : HEADLESS_CHROMIUM)
const wholePath = findProgram(CHROMIUM)

/**
 * Turned off: the pop-ups of an address bar that nobody sees, drawn anew for every window. Chromium heeds the last list
 * only, so what Playwright turns off is repeated as far as it concerns these tests.
 */
const FEATURES_OFF = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'AimEnabled',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
]

const FLAGS = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  `--disable-features=${FEATURES_OFF}`,
]

/** `whole`: with the parts that only a browser with windows has, such as notifications. */
export type BrowserKind = 'headless' | 'whole'

export function launchBrowser(flags: string[] = [], kind: BrowserKind = 'headless'): Promise<Browser> {
  const program = kind === 'whole' ? wholePath : executablePath
  if (program === undefined) throw new Error('there is no Chromium in PATH')
  return chromium.launch({ executablePath: program, args: [...FLAGS, ...flags] })
}

/** The real service on a data folder of its own, and a real browser before it. */
export class Site {
  readonly folder = mkdtempSync(join(tmpdir(), 'hypocaust-e2e-'))
  #service: Awaited<ReturnType<typeof startService>> | undefined
  #browser: Browser | undefined
  #store: Store | undefined
  #port = 0
  readonly #extras: ServiceExtras
  readonly #env: Record<string, string>

  constructor(extras: ServiceExtras = {}, env: Record<string, string> = {}) {
    this.#extras = extras
    this.#env = env
  }

  /** A passkey belongs to a name, not to an address; so the site is opened by one. */
  get url(): string {
    return `http://localhost:${this.#port}`
  }

  get port(): number {
    return this.#port
  }

  get mqttUrl(): string {
    return `mqtt://127.0.0.1:${this.#service?.mqtt.port}`
  }

  get store(): Store {
    if (!this.#store) throw new Error('not started')
    return this.#store
  }

  protected get browser(): Browser {
    if (!this.#browser) throw new Error('not started')
    return this.#browser
  }

  /** What is prepared is there before the service looks. */
  async start(prepare = async () => {}, browserFlags: string[] = []): Promise<void> {
    this.#store = await openStore(this.folder)
    await prepare()
    this.#port = await this.choosePort()
    await this.startService()
    this.#browser = await this.openBrowser(browserFlags)
  }

  protected choosePort(): Promise<number> {
    return freePort()
  }

  protected openBrowser(flags: string[]): Promise<Browser> {
    return launchBrowser(flags)
  }

  protected leaveBrowser(browser: Browser): Promise<void> {
    return browser.close()
  }

  /** Again on the same port, so that an open page finds it. */
  async startService(): Promise<void> {
    const flags = { data: this.folder, port: this.#port, mqtt_port: 0, log_level: 'error' }
    this.#service = await startService(readSettings(flags, this.#env), this.#extras)
  }

  async stopService(): Promise<void> {
    await this.#service?.stop()
    this.#service = undefined
  }

  async stop(): Promise<void> {
    if (this.#browser) await this.leaveBrowser(this.#browser)
    await this.stopService()
    await this.#store?.close()
    rmSync(this.folder, { recursive: true, force: true })
  }

  addAccount(email = EMAIL): Promise<string> {
    return addAccount(this.store, email)
  }

  addHouse(accountId: string, house: HouseFile) {
    return applyHouse(this.store, systemClock, house, { accountId, overwriteSettings: false, prune: false })
  }

  /** Of a house in which no two rooms have the same name. */
  room(name: string): Promise<Selectable<RoomTable>> {
    return this.store.db.selectFrom('rooms').selectAll().where('name', '=', name).executeTakeFirstOrThrow()
  }

  async newContext(size: Size, options: BrowserContextOptions = {}, browser = this.browser): Promise<BrowserContext> {
    const context = await browser.newContext({
      locale: 'en-GB',
      timezoneId: 'Europe/Oslo',
      serviceWorkers: 'block',
      ...SIZES[size],
      ...options,
    })
    context.setDefaultTimeout(PATIENCE_MS)
    return context
  }

  async open(size: Size, options: BrowserContextOptions = {}): Promise<Page> {
    const page = await this.newPage(size, options)
    await page.goto(this.url)
    return page
  }

  /** In a context of its own. */
  protected async newPage(size: Size, options: BrowserContextOptions, script?: string): Promise<Page> {
    const context = await this.newContext(size, options)
    if (script) await context.addInitScript(script)
    return context.newPage()
  }

  /** With a session of its own, as after signing in. */
  async openSignedIn(
    size: Size,
    { path = '', ...options }: BrowserContextOptions & { path?: string } = {},
    email = EMAIL,
    script?: string,
  ): Promise<Page> {
    const page = await this.newPage(size, options, script)
    const cookie = await sessionCookie(this.store, readAuthSecret(this.folder), this.url, email)
    await page.context().addCookies([{ ...cookie, url: this.url, httpOnly: true, sameSite: 'Strict' }])
    await page.goto(this.url + path)
    // Pages or, in German, Seiten.
    await page.getByRole('navigation', { name: /^(Pages|Seiten)$/ }).waitFor()
    return page
  }
}

/** By keyboard: on a busy machine a click may last as long as a press that repeats itself. */
export async function pressed(button: Locator, times = 1): Promise<void> {
  for (let i = 0; i < times; i++) await button.press('Enter')
}

/** What a field complains about, as the browser shows it. */
export const validationMessage = (field: unknown): string => (field as { validationMessage: string }).validationMessage

/** The browser's own stand-in for a fingerprint reader: says yes by itself. */
export async function addAuthenticator(page: Page): Promise<void> {
  const devices = await page.context().newCDPSession(page)
  await devices.send('WebAuthn.enable')
  await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

export async function signIn(page: Page, email = EMAIL, password = PASSWORD): Promise<void> {
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('navigation', { name: 'Pages', exact: true }).waitFor()
}

/** Of the set-up of a building. */
export async function chooseStep(page: Page, name: string): Promise<void> {
  const steps = page.getByRole('list', { name: 'Steps' })
  await steps.getByRole('button', { name }).click()
  await steps.locator('[aria-current=step]', { hasText: name }).waitFor()
}

/** Without loading a page: what is under way goes on. */
export async function signOut(page: Page): Promise<void> {
  const pages = page.getByRole('navigation', { name: 'Pages', exact: true })
  await pages.getByRole('link', { name: 'Settings', exact: true }).click()
  await page.getByRole('main').getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.getByLabel('E-mail address').waitFor()
}

/** Of the answers that the service worker keeps for a time without a connection. */
export function keptAddresses(page: Page): Promise<string[]> {
  return page.evaluate(
    `caches.open('last-state').then((cache) => cache.keys()).then((keys) => keys.map(({ url }) => url))`,
  )
}

export const HOUSE: HouseFile = {
  ...LAKESIDE,
  rooms: [
    {
      name: 'Bathroom',
      floor_type: 'screed',
      sensor: 'a4:c1:38:5e:01:02',
      valves: [{ gateway: 'cellar', channel: 1 }],
      target_temperature: 22,
    },
    { name: 'Kitchen', floor_type: 'timber', sensor: 'a4:c1:38:5e:01:03', valves: [{ gateway: 'cellar', channel: 2 }] },
    { name: 'Cellar', floor_type: 'slab', sensor: 'a4:c1:38:5e:01:04', valves: [] },
  ],
}

/** A gateway that has just reported, and a day of readings: what a page shows of a living house. */
export async function bringToLife({ store }: Site, buildingId: string, now = Date.now()): Promise<void> {
  const { db } = store
  await db.updateTable('gateways').set({ lastSeenAt: now, channels: 8 }).where('buildingId', '=', buildingId).execute()
  const sensors = await db
    .selectFrom('sensors')
    .select('id')
    .where('buildingId', '=', buildingId)
    .orderBy('id')
    .execute()
  for (const [i, { id: sensorId }] of sensors.slice(0, 2).entries()) {
    const readings = Array.from({ length: 24 * 12 }, (_, n) => ({
      buildingId,
      sensorId,
      measuredAt: now - n * 5 * MINUTE_MS,
      temperatureC: 20.5 + i + Math.sin(n / 40),
      humidityPct: 45,
    }))
    await db.insertInto('readings').values(readings).execute()
    const latest = {
      temperatureC: 20.5 + i,
      humidityPct: 45,
      batteryPct: i === 0 ? 81 : 9,
      rssiDbm: -71,
      measuredAt: now,
    }
    await db.updateTable('sensors').set(latest).where('id', '=', sensorId).execute()
  }
}
