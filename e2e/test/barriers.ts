import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import type { Size } from './stage.ts'

export type Theme = 'light' | 'dark'
export const THEMES: Theme[] = ['light', 'dark']

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** `contrast`: what colours alone decide, for a page that was looked at whole in other colours. */
type Rules = 'all' | 'contrast'

/** Colours of what is still fading in are not those that are read. */
const STILL = `Promise.allSettled(document.getAnimations()
  .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
  .map(({ finished }) => finished))`

/** What axe finds on the page as it is now; while a dialog is open, in the dialog. */
export async function barriers(page: Page, where: string, rules: Rules = 'all'): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE)
  const options = {
    // What holds is neither described nor sent.
    resultTypes: ['violations'],
    // No rule that runs here reads style sheets: axe would load them all again.
    preload: { assets: ['media'] },
    ...(rules === 'contrast' && { runOnly: ['color-contrast'] }),
  }
  await page.evaluate(STILL)
  const violations = (await page.evaluate(
    `axe.run(document.querySelector('dialog[open]') ?? document, ${JSON.stringify(options)})
      .then(({ violations }) => violations)`,
  )) as AxeResults['violations']
  return violations.map(({ id, nodes }) => `${where}: ${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
}

/** In one theme by all rules, in the other by those that see colours; and whether it fits in both. */
export async function barriersInThemes(page: Page, where: string, size: Size, themes: Theme[]): Promise<string[]> {
  const problems: string[] = []
  for (const [i, colorScheme] of themes.entries()) {
    await page.emulateMedia({ colorScheme })
    problems.push(...(await barriers(page, where, i === 0 ? 'all' : 'contrast')), ...(await misfits(page, where, size)))
  }
  return problems
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
