import { expect, test } from 'vitest'
import { describeInBrowser, siteWithHouse } from './site.ts'

describeInBrowser('going back and forth between pages', () => {
  const site = siteWithHouse()

  test('a page begins at its top, and on the way back where it was left', async () => {
    const page = await site.openSignedIn('phone')
    const cellar = page.getByRole('article', { name: 'Cellar' }).getByRole('link', { name: 'Cellar' })
    await cellar.scrollIntoViewIfNeeded()
    // By script: a click of the test would scroll, and what is still loading may move the page meanwhile.
    const left = await page.evaluate(`(() => {
      scrollTo(0, document.documentElement.scrollHeight)
      const left = scrollY
      ;[...document.querySelectorAll('article a')].find((a) => a.textContent === 'Cellar').click()
      return left
    })()`)
    expect(left).toBeGreaterThan(100)
    await page.getByRole('heading', { name: 'Cellar', level: 1 }).waitFor()
    expect(await page.evaluate('scrollY')).toBe(0)
    await page.goBack()
    await cellar.waitFor()
    await expect.poll(() => page.evaluate('scrollY')).toBe(left)
    await page.goForward()
    await page.getByRole('heading', { name: 'Cellar', level: 1 }).waitFor()
    await site.leave(page)
  })

  test('the way back asks before it loses what was not saved, and can then be gone', async () => {
    const page = await site.openSignedIn('desktop')
    await page.getByRole('article', { name: 'Kitchen' }).getByRole('link', { name: 'Kitchen' }).click()
    await page.getByRole('link', { name: /^Settings of Kitchen/ }).click()
    await page.getByLabel('Highest floor temperature').fill('30')
    const address = page.url()
    await page.evaluate('history.back()')
    await page.getByRole('button', { name: 'Keep editing' }).click()
    expect(page.url()).toBe(address)
    expect(await page.getByLabel('Highest floor temperature').inputValue()).toBe('30')
    await page.evaluate('history.back()')
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('region', { name: 'Now' }).waitFor()
    await page.getByRole('heading', { name: 'Kitchen', level: 1 }).waitFor()
    await page.goBack()
    await page.getByRole('article', { name: 'Kitchen' }).waitFor()
    await site.leave(page)
  })

  test('an address of no page says so, and leads home', async () => {
    const page = await site.openSignedIn('phone')
    for (const path of ['/nowhere', '/rooms/', '/settings/nothing/here']) {
      await page.goto(`${site.url}${path}`)
      await page.getByRole('main').getByRole('link', { name: 'Home' }).click()
      await page.getByRole('article', { name: 'Bathroom' }).waitFor()
    }
    await page.goto(`${site.url}/settings/`)
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
    await site.leave(page)
  })
})
