import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { strFromU8, unzipSync } from 'fflate'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  addAuthenticator,
  describeInBrowser,
  EMAIL,
  HOUSE,
  keptAddresses,
  PASSWORD,
  Site,
  signOut,
  WITH_SERVICE_WORKER,
} from './site.ts'

describeInBrowser('signing in and staying safe', () => {
  const site = new Site()
  beforeAll(async () => {
    await site.start()
    await site.addHouse(await site.addAccount(), HOUSE)
  })
  afterAll(() => site.stop())

  const deviceCookies = async (page: Page) =>
    (await page.context().cookies(`${site.url}/app`)).filter(({ name }) => name === 'hypocaust.device')

  test('a passkey is added, opens the door without a password, and makes the device known', async () => {
    const page = await site.openSignedIn('phone')
    await addAuthenticator(page)
    await page.goto(`${site.url}/settings/security`)
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('dialog').getByLabel('Current password').fill(PASSWORD)
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Go on|Continue/ })
      .click()
    await page.getByText(/^Passkey of/).waitFor()
    await signOut(page)
    // As a browser whose cookies were cleared.
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('navigation', { name: 'Pages', exact: true }).waitFor()
    const [device] = await deviceCookies(page)
    expect(device).toMatchObject({ httpOnly: true, sameSite: 'Strict' })

    await page.goto(`${site.url}/settings/security`)
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByText(/^Passkey of/).waitFor({ state: 'hidden' })
    await signOut(page)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('alert').waitFor()
    // Not left to another test: it has an authenticator now.
    await page.context().close()
  })

  test('a second factor is asked for at sign-in, and a backup code stands in for it once', async () => {
    const page = await site.openSignedIn('desktop', { path: '/settings/security' })
    await page.getByRole('button', { name: 'Turn on' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Current password').fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByRole('img', { name: /QR code/ }).waitFor()
    const [secret = '', backup = ''] = await dialog.locator('code').allInnerTexts()
    await dialog.getByLabel('Code from the app').fill(codeOf(secret))
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await page.getByRole('button', { name: 'Turn off' }).waitFor()

    /** The code is made when it is asked for: it is good for half a minute. */
    const enter = async (code: () => string) => {
      await signOut(page)
      await page.getByLabel('E-mail address').fill(EMAIL)
      await page.getByLabel('Password').fill(PASSWORD)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByLabel('Code').fill(code())
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    }
    const home = page.getByRole('navigation', { name: 'Pages', exact: true })
    // The code of the confirmation is used up; clocks that differ a little are allowed for.
    await enter(() => codeOf(secret, 1))
    await home.waitFor()
    const [first = ''] = backup.split('\n')
    await enter(() => first)
    await home.waitFor()
    await enter(() => first)
    await page.getByText('Wrong e-mail address, password or code').waitFor()
    await site.leave(page)
  })

  test('a session ended from elsewhere closes the page that had it, and its device forgets what it kept', async () => {
    await site.addAccount('bob@example.org')
    const [phone, desktop] = [
      await site.openSignedIn('phone', WITH_SERVICE_WORKER, 'bob@example.org'),
      await site.openSignedIn('desktop', {}, 'bob@example.org'),
    ]
    const keepsOverview = async () => (await keptAddresses(phone)).includes(`${site.url}/app/overview`)
    await phone.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
    await phone.reload()
    await eventually(keepsOverview)
    await desktop.goto(`${site.url}/settings/security`)
    await desktop.getByRole('button', { name: 'Sign out', exact: true }).click()
    await desktop.getByRole('button', { name: 'Sign out', exact: true }).waitFor({ state: 'hidden' })
    await phone.getByRole('link', { name: 'Alerts' }).click()
    await phone.reload()
    await phone.getByLabel('E-mail address').waitFor()
    await eventually(async () => !(await keepsOverview()))
    await site.leave(phone)
    await site.leave(desktop)
  })

  test('a person downloads everything, and deletes the account after reading what goes with it', async () => {
    await site.addHouse(await site.addAccount('carol@example.org'), HOUSE)
    const page = await site.openSignedIn('phone', {}, 'carol@example.org')
    await page.goto(`${site.url}/settings/security`)
    const downloading = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download everything' }).click()
    const files = unzipSync(await readFile(await (await downloading).path()))
    expect(strFromU8(files['account.json'] as Uint8Array)).toContain('carol@example.org')
    await page.getByRole('button', { name: 'Delete account' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/no other owner/).waitFor()
    await dialog.getByLabel('Current password').fill(PASSWORD)
    await dialog.getByRole('button', { name: /Go on|Continue/ }).click()
    await page.getByLabel('E-mail address').waitFor()
    await site.leave(page)
  })
})

const STEP_S = 30

/** What an authenticator app shows (RFC 6238), now or some steps later. */
function codeOf(base32: string, stepsLater = 0): string {
  const bits = [...base32.replace(/=+$/, '')]
    .map((c) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(c).toString(2).padStart(5, '0'))
    .join('')
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 1000 / STEP_S) + stepsLater))
  const digest = createHmac('sha1', key).update(counter).digest()
  const offset = (digest.at(-1) ?? 0) & 0xf
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}
