import type { Browser } from 'playwright-core'
import { describe } from 'vitest'
import { type BrowserKind, executablePath, launchBrowser, Site as OwnSite } from './stage.ts'

export * from './stage.ts'

/** Skipped visibly without a browser; where nothing may be missing it fails instead. */
export const describeInBrowser = describe.skipIf(executablePath === undefined && process.env.CI !== 'true')

const launched = new Map<string, Promise<Browser>>()

/** One for all test files of a worker: it costs more to start than most files do in it. It ends with the worker. */
export function sharedBrowser(flags: string[] = [], kind: BrowserKind = 'headless'): Promise<Browser> {
  const key = [kind, ...flags].join(' ')
  const browser = launched.get(key) ?? launchBrowser(flags, kind)
  launched.set(key, browser)
  return browser
}

/** The next file finds no page of the last one. */
export async function leaveShared(browser: Browser): Promise<void> {
  await Promise.all(browser.contexts().map((context) => context.close()))
}

export class Site extends OwnSite {
  protected override openBrowser = sharedBrowser
  protected override leaveBrowser = leaveShared
}
