import { expect, test } from 'vitest'
import { catalogues, missingIn, type Words } from '../../web/build/catalogues.ts'
import { describeInBrowser, EMAIL, PASSWORD, siteWithHouse } from './site.ts'

describeInBrowser('accounts in the browser', () => {
  const clock = {
    stoppedMs: undefined as number | undefined,
    now: () => clock.stoppedMs ?? Date.now(),
    elapsedMs: () => performance.now(),
  }
  const site = siteWithHouse({ clock })

  test('a second account sees nothing of the first', async () => {
    await site.addAccount('bob@example.org')
    const page = await site.openSignedIn('desktop', {}, 'bob@example.org')
    await page.getByText('You have no building yet.').waitFor()
    expect(await page.getByText('Bathroom').count()).toBe(0)
    const { id } = await site.room('Bathroom')
    await page.goto(`${site.url}/rooms/${id}`)
    await page.getByText('This page does not exist, or your account has no access to it.').waitFor()
    await site.leave(page)
  })

  test.each([...catalogues()])('a browser that prefers %s is answered in it if it is complete', async (tag, words) => {
    const english = catalogues().get('en') as Words
    const [language, shown] = missingIn(words, english).length === 0 ? [tag, words] : ['en', english]
    const page = await site.open('phone', { locale: tag })
    await page.getByRole('button', { name: shown['sign_in.enter'] as string, exact: true }).waitFor()
    await page.getByText(shown['sign_in.lead'] as string, { exact: true }).waitFor()
    expect(await page.evaluate('document.documentElement.lang')).toBe(language)
    await site.leave(page)
  })

  // The last one here: it leaves the account throttled.
  test('a wrong password is refused, and guessing is slowed down', async () => {
    // However long the guesses take, they fall into one minute.
    clock.stoppedMs = Date.now()
    const page = await site.open('phone')
    const attempt = async (password: string) => {
      await page.getByLabel('E-mail address').fill(EMAIL)
      await page.getByLabel('Password').fill(password)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    }
    for (let i = 0; i < 5; i++) {
      const answered = page.waitForResponse((response) => response.request().method() === 'POST')
      await attempt(`wrong password ${i}`)
      expect((await answered).status()).toBe(401)
      await page.getByText('Wrong e-mail address, password or code').waitFor()
    }
    await attempt(PASSWORD)
    await page.getByText('Too many attempts').waitFor()
    await site.leave(page)
  })
})
