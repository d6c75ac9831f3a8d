import { createHash, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { hypocaust } from '@hypocaust/testing/command.ts'
import { PATIENCE_MS } from '@hypocaust/testing/patience.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addAuthenticator, describeInBrowser, PASSWORD, Site, signIn, WITH_SERVICE_WORKER } from './site.ts'

/** The house by name, as a phone in the same network finds it. */
const NAME = 'house.lan'
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

describeInBrowser('with the house’s own authority', () => {
  const site = new Site()
  let authority: string

  beforeAll(async () => {
    const made = await hypocaust(site.folder, ['tls', 'init', '--data', '.', '--name', NAME, '--json'])
    authority = readFileSync(join(site.folder, made.json.authority_file), 'utf8')
    const server = new X509Certificate(readFileSync(join(site.folder, 'tls/server.pem')))
    const key = server.publicKey.export({ type: 'spki', format: 'der' })
    // What taking the authority does on a phone; the chain itself is verified below.
    const trusted = createHash('sha256').update(key).digest('base64')
    const flags = [`--host-resolver-rules=MAP ${NAME} 127.0.0.1`, `--ignore-certificate-errors-spki-list=${trusted}`]
    await site.start(undefined, flags)
    await site.addAccount()
  })
  afterAll(() => site.stop())

  const at = (scheme: 'http' | 'https', host = NAME) => `${scheme}://${host}:${site.port}`

  const openAt = async (url: string): Promise<Page> => {
    const page = await (await site.newContext('phone', WITH_SERVICE_WORKER)).newPage()
    page.setDefaultTimeout(PATIENCE_MS)
    await page.goto(url)
    return page
  }

  test.each([NAME, 'localhost', ''])(
    'the chain is valid for a client that trusts only the authority (%s)',
    async (servername) => {
      const socket = connect({ host: '127.0.0.1', port: site.port, ca: authority, servername })
      await once(socket, 'secureConnect')
      expect(socket.authorized).toBe(true)
      socket.destroy()
    },
  )

  test('a phone finds the authority and the way to take it, over plain HTTP', async () => {
    const page = await openAt(at('http'))
    await page.getByRole('heading', { name: 'Connect this device' }).waitFor()
    const fingerprint = new X509Certificate(authority).fingerprint256.replaceAll(':', ' ')
    await page.getByText(fingerprint).waitFor()
    await page.evaluate(AXE)
    const violations = await page.evaluate('axe.run().then((result) => result.violations.map(({ id }) => id))')
    expect(violations).toEqual([])
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download the authority' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('authority.crt')
    expect(readFileSync(await download.path(), 'utf8')).toBe(authority)
    await page.getByRole('link', { name: 'Auf Deutsch' }).click()
    await page.getByRole('heading', { name: 'Dieses Gerät verbinden' }).waitFor()
    await page.getByRole('link', { name: at('https') }).click()
    await page.getByLabel('E-mail address').waitFor()
    expect(page.url()).toBe(`${at('https')}/`)
    await page.context().close()
  })

  test('the site is all a browser asks for: secure context, worker, Secure cookie, passkey', async () => {
    const page = await openAt(at('https'))
    await addAuthenticator(page)
    await signIn(page)
    expect(await page.evaluate('isSecureContext')).toBe(true)
    expect(await page.evaluate('navigator.serviceWorker.ready.then(({ scope }) => scope)')).toBe(`${at('https')}/`)
    const cookies = await page.context().cookies()
    expect(cookies.length).toBeGreaterThan(0)
    for (const cookie of cookies) expect(cookie).toMatchObject({ secure: true, httpOnly: true, sameSite: 'Strict' })

    await page.goto(`${at('https')}/settings/security`)
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('dialog').getByLabel('Current password').fill(PASSWORD)
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Go on|Continue/ })
      .click()
    await page.getByText(/^Passkey of/).waitFor()
    await page.goto(`${at('https')}/settings`)
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
    expect(await page.getByText('No HTTPS').count()).toBe(0)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('navigation', { name: 'Pages', exact: true }).waitFor()
    await page.context().close()
  })

  test('by its number no passkey is offered, and it says why', async () => {
    const page = await openAt(at('https', '127.0.0.1'))
    await signIn(page)
    await page.goto(`${at('https', '127.0.0.1')}/settings/security`)
    await page.getByText('Passkeys work only if').waitFor()
    expect(await page.getByRole('button', { name: 'Add a passkey' }).count()).toBe(0)
    await page.context().close()
  })

  test('without the authority plain HTTP works again, and says what is missing and what to do', async () => {
    await site.stopService()
    rmSync(join(site.folder, 'tls'), { recursive: true })
    await site.startService()
    const page = await openAt(at('http'))
    await page.getByLabel('E-mail address').waitFor()
    expect(await page.getByRole('button', { name: 'Sign in with a passkey' }).count()).toBe(0)
    await signIn(page)
    expect(await page.evaluate('isSecureContext')).toBe(false)
    for (const cookie of await page.context().cookies()) expect(cookie).toMatchObject({ secure: false, httpOnly: true })
    await page.getByRole('link', { name: 'Settings', exact: true }).click()
    await page.getByText('No HTTPS').waitFor()
    await page.getByText('For experts').click()
    await page.getByText('hypocaust tls init').waitFor()
    await page.goto(`${at('http')}/settings/security`)
    await page.getByText('Passkeys need HTTPS.').waitFor()
    await page.context().close()
  })
})
