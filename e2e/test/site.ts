import type { ServiceExtras } from '@hypocaust/service'
import { freePort } from '@hypocaust/testing/ports.ts'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe } from 'vitest'
import {
  type BrowserKind,
  bringToLife,
  executablePath,
  HOUSE,
  launchBrowser,
  Site as OwnSite,
  type Size,
} from './stage.ts'

export * from './stage.ts'

/** Skipped visibly without a browser; where nothing may be missing it fails instead. */
export const describeInBrowser = describe.skipIf(executablePath === undefined && process.env.CI !== 'true')

/** A test that fails seldom, and elsewhere, is understood by what its pages showed. */
async function printPages(browser: Browser): Promise<void> {
  for (const page of browser.contexts().flatMap((context) => context.pages())) {
    if (!parked.has(page)) console.log(page.url(), await page.evaluate('document.body.innerText').catch(String))
  }
}

const launched = new Map<string, Promise<Browser>>()

/** One for all test files of a worker: it costs more to start than most files do in it. It ends with the worker. */
export function sharedBrowser(flags: string[] = [], kind: BrowserKind = 'headless'): Promise<Browser> {
  const key = [kind, ...flags].join(' ')
  const browser = launched.get(key) ?? launchBrowser(flags, kind)
  launched.set(key, browser)
  return browser
}

let port: Promise<number> | undefined

/** One for all test files of a worker: what a parked page has compiled is known by its address. */
function sharedPort(): Promise<number> {
  port ??= freePort()
  return port
}

/** Pages that were left as they were found, and the size of every page that can be. */
const parked = new Set<Page>()
const sizes = new WeakMap<Page, Size>()

/** The next file finds no page of the last one but the parked ones. */
async function leaveShared(browser: Browser): Promise<void> {
  const kept = new Set([...parked].map((page) => page.context()))
  await Promise.all(
    browser
      .contexts()
      .filter((context) => !kept.has(context))
      .map((context) => context.close()),
  )
}

export class Site extends OwnSite {
  protected override choosePort = sharedPort
  protected override openBrowser = (flags: string[]) => sharedBrowser(flags)
  protected override leaveBrowser = leaveShared

  constructor(...given: ConstructorParameters<typeof OwnSite>) {
    super(...given)
    afterEach(async ({ task }) => {
      if (task.result?.state === 'fail') await printPages(this.browser)
    })
  }

  /** A parked page where there is one: the process behind it has compiled the website, so it loads in half the time. */
  protected override async newPage(size: Size, options: BrowserContextOptions, script?: string): Promise<Page> {
    const { colorScheme = null, ...settings } = options
    if (script || Object.keys(settings).length > 0) return super.newPage(size, options, script)
    const found = parked.values().find((page) => sizes.get(page) === size && page.context().browser() === this.browser)
    if (found) parked.delete(found)
    const page = found ?? (await super.newPage(size, {}))
    sizes.set(page, size)
    await page.emulateMedia({ colorScheme, media: null })
    return page
  }

  /**
   * Parks the page, without anything that the test left in it or its context; the context of a page with settings of
   * its own is closed.
   */
  async leave(page: Page): Promise<void> {
    const context = page.context()
    if (!sizes.has(page)) return context.close()
    const others = context.pages().filter((other) => other !== page)
    await Promise.all([...others.map((other) => other.close()), page.unrouteAll()])
    // Of the same origin, but without a script that could still store something.
    await page.goto(`${this.url}/icon.svg`)
    await page.evaluate('localStorage.clear(); sessionStorage.clear()')
    await context.clearCookies()
    parked.add(page)
  }
}

/** For the tests of one file: an owner and a house that has just reported. */
export function siteWithHouse(extras: ServiceExtras = {}): Site {
  const site = new Site(extras)
  beforeAll(async () => {
    await site.start()
    const { building } = await site.addHouse(await site.addAccount(), HOUSE)
    await bringToLife(site, building.id)
  })
  afterAll(() => site.stop())
  return site
}
