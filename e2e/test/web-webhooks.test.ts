import { isSignedBy, WebhookReceiver } from '@hypocaust/testing/webhook-receiver.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeInBrowser, HOUSE, Site } from './site.ts'

describeInBrowser('Webhooks', () => {
  const site = new Site({}, { HYPOCAUST_WEBHOOK_PRIVATE_ADDRESSES: 'true' })
  const receiver = new WebhookReceiver()
  beforeAll(async () => {
    await Promise.all([receiver.start(), site.start()])
    await site.addHouse(await site.addAccount(), HOUSE)
  })
  afterAll(() => Promise.all([receiver.stop(), site.stop()]))

  test('one is added on the phone, tested, shows its deliveries, and is removed', async () => {
    const page = await site.openSignedIn('phone', { path: '/settings/webhooks' })
    await page.getByRole('button', { name: 'Add a webhook' }).click()
    const form = page.getByRole('dialog', { name: 'Add a webhook' })
    await form.getByLabel('Address').fill('receiver.example')
    await form.getByRole('button', { name: 'Add a webhook' }).click()
    const complaint = await page.evaluate('document.querySelector("input[type=url]").validationMessage')
    expect(complaint).toBe('Enter an address that begins with https://.')
    await form.getByLabel('Address').fill(receiver.url)
    await form.getByLabel('Overrides').uncheck()
    await form.getByRole('button', { name: 'Add a webhook' }).click()
    const shown = page.getByRole('dialog', { name: 'The signing secret' })
    const secret = await shown.getByText(/^whsec_/).innerText()
    await shown.getByRole('button', { name: 'Done' }).click()
    await page.getByText('Alerts, Gateway lost, Changes, Away ·').waitFor()
    expect(await page.getByText(secret).count()).toBe(0)

    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByText('The receiver has accepted the test.').waitFor()
    expect(receiver.received.map((each) => isSignedBy(secret, each))).toEqual([true])
    receiver.answer = () => 500
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByText('The test was not accepted: answer 500.').waitFor()
    await page.getByText('Deliveries of the last 7 days').click()
    await page.getByText('Delivered, answer 204').waitFor()
    await page.getByText('Failed, answer 500').waitFor()

    await page.getByRole('button', { name: /^Remove http/ }).click()
    await page.getByRole('button', { name: 'Remove this webhook' }).click()
    await page.getByText('No webhooks yet').waitFor()
    await site.leave(page)
  })
})
