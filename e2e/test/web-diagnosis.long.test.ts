import { join } from 'node:path'
import { type Examined, examine } from '@hypocaust/control'
import { DAY_MS, HOUR_MS } from '@hypocaust/domain'
import { slotsOfTwo } from '@hypocaust/testing/two-rooms.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeInBrowser, HOUSE, Site } from './site.ts'

const SHOTS = process.env.DIAGNOSIS_SCREENSHOTS
const DAYS = 5

describeInBrowser('what is probably wrong with a room', () => {
  const site = new Site()
  let ids: string[]
  beforeAll(async () => {
    await site.start()
    const { rooms } = await site.addHouse(await site.addAccount(), HOUSE)
    ids = rooms.slice(0, 2).map(({ id }) => id)
    const nowMs = Date.now()
    // The service examines a room after each fit, and would find that it knows too little of these.
    await site.store.db.updateTable('rooms').set({ fittedAt: nowMs }).execute()
    const startMs = Math.floor((nowMs - DAYS * DAY_MS) / HOUR_MS) * HOUR_MS
    const slots = slotsOfTwo(
      { floors: ['screed', 'screed'], days: DAYS, sensors: [0, 1], stuck: [0], outdoorC: -5 },
      startMs,
    )
    const examined = new Map(
      ids.map((id, i): [string, Examined] => [
        id,
        { floorType: 'screed', timeZone: 'UTC', slots: slots[i] ?? [], idle: null, isShort: false },
      ]),
    )
    const rows = ids.map((roomId) => {
      const examination = examine({ rooms: examined, location: { lat: 52.5, lng: 13.4 } }, roomId, nowMs)
      return { roomId, examinedAt: nowMs, examination: JSON.stringify(examination) }
    })
    await site.store.db.insertInto('roomExaminations').values(rows).execute()
  })
  afterAll(() => site.stop())

  test.each(['phone', 'desktop'] as const)(
    'is on its page with what shows it and what to check, on a %s',
    async (device) => {
      const page = await site.openSignedIn(device, { path: `/rooms/${ids[0]}` })
      const said = page.getByRole('region', { name: 'What is probably wrong' })
      await said.getByText('The loop stays shut: its actuator or valve is stuck').waitFor()
      const probability = await said.getByText(/^\d+\s?% probable, since about/).textContent()
      expect(Number.parseInt(probability ?? '', 10)).toBeGreaterThan(90)
      await said.getByRole('img', { name: /^What shows it: the temperature from/ }).waitFor()
      expect(await said.getByRole('listitem').allTextContents()).toEqual(
        expect.arrayContaining([
          'Expected without a fault',
          'Expected with this cause',
          'Measured',
          'Set the room to full and then to zero by hand, ten minutes each, and see whether the actuator moves.',
        ]),
      )
      for (const theme of SHOTS ? (['light', 'dark'] as const) : []) {
        await page.emulateMedia({ colorScheme: theme })
        await said.screenshot({ path: join(SHOTS ?? '', `diagnosis-${device}-${theme}.png`) })
      }
      await site.leave(page)
    },
  )

  test('is not mentioned on the page of a healthy room', async () => {
    const page = await site.openSignedIn('phone', { path: '/' })
    const answered = page.waitForResponse(`${site.url}/app/rooms/${ids[1]}/diagnosis`)
    await page.goto(`${site.url}/rooms/${ids[1]}`, { waitUntil: 'commit' })
    expect((await (await answered).json()).causes).toEqual([])
    await page.getByRole('radiogroup').first().waitFor()
    expect(await page.getByText('What is probably wrong').count()).toBe(0)
    await site.leave(page)
  })
})
