import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeInBrowser, siteWithHouse } from './site.ts'

/** In one step of the page's script: no timer can run between the press and what comes after it. */
const raise = (room: string) => `document.querySelector('[aria-label="Raise ${room} by half a degree"]').click()`
const HIDE = `
  Object.defineProperty(document, 'visibilityState', { value: 'hidden' })
  document.dispatchEvent(new Event('visibilitychange'))`
/** Ends when the next document has loaded: Chromium may wait for minutes to close a page that is on its way to one. */
async function leaveBy(page: Page, script: string): Promise<void> {
  await Promise.all([page.waitForEvent('load'), page.evaluate(script)])
}

const SLIDE_TO_THE_END = `
  document.querySelector('[aria-label="Heating power"]').focus()
  document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'End', bubbles: true }))`

describeInBrowser('leaving a page right after a change', () => {
  const site = siteWithHouse()

  const stored = (name: string) =>
    site.store.db.selectFrom('rooms').selectAll().where('name', '=', name).executeTakeFirstOrThrow()
  const targetOf = async (name: string) => (await stored(name)).targetC
  const overrideOf = async (name: string) => JSON.parse((await stored(name)).override ?? 'null')

  test('a reload, another address and a closed page lose no wish', async () => {
    const leaving = ['location.reload()', `location.assign('/icon.svg')`]
    for (const leave of leaving) {
      const page = await site.openSignedIn('phone')
      await page.getByRole('article', { name: 'Kitchen' }).waitFor()
      const before = await targetOf('Kitchen')
      await leaveBy(page, `${raise('Kitchen')}; ${leave}`)
      await expect.poll(() => targetOf('Kitchen')).toBe(before + 0.5)
      await page.close()
    }
    const page = await site.openSignedIn('phone')
    await page.getByRole('article', { name: 'Kitchen' }).waitFor()
    const before = await targetOf('Kitchen')
    await page.evaluate(raise('Kitchen'))
    await page.close({ runBeforeUnload: true })
    await expect.poll(() => targetOf('Kitchen')).toBe(before + 0.5)
  })

  test('a page that is hidden sends without waiting for its timers, which may never run again', async () => {
    const page = await site.openSignedIn('phone')
    await page.getByRole('article', { name: 'Bathroom' }).waitFor()
    const before = await targetOf('Bathroom')
    await page.evaluate(`window.setTimeout = () => 0; ${raise('Bathroom')}; ${HIDE}`)
    await expect.poll(() => targetOf('Bathroom')).toBe(before + 0.5)
    await page.close()
  })

  test('a later wish is sent on leaving though an earlier one has no answer yet', async () => {
    const page = await site.openSignedIn('phone')
    await page.getByRole('article', { name: 'Bathroom' }).waitFor()
    const before = await targetOf('Bathroom')
    const answer = Promise.withResolvers<void>()
    await page.route('**/app/rooms/*', async (route) => {
      const response = await route.fetch()
      await answer.promise
      await route.fulfill({ response }).catch(() => undefined)
    })
    await page.evaluate(raise('Bathroom'))
    await expect.poll(() => targetOf('Bathroom')).toBe(before + 0.5)
    await leaveBy(page, `${raise('Bathroom')}; location.reload()`)
    await expect.poll(() => targetOf('Bathroom')).toBe(before + 1)
    answer.resolve()
    await page.close()
  })

  test('the power set by hand is sent on leaving the room, and on leaving the website', async () => {
    const page = await site.openSignedIn('phone')
    await page.getByRole('article', { name: 'Bathroom' }).getByRole('link', { name: 'Bathroom' }).click()
    await page.getByRole('radio', { name: 'Manual' }).click()
    await expect.poll(() => overrideOf('Bathroom')).toMatchObject({ kind: 'manual' })
    const slider = page.getByRole('slider', { name: 'Heating power' })
    await slider.focus()
    await page.keyboard.press('Home')
    await expect.poll(() => overrideOf('Bathroom')).toMatchObject({ power: 0.05 })
    await page.evaluate(`${SLIDE_TO_THE_END}; document.querySelector('a[href="/"]').click()`)
    await expect.poll(() => overrideOf('Bathroom')).toMatchObject({ power: 1 })
    await page.getByRole('article', { name: 'Bathroom' }).getByRole('link', { name: 'Bathroom' }).click()
    await slider.focus()
    await page.keyboard.press('Home')
    await expect.poll(() => overrideOf('Bathroom')).toMatchObject({ power: 0.05 })
    await leaveBy(page, `${SLIDE_TO_THE_END}; location.reload()`)
    await expect.poll(() => overrideOf('Bathroom')).toMatchObject({ power: 1 })
    await page.close()
  })
})
