import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import type { Size } from './stage.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds on the page as it is now. */
export async function barriers(page: Page, where: string): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE)
  // What holds is neither described nor sent.
  const violations = (await page.evaluate(
    `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)`,
  )) as AxeResults['violations']
  return violations.map(({ id, nodes }) => `${where}: ${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
}

/** Nothing hangs out of the screen, and on a phone everything to tap is as large as a finger. */
export async function misfits(page: Page, where: string, size: Size): Promise<string[]> {
  const isWider = await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')
  const small = (await page.evaluate(`[...document.querySelectorAll('button, select, summary, nav a')]
    .filter((element) => element.checkVisibility() && element.getBoundingClientRect().height < 43.5)
    .map((element) => element.outerHTML)`)) as string[]
  return [
    ...(isWider ? [`${where}: wider than the screen`] : []),
    ...(size === 'phone' ? small.map((element) => `${where}: too small to tap: ${element}`) : []),
  ]
}
