import type { ServiceExtras } from '@hypocaust/service'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { MailServer, PUBLIC_URL } from '@hypocaust/testing/mail-server.ts'
import { PushService } from '@hypocaust/testing/push-service.ts'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeInBrowser, EMAIL, HOUSE, PASSWORD, Site, sharedBrowser, signIn, WITH_SERVICE_WORKER } from './site.ts'

const NEW_PASSWORD = 'a new horse every day'

/**
 * In a service worker: `shown` becomes the title of the next notification. To ask which there are, again and again, will
 * not do: Chromium forgets one that is not on the screen yet while it is asked.
 */
const WHEN_SHOWN = `void (self.shown = new Promise((resolve) => {
  registration.showNotification = async (title, look) => {
    await ServiceWorkerRegistration.prototype.showNotification.call(registration, title, look)
    resolve(title)
  }
}))`

describeInBrowser('notifications', () => {
  const mail = new MailServer()
  const push = new PushService()
  const extras: ServiceExtras = {}
  const env: Record<string, string> = {}
  const site = new Site(extras, env)

  beforeAll(async () => {
    await Promise.all([mail.start(), push.start()])
    extras.pushNetwork = push.network
    Object.assign(env, {
      HYPOCAUST_SMTP_URL: mail.url,
      HYPOCAUST_MAIL_FROM: 'heating@heating.example',
      HYPOCAUST_PUBLIC_URL: PUBLIC_URL,
    })
    await site.start()
    await site.addHouse(await site.addAccount(), HOUSE)
  })
  afterAll(async () => {
    await site.stop()
    await Promise.all([mail.stop(), push.stop()])
  })

  const letter = () => eventually(() => mail.received.shift())

  test('a forgotten password: asked for, linked to, set anew, signed in; the old one and the link are done', async () => {
    const page = await site.open('phone')
    await page.getByRole('button', { name: 'Forgot your password?' }).click()
    await page.getByLabel('E-mail address').fill(EMAIL)
    await page.getByRole('button', { name: 'Send link' }).click()
    await page.getByText('a mail with a link is on its way').waitFor()
    const link = new URL(/https:\S+/.exec((await letter()).text)?.[0] ?? '')
    expect(link.origin).toBe(PUBLIC_URL)

    const here = site.url + link.pathname + link.hash
    await page.goto(here)
    expect(await page.getByLabel('E-mail address').inputValue()).toBe(EMAIL)
    await page.getByLabel('New password').fill(NEW_PASSWORD)
    await page.getByRole('button', { name: 'Save and sign in' }).click()
    await page.getByRole('navigation', { name: 'Pages', exact: true }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/')
    await site.leave(page)

    const other = await site.open('desktop')
    await other.goto(here)
    await other.getByLabel('New password').fill('and yet another one')
    await other.getByRole('button', { name: 'Save and sign in' }).click()
    await other.getByText('This link has already been used or has expired').waitFor()
    await other.getByRole('button', { name: 'Back to sign-in' }).click()
    await other.getByLabel('E-mail address').fill(EMAIL)
    await other.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await other.getByRole('button', { name: 'Sign in', exact: true }).click()
    await other.getByText('Wrong e-mail address, password or code').waitFor()
    await signIn(other, EMAIL, NEW_PASSWORD)
    await site.leave(other)
  })

  /** What the browser's push service would give out: there is none to be reached from here. */
  async function withPushService(context: BrowserContext): Promise<void> {
    await context.grantPermissions(['notifications'], { origin: site.url })
    const { endpoint, p256dh, auth } = push.subscribe('browser')
    const given = JSON.stringify({ endpoint, keys: { p256dh, auth } })
    await context.addInitScript(`{
      const subscription = { endpoint: ${given}.endpoint, toJSON: () => (${given}), unsubscribe: async () => { localStorage.removeItem('given') } }
      PushManager.prototype.subscribe = async () => { localStorage.setItem('given', '1'); return subscription }
      PushManager.prototype.getSubscription = async () => (localStorage.getItem('given') ? subscription : null)
    }`)
  }

  /** Hands what arrived at the push service to the page's service worker, as the browser does. */
  async function deliver(page: Page, data: string): Promise<void> {
    const devices = await page.context().newCDPSession(page)
    const registered = new Promise<string>((resolve) =>
      devices.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        const found = registrations.find(({ isDeleted, scopeURL }) => !isDeleted && scopeURL.startsWith(site.url))
        if (found) resolve(found.registrationId)
      }),
    )
    await devices.send('ServiceWorker.enable')
    await devices.send('ServiceWorker.deliverPushMessage', { origin: site.url, registrationId: await registered, data })
  }

  /** Until the service has it. */
  async function chosen(page: Page, name: string): Promise<void> {
    const taken = page.waitForResponse(
      (answer) => answer.request().method() === 'PUT' && answer.url().endsWith('/app/notifications') && answer.ok(),
    )
    await page.getByRole('switch', { name }).click()
    await taken
  }

  test('a device is switched on by a click, a test arrives on it and by mail, and a touch opens the page it is about', async () => {
    const context = await site.newContext('desktop', WITH_SERVICE_WORKER, await sharedBrowser([], 'whole'))
    await withPushService(context)
    const page = await context.newPage()
    await page.goto(site.url)
    await signIn(page, EMAIL, NEW_PASSWORD)
    await page.goto(`${site.url}/settings/notifications`)
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
    await page.getByRole('switch', { name: 'On this device' }).click()
    await page.getByRole('switch', { name: 'On this device', checked: true }).waitFor()
    await chosen(page, 'Alerts by mail')
    await chosen(page, 'a battery is low')
    await page.reload()
    await page.getByRole('switch', { name: 'a battery is low', checked: false }).waitFor()
    await page.getByRole('switch', { name: 'Alerts by mail', checked: true }).waitFor()
    await page.getByRole('button', { name: 'Send test notification' }).click()
    await page.getByText('Sent to your devices.').waitFor()
    await page.getByText('Sent by mail.').waitFor()
    expect((await letter()).subject).toBe('Test notification from Hypocaust')

    const arrived = await eventually(() => push.received.shift())
    const [worker] = context.serviceWorkers()
    await worker?.evaluate(WHEN_SHOWN)
    await deliver(page, JSON.stringify(arrived.message))
    expect(await worker?.evaluate('shown')).toBe('Test notification from Hypocaust')
    await worker?.evaluate(`registration.getNotifications().then(([notification]) =>
      void dispatchEvent(new NotificationEvent('notificationclick', { notification })))`)
    await page.waitForURL(`${site.url}/alerts`)

    await page.goto(`${site.url}/settings/notifications`)
    await page.getByRole('switch', { name: 'On this device', checked: true }).click()
    await page.getByRole('switch', { name: 'On this device', checked: false }).waitFor()
    await eventually(async () => (await site.store.db.selectFrom('pushDevices').select('id').execute()).length === 0)
    await context.close()
  })

  test('a browser set to show no notifications says so', async () => {
    const context = await site.newContext('phone', WITH_SERVICE_WORKER)
    await context.addInitScript(`Object.defineProperty(Notification, 'permission', { get: () => 'denied' })`)
    const page = await context.newPage()
    await page.goto(site.url)
    await signIn(page, EMAIL, NEW_PASSWORD)
    await page.goto(`${site.url}/settings/notifications`)
    await page.getByText('are blocked in this browser').waitFor()
    expect(await page.getByRole('switch', { name: 'On this device' }).count()).toBe(0)
    await context.close()
  })
})
