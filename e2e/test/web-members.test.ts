import { systemClock } from '@hypocaust/service'
import { settleMember } from '@hypocaust/testing/members.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { barriersInThemes, THEMES } from './barriers.ts'
import { describeInBrowser, HOUSE, PASSWORD, Site } from './site.ts'

describeInBrowser('members', () => {
  const site = new Site()
  let buildingId = ''
  beforeAll(async () => {
    await site.start()
    const { building } = await site.addHouse(await site.addAccount(), HOUSE)
    buildingId = building.id
  })
  afterAll(() => site.stop())

  test('an installer is offered only what an installer may change, and can save it', async () => {
    const email = 'installer@example.org'
    await settleMember(site.store, systemClock, { buildingId, email, role: 'installer' })
    const rooms = await site.store.db.selectFrom('rooms').select(['id', 'name']).where('name', '=', 'Kitchen').execute()
    const page = await site.openSignedIn('desktop', { path: `/rooms/${rooms[0]?.id}/settings` }, email)
    const area = page.getByLabel(/^Area/)
    await area.fill('12')
    expect(await page.getByRole('region', { name: 'Every night' }).count()).toBe(0)
    expect(await page.getByLabel(/^Comfort band/).count()).toBe(0)
    const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
    await page.getByRole('button', { name: 'Save' }).click()
    expect((await saved).status()).toBe(200)
    await page.goto(`${site.url}/buildings/${buildingId}/settings`)
    await page.getByRole('region', { name: 'The whole building' }).waitFor()
    expect(await page.getByRole('group', { name: 'Comfort and cost' }).count()).toBe(0)
    await page.goto(`${site.url}/buildings/${buildingId}/members`)
    await page.getByRole('button', { name: 'Leave building' }).waitFor()
    await site.leave(page)
  })

  test('an invitation made on the desktop is accepted in another browser by a person without an account', async () => {
    const desktop = await site.openSignedIn('desktop', { path: `/buildings/${buildingId}/members` })
    await desktop.getByText('ada@example.org (you)').waitFor()
    // A building needs an owner: the only one hands it over instead.
    await desktop.getByRole('button', { name: 'Hand over' }).waitFor()
    expect(await desktop.getByRole('button', { name: 'Leave building' }).count()).toBe(0)
    await desktop.getByRole('button', { name: 'Invite a person' }).click()
    const form = desktop.getByRole('dialog', { name: 'Invite a person' })
    await form.getByRole('radio', { name: 'Guest' }).check()
    const [first, second] = HOUSE.rooms.map(({ name }) => name)
    await form.getByLabel(first ?? '', { exact: true }).check()
    await form.getByLabel(second ?? '', { exact: true }).check()
    await form.getByRole('radio', { name: 'After 3 days' }).check()
    await form.getByRole('button', { name: 'Create invitation' }).click()
    const created = desktop.getByRole('dialog', { name: 'Invitation created' })
    await created.getByRole('img', { name: 'QR code of the link' }).waitFor()
    const link = await created.getByText(/\/invitation#hypi_/).innerText()
    await created.getByRole('button', { name: 'Done' }).click()
    await desktop.getByText('anyone who has the link').waitFor()

    const phone = await site.open('phone')
    await phone.goto(link)
    await phone.getByRole('heading', { name: 'ada@example.org invites you to' }).waitFor()
    await phone.getByText(`${first}, ${second}`).waitFor()
    expect(await barriersInThemes(phone, 'invitation', 'phone', THEMES)).toEqual([])
    await phone.getByLabel('E-mail address').fill('gast@example.org')
    await phone.getByLabel('Password').fill(PASSWORD)
    await phone.getByRole('button', { name: 'Create account and accept' }).click()
    await phone.getByRole('heading', { name: HOUSE.name }).waitFor()
    await phone
      .getByText(first ?? '', { exact: true })
      .first()
      .waitFor()
    const rooms = await phone.evaluate("fetch('/app/buildings').then((answer) => answer.json())")
    const [house] = rooms as { role: string; rooms: { name: string }[] }[]
    expect(house?.role).toBe('guest')
    expect(house?.rooms.map(({ name }) => name)).toEqual([first, second])

    await phone.getByRole('link', { name: 'Settings', exact: true }).click()
    await phone.getByRole('link', { name: /^Sign-in and security/ }).waitFor()
    for (const name of [/^API keys/, /^Add a building/]) expect(await phone.getByRole('link', { name }).count()).toBe(0)

    // The owner's page shows the new member without a reload, and removes it.
    await desktop.getByText('gast@example.org').waitFor()
    await desktop.getByRole('button', { name: 'Remove gast@example.org' }).click()
    await desktop.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await desktop.getByRole('heading', { name: 'gast@example.org', exact: true }).waitFor({ state: 'hidden' })
    const gone = await phone.evaluate("fetch('/app/buildings').then((answer) => answer.json())")
    expect(gone).toEqual([])
    await site.leave(desktop)
    await site.leave(phone)
  })
})
