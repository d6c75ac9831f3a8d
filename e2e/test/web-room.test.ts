import { expect, test } from 'vitest'
import { walkThroughRoom } from './room-walk.ts'
import { describeInBrowser, EMAIL, siteWithHouse } from './site.ts'

describeInBrowser('a room in the browser', () => {
  const site = siteWithHouse()

  test('on a phone: chart, off with undo, manual with the keyboard, settings', () => walkThroughRoom(site, 'phone'))

  test('a damp room says what to do against mould, and its settings let it be warmed', async () => {
    const { id } = await site.room('Cellar')
    const record = {
      ...{ factor: 0.7, untilMs: Date.now(), knownH: 200, outdoorC: -2 },
      ...{ vapourHpa: 15, surfacePct: 90, dampShare: 0.75 },
    }
    await site.store.db
      .updateTable('rooms')
      .set({ surfaceRecord: JSON.stringify(record) })
      .where('id', '=', id)
      .execute()
    const page = await site.openSignedIn('phone', { path: `/rooms/${id}` })
    await page.getByText('mould risk high').waitFor()
    // What stands beside the room on a wide screen is neither made nor asked for on a phone.
    expect(await page.locator('aside').count()).toBe(0)
    await page.getByText('The air at the coldest wall has been above 80 % humidity for 18 hours a day.').waitFor()
    await page.goto(`${site.url}/rooms/${id}/settings`)
    await page.getByText('For experts').click()
    await page.getByRole('spinbutton', { name: 'Warm against mould by up to (°C)' }).fill('0.5')
    await page.getByLabel('Coldest wall, f_Rsi').fill('0.65')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.', { exact: true }).waitFor()
    const { mouldWarmingK, surfaceFactor } = await site.room('Cellar')
    expect([mouldWarmingK, surfaceFactor]).toEqual([0.5, 0.65])
    await site.leave(page)
  })

  test('a room gets a second sensor, and goes by the coldest of the two', async () => {
    const { id } = await site.room('Cellar')
    const page = await site.openSignedIn('phone', { path: `/rooms/${id}/settings` })
    const choose = async (picker: RegExp, choice: RegExp) => {
      await page.getByRole('button', { name: picker }).click()
      await page.getByRole('dialog').getByRole('button', { name: choice }).first().click()
    }
    await choose(/^Further room sensors/, /^Sensor/)
    await page.getByLabel(/^Weight of/).fill('2')
    await choose(/^Temperature of the room/, /^The coldest sensor/)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.', { exact: true }).waitFor()
    const { otherSensors } = await site.room('Cellar')
    const { use, sensors } = JSON.parse(otherSensors ?? '{}')
    expect([use, sensors]).toEqual(['coldest', [{ id: expect.stringMatching(/^a4:c1:38:5e:01:0[23]$/), weight: 2 }]])
    await page.goto(`${site.url}/rooms/${id}/settings`)
    await page.getByRole('button', { name: /^Remove Sensor/ }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(async () => (await site.room('Cellar')).otherSensors).toBeNull()
    await site.leave(page)
  })

  test('the floor of a room is warm at set times, and may be what its target is about', async () => {
    const { id } = await site.room('Cellar')
    const page = await site.openSignedIn('phone', { path: `/rooms/${id}/settings` })
    await page.getByRole('switch', { name: 'Warm at set times' }).click()
    await page.getByRole('spinbutton', { name: 'Floor at least (°C)' }).fill('25')
    await page.getByRole('button', { name: /^Days/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Saturday and Sunday' }).click()
    await page.getByRole('switch', { name: 'Heat by the floor' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.', { exact: true }).waitFor()
    const { floorTimes, targetOf } = await site.room('Cellar')
    const weekend = { temperature: 25, from: '06:00', to: '08:00', days: ['saturday', 'sunday'] }
    expect([JSON.parse(floorTimes ?? ''), targetOf]).toEqual([[weekend], 'floor'])
    await page.goto(`${site.url}/rooms/${id}/settings`)
    await page.getByRole('button', { name: 'Remove the time from 06:00' }).click()
    await page.getByRole('switch', { name: 'Heat by the floor' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(async () => (await site.room('Cellar')).floorTimes).toBeNull()
    await site.leave(page)
  })

  test('what another page changes while the settings are open stays', async () => {
    const { id } = await site.room('Cellar')
    const page = await site.openSignedIn('desktop', { path: `/rooms/${id}/settings` })
    await page.getByLabel('Highest floor temperature').fill('27')
    await page.request.patch(`${site.url}/app/rooms/${id}`, { data: { name: 'Wine cellar' } })
    await page.getByRole('heading', { name: 'Settings of Wine cellar' }).waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('region', { name: 'Now' }).waitFor()
    const saved = await site.store.db.selectFrom('rooms').select(['name', 'maxFloorC']).where('id', '=', id).execute()
    expect(saved).toEqual([{ name: 'Wine cellar', maxFloorC: 27 }])
    await site.leave(page)
  })

  test('the chart tints what lies ahead, and no night of the past by a programme that may be newer', async () => {
    const { id } = await site.room('Bathroom')
    const page = await site.openSignedIn('phone', { path: `/rooms/${id}` }, EMAIL, RECORD_TINTS)
    await expect.poll(() => page.evaluate<number[]>('tints')).not.toEqual([])
    // A day that was measured and a day of the plan: now is in the middle.
    for (const left of await page.evaluate<number[]>('tints')) expect(left).toBeGreaterThan(0.4)
    await page.context().close()
  })

  test.each([
    ['en', 'As warm as promised on 2 of the last 3 mornings.'],
    ['de', 'An 2 der letzten 3 Morgen so warm wie angekündigt.'],
  ])('a room says on how many mornings it was as warm as promised, in %s', async (language, sentence) => {
    const { id: roomId } = await site.room('Bathroom')
    const mornings = [20.9, 20.8, 20.5].map((measuredC, i) => ({
      ...{ roomId, setpointC: 21, expectedC: 21, measuredC },
      dueAt: Date.parse(`2026-01-0${i + 5}T05:00:00Z`),
    }))
    await site.store.db.deleteFrom('promises').execute()
    await site.store.db.insertInto('promises').values(mornings).execute()
    const inLanguage = `localStorage.setItem('language', '${language}')`
    const page = await site.openSignedIn('phone', { path: `/rooms/${roomId}` }, EMAIL, inLanguage)
    await page.getByText(sentence).waitFor()
    await page.context().close()
  })
})

/** Where each tinted part of the chart begins, as a share of its width. */
const RECORD_TINTS = `
  const { fillRect } = CanvasRenderingContext2D.prototype
  globalThis.tints = []
  CanvasRenderingContext2D.prototype.fillRect = function (left, ...others) {
    if (/^rgba\\(0, 0, 0, 0\\.0/.test(this.fillStyle)) tints.push(left / this.canvas.width)
    fillRect.call(this, left, ...others)
  }
`
