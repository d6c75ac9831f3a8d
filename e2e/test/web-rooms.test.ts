import { type AppBuilding, DAY_MS } from '@hypocaust/domain'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeInBrowser, EMAIL, EVERY_SIZE, pressed, siteWithHouse } from './site.ts'

describeInBrowser('rooms in the browser', () => {
  const site = siteWithHouse()
  const room = (page: Page, name = 'Bathroom') => page.getByRole('article', { name })
  const stored = async (name: string) => (await site.room(name)).targetC

  test('a target raised in one tab appears in the others without a reload, also after the first tab has gone', async () => {
    const desktop = await site.openSignedIn('desktop')
    const secondTab = await desktop.context().newPage()
    // A tab whose shared worker cannot be loaded has a stream of its own.
    const [phone] = await Promise.all([site.openSignedIn('phone', {}, EMAIL, WITHOUT_WORKER), secondTab.goto(site.url)])
    await room(phone).getByText('22.0°', { exact: true }).waitFor()
    await pressed(room(desktop).getByRole('button', { name: 'Raise Bathroom by half a degree' }), 2)
    for (const page of [desktop, secondTab, phone]) await room(page).getByText('23.0°', { exact: true }).waitFor()
    expect(await stored('Bathroom')).toBe(23)
    await desktop.close()
    // Typed, with the comma of another language.
    await room(phone).getByRole('button', { name: 'Bathroom is heated to 23.0°' }).click()
    await room(phone).getByRole('textbox', { name: 'Temperature of Bathroom' }).fill('21,3')
    await phone.keyboard.press('Enter')
    for (const page of [phone, secondTab]) await room(page).getByText('21.3°', { exact: true }).waitFor()
    // Held down, it goes on.
    const more = await room(phone).getByRole('button', { name: 'Raise Bathroom by half a degree' }).boundingBox()
    await phone.mouse.move((more?.x ?? 0) + 10, (more?.y ?? 0) + 10)
    await phone.mouse.down()
    await room(phone)
      .getByText(/^(?:2[4-9]|3\d)\.\d°$/)
      .waitFor()
    await phone.mouse.up()
    await secondTab.context().close()

    // However long the verdict becomes, the rooms stay where they are.
    const top = async () => (await room(phone).boundingBox())?.y
    const before = await top()
    await phone.evaluate(`document.querySelector('main [role=status]').textContent = 'warm '.repeat(60)`)
    expect(await top()).toBe(before)
    await site.leave(phone)
  })

  test.each(EVERY_SIZE)('on a %s, the rooms come where their placeholders stood', async (size) => {
    const page = await site.openSignedIn(size, { path: '/no-such-page' })
    const { promise: mayArrive, resolve: letArrive } = Promise.withResolvers<void>()
    // Of a house that is set up.
    await page.route('**/app/buildings?id=*', async (route) => {
      const response = await route.fetch()
      const [building] = (await response.json()) as AppBuilding[]
      await mayArrive
      const rooms = building?.rooms.filter(({ valves }) => valves.length > 0)
      await route.fulfill({ response, json: [{ ...building, rooms }] })
    })
    await Promise.all([page.waitForRequest('**/app/buildings?id=*'), page.goto(site.url)])
    const placeholder = await page.getByRole('main').locator('.grid > .skeleton').first().boundingBox()
    letArrive()
    await room(page).waitFor()
    const { x, y, width } = (await room(page).boundingBox()) ?? {}
    expect(placeholder).toMatchObject({ x, y, width })
    await site.leave(page)
  })

  test('what stands under the strips of the rooms stays where it is when they arrive', async () => {
    const page = await site.openSignedIn('desktop')
    const { promise: mayArrive, resolve: letArrive } = Promise.withResolvers<void>()
    await page.route('**/strips-*.js', async (route) => {
      await mayArrive
      await route.continue()
    })
    await page.reload()
    const below = page.getByRole('main').getByRole('link', { name: /^Members/ })
    const top = async () => (await below.boundingBox())?.y
    await below.waitFor()
    const before = await top()
    letArrive()
    await page.getByRole('region', { name: 'The last 24 hours' }).waitFor()
    expect(await top()).toBe(before)
    await site.leave(page)
  })

  test('a change that fails goes back, says why, and can be tried again; another page then sees it', async () => {
    const [page, other] = [await site.openSignedIn('phone'), await site.openSignedIn('desktop')]
    await room(page, 'Kitchen').getByText('20.0°', { exact: true }).waitFor()
    await site.stopService()
    // The change is under way until it has been seen.
    const seen = Promise.withResolvers<void>()
    await page.route('**/app/rooms/*', async (route) => {
      await seen.promise
      await route.continue()
    })
    await pressed(room(page, 'Kitchen').getByRole('button', { name: 'Lower Kitchen by half a degree' }))
    await room(page, 'Kitchen').getByText('19.5°', { exact: true }).waitFor()
    seen.resolve()
    await room(page, 'Kitchen').getByText('Not changed. No connection to the service.').waitFor()
    await page.unroute('**/app/rooms/*')
    await room(page, 'Kitchen').getByText('20.0°', { exact: true }).waitFor()
    await page.getByText('No connection. Last update').waitFor()
    expect(await stored('Kitchen')).toBe(20)
    await site.startService()
    await page.getByText('No connection. Last update').waitFor({ state: 'hidden' })
    await room(page, 'Kitchen').getByRole('button', { name: 'Try again' }).click()
    await expect.poll(() => stored('Kitchen')).toBe(19.5)
    await room(page, 'Kitchen').getByText('Not changed').waitFor({ state: 'hidden' })
    await room(other, 'Kitchen').getByText('19.5°', { exact: true }).waitFor()
    await site.leave(page)
    await site.leave(other)
  })

  test('"too cold" helps for a while; after several days a proposal is accepted, undone and dismissed', async () => {
    const { id, targetC: before } = await site.room('Cellar')
    const page = await site.openSignedIn('phone', { path: `/rooms/${id}` })
    await page.getByRole('button', { name: 'Too cold' }).click()
    await page.getByText(/^Cellar: \d+\.\d° until \d/).waitFor()
    // The same on the two days before.
    const vote = await site.store.db.selectFrom('comfortVotes').selectAll().executeTakeFirstOrThrow()
    const earlier = [1, 2].map((days) => ({
      ...vote,
      ...{ hourAt: vote.hourAt - days * DAY_MS, pressedAt: vote.pressedAt - days * DAY_MS, temperatureC: null },
    }))
    await site.store.db.updateTable('comfortVotes').set({ temperatureC: null }).execute()
    await site.store.db.insertInto('comfortVotes').values(earlier).execute()
    await page.reload()
    const proposal = page.getByRole('region', { name: 'Proposal' })
    await proposal.getByText('On 3 days it was too cold here.').waitFor()
    await proposal.getByText('What it costs is known after a few days of readings.').waitFor()
    expect(await stored('Cellar')).toBe(before)
    await proposal.getByRole('button', { name: 'Accept' }).click()
    await page.getByText('Cellar: programme changed.').waitFor()
    await proposal.waitFor({ state: 'hidden' })
    expect(await stored('Cellar')).toBe(before + 0.5)
    await page.getByRole('button', { name: 'Undo' }).click()
    await proposal.waitFor()
    expect(await stored('Cellar')).toBe(before)
    await proposal.getByRole('button', { name: 'Dismiss' }).click()
    await proposal.waitFor({ state: 'hidden' })
    expect(await site.store.db.selectFrom('comfortVotes').selectAll().execute()).toEqual([])
    await site.leave(page)
  })

  test('a refusal is said in words, and nothing is changed', async () => {
    const page = await site.openSignedIn('phone')
    const refusals = [
      { status: 409, code: 'taken', says: 'This name is already in use.' },
      { status: 422, code: 'invalid_value', says: 'This is not possible with these values. Check your input.' },
      { status: 429, code: 'rate_limited', says: 'Too many attempts. Wait a minute, then try again.' },
      { status: 503, code: 'unavailable', says: 'The service is overloaded. Try again in a moment.' },
    ]
    for (const { status, code, says } of refusals) {
      await page.route('**/app/rooms/*', (route) =>
        route.fulfill({ status, json: { error: { code, message: 'too warm' } } }),
      )
      await pressed(room(page, 'Cellar').getByRole('button', { name: 'Raise Cellar by half a degree' }))
      await room(page, 'Cellar').getByText(`Not changed. ${says}`).waitFor()
      await room(page, 'Cellar').getByText('20.0°', { exact: true }).waitFor()
      await page.unroute('**/app/rooms/*')
    }
    expect(await stored('Cellar')).toBe(20)
    await site.leave(page)
  })
})

const WITHOUT_WORKER = `{
  const { SharedWorker } = window
  window.SharedWorker = class extends SharedWorker {
    constructor(_url, options) { super('/no-such-worker.js', options) }
  }
}`
