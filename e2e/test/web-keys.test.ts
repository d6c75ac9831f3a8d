import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeInBrowser, HOUSE, Site } from './site.ts'

describeInBrowser('API keys', () => {
  const site = new Site()
  beforeAll(async () => {
    await site.start()
    await site.addHouse(await site.addAccount(), HOUSE)
  })
  afterAll(() => site.stop())

  test('a key made on the desktop opens /v1, and revoked on the phone it opens nothing', async () => {
    const desktop = await site.openSignedIn('desktop')
    await desktop.getByRole('link', { name: 'Settings', exact: true }).click()
    await desktop.getByRole('link', { name: /API keys/ }).click()
    await desktop.getByRole('button', { name: 'Create a key' }).click()
    await desktop.getByRole('dialog').waitFor()
    await desktop.keyboard.press('Escape')
    await desktop.getByRole('button', { name: 'Create a key' }).and(desktop.locator(':focus')).waitFor()
    await desktop.keyboard.press('Enter')
    const form = desktop.getByRole('dialog', { name: 'Create a key' })
    await form.getByLabel('Name').fill('Home Assistant')
    await form.getByLabel(/Read and write/).check()
    await form.getByText('turn off the heating').waitFor()
    await form.getByRole('button', { name: 'Create a key' }).click()
    const shown = desktop.getByRole('dialog', { name: /Home Assistant/ })
    const key = await shown.getByText(/^hyp_[0-9A-Za-z]{38}$/).innerText()
    await shown.getByText(`curl -H 'x-api-key: ${key}' ${site.url}/v1/buildings`).waitFor()

    await shown.getByRole('button', { name: 'Done' }).click()
    await shown.getByText('You have not copied the key').waitFor()
    await shown.getByLabel('I have saved the key').check()
    await shown.getByRole('button', { name: 'Done' }).click()
    await shown.waitFor({ state: 'hidden' })
    expect(await desktop.getByText(key).count()).toBe(0)
    const ask = () => fetch(`${site.url}/v1/buildings`, { headers: { 'x-api-key': key } })
    expect((await ask()).status).toBe(200)

    const phone = await site.openSignedIn('phone', { path: '/settings/keys' })
    await phone.getByText('Home Assistant', { exact: true }).waitFor()
    await phone.getByRole('button', { name: 'Revoke Home Assistant' }).click()
    await phone.getByRole('button', { name: 'Revoke this key' }).click()
    await phone.getByText('No API keys yet').waitFor()
    expect((await ask()).status).toBe(401)
    await desktop.getByText('No API keys yet').waitFor()
    await site.leave(desktop)
    await site.leave(phone)
  })
})
