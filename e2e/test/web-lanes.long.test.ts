import { localTime } from '@hypocaust/domain'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bringToLife, chooseStep, describeInBrowser, HOUSE, pressed, Site } from './site.ts'

describeInBrowser('what acts now, and the week', () => {
  const site = new Site()
  let roomId = ''
  let buildingId = ''
  beforeAll(async () => {
    await site.start()
    const { building, rooms } = await site.addHouse(await site.addAccount(), HOUSE)
    roomId = rooms.find(({ name }) => name === 'Bathroom')?.id ?? ''
    buildingId = building.id
    await bringToLife(site, building.id)
  })
  afterAll(() => site.stop())

  const stored = () =>
    site.store.db
      .selectFrom('rooms')
      .select(['targetC', 'targetHold', 'override', 'programme'])
      .where('id', '=', roomId)
      .executeTakeFirstOrThrow()

  test('an edge is dragged with the mouse, a day is copied by dragging its name, and both are saved', async () => {
    const page = await site.openSignedIn('desktop', { path: `/rooms/${roomId}/programme` })
    await page.getByText('This room has no programme yet. This is a proposal.').waitFor()
    const panel = page.getByRole('region', { name: 'Chosen' })
    await panel.getByText('2.0° below the comfort temperature of 22.0°.').waitFor()
    const edge = page.getByRole('slider', { name: 'Monday, step 2' })
    expect(await edge.getAttribute('aria-valuetext')).toBe('05:30, 22.0°')
    await dragBy(page, edge, 1 / 24)
    await expect.poll(() => edge.getAttribute('aria-valuetext')).toBe('06:30, 22.0°')
    await page.getByText('Monday 00:00 −2.0°, 06:30 comfort, 22:30 −2.0°').waitFor()
    const [from, to] = await Promise.all(
      ['Choose Monday', 'Choose Wednesday'].map((name) => page.getByRole('button', { name }).boundingBox()),
    )
    await page.mouse.move((from?.x ?? 0) + 10, (from?.y ?? 0) + 20)
    await page.mouse.down()
    await page.mouse.move((to?.x ?? 0) + 10, (to?.y ?? 0) + 20, { steps: 4 })
    await page.mouse.up()
    const copied = page.getByRole('slider', { name: 'Wednesday, step 2' })
    await expect.poll(() => copied.getAttribute('aria-valuetext')).toBe('06:30, 22.0°')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    const week = JSON.parse((await stored()).programme ?? '{}')
    expect([week.monday[1].at, week.tuesday[1].at, week.wednesday[1].at]).toEqual(['06:30', '05:30', '06:30'])
    await site.leave(page)
  })

  test('plus changes what acts now until the next step, or from now on, and undone the room is as it was', async () => {
    // Lowered now and for the next hours: no step is near, whatever the time.
    const { minuteOfDay } = localTime('Europe/Oslo', Date.now())
    const isDay = minuteOfDay >= 6 * 60 && minuteOfDay < 18 * 60
    const others = isDay ? ['23:59'] : ['11:00', '13:00']
    const day = [{ at: '00:00', setback: 2 }, ...others.map((at, i) => ({ at, setback: 2 * i }))]
    const programme = Object.fromEntries(
      ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'].map((name) => [name, day]),
    )
    const page = await site.openSignedIn('phone')
    await page.request.patch(`${site.url}/app/rooms/${roomId}`, { data: { programme } })
    const tile = page.getByRole('article', { name: 'Bathroom' })
    await tile.getByRole('button', { name: 'Bathroom is heated to 20.0°' }).waitFor()
    const raise = () => pressed(tile.getByRole('button', { name: 'Raise Bathroom by half a degree' }))
    const overrideC = async () => JSON.parse((await stored()).override ?? '{}').targetC
    await raise()
    await page.getByText(/^Bathroom: 20\.5° until .*\.$/).waitFor()
    await expect.poll(overrideC).toBe(20.5)
    await raise()
    await expect.poll(overrideC).toBe(21)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(stored).toMatchObject({ targetC: 22, targetHold: null, override: null })
    await tile.getByRole('button', { name: 'Bathroom is heated to 20.0°' }).waitFor()
    await raise()
    await expect.poll(overrideC).toBe(20.5)
    expect((await stored()).targetC).toBe(22)
    await page.getByRole('button', { name: 'from now on' }).click()
    await expect.poll(async () => (await stored()).targetC).toBe(20.5)
    expect((await stored()).override).toBeNull()
    await page.getByText('Bathroom: 20.5° from now on.').waitFor()
    await page.getByRole('button', { name: /^until / }).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(overrideC).toBe(20)
    expect((await stored()).targetC).toBe(22)
    await tile.getByRole('button', { name: 'Bathroom is heated to 20.0°' }).waitFor()
    await site.leave(page)
  })

  test('where nothing changes the setpoint by itself, plus holds from now on, or only for this evening', async () => {
    const kitchen = () =>
      site.store.db
        .selectFrom('rooms')
        .select(['targetC', 'override'])
        .where('name', '=', 'Kitchen')
        .executeTakeFirstOrThrow()
    const page = await site.openSignedIn('phone')
    const tile = page.getByRole('article', { name: 'Kitchen' })
    await pressed(tile.getByRole('button', { name: 'Raise Kitchen by half a degree' }))
    await page.getByText(/^Kitchen: \d\d\.5° from now on\.$/).waitFor()
    const raisedC = (await kitchen()).targetC
    await page.getByRole('button', { name: /^until .*(22|18):00$/ }).click()
    await page.getByText(/^Kitchen: \d\d\.5° until .*(22|18):00\.$/).waitFor()
    await expect.poll(async () => (await kitchen()).override).not.toBeNull()
    const beforeC = (await kitchen()).targetC
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(kitchen).toEqual({ targetC: beforeC, override: null })
    expect(raisedC).toBeGreaterThanOrEqual(beforeC)
    await site.leave(page)
  })

  test('a search for loops asks first, is seen on home, and is stopped there', async () => {
    const page = await site.openSignedIn('phone', { path: `/buildings/${buildingId}/setup` })
    await chooseStep(page, 'Loops')
    await page.getByRole('link', { name: /^Bathroom .* · Loop \d/ }).waitFor()
    await page.getByRole('button', { name: 'Find the rooms of all loops' }).click()
    const dialog = page.getByRole('dialog', { name: 'Start the search for loops?' })
    await dialog.getByText(/These rooms cool down meanwhile: Bathroom, Kitchen/).waitFor()
    await dialog.getByRole('button', { name: 'Start search' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('link', { name: 'Home', exact: true }).click()
    const search = page.getByRole('region', { name: 'Search for loops' })
    await search.getByText(/0 of 8 loops done · at the latest until/).waitFor()
    const tile = page.getByRole('article', { name: 'Bathroom' })
    await tile.getByText('Loop search').waitFor()
    expect(await tile.getByRole('button').count()).toBe(0)
    await search.getByRole('button', { name: 'Stop the search' }).click()
    await search.waitFor({ state: 'hidden' })
    await tile.getByRole('button', { name: 'Raise Bathroom by half a degree' }).waitFor()
    await site.leave(page)
  })
})

/** By a share of a day. */
async function dragBy(page: Page, edge: ReturnType<Page['getByRole']>, share: number): Promise<void> {
  const box = await edge.boundingBox()
  const lane = await page.locator('.lane').first().boundingBox()
  const [x, y] = [(box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + 20]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + (lane?.width ?? 0) * share, y, { steps: 5 })
  await page.mouse.up()
}
