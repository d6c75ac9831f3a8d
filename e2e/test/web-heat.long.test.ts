import { join } from 'node:path'
import { DAY_MS, dateOf, HOUR_MS, localTime } from '@hypocaust/domain'
import { coolRoom } from '@hypocaust/testing/cool-room.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeInBrowser, EMAIL, HOUSE, Site } from './site.ts'

const SHOTS = process.env.HEAT_SCREENSHOTS

describeInBrowser('heat and cost of rooms', () => {
  const site = new Site()
  let buildingId: string
  let roomIds: string[]
  beforeAll(async () => {
    await site.start()
    const { building, rooms } = await site.addHouse(await site.addAccount(), HOUSE)
    buildingId = building.id
    roomIds = rooms.map(({ id }) => id)
    await site.store.db.updateTable('rooms').set({ areaM2: 12 }).execute()
    const { timezone = 'UTC' } = HOUSE
    const day = dateOf(localTime(timezone, Date.now()).day)
    await site.store.db
      .insertInto('roomHeat')
      .values(
        roomIds.map((roomId, i) => ({
          roomId,
          day,
          kwhM2: 2 / (i + 1),
          spread: 0.24,
          hours: '[]',
          costM2: 0.4 / (i + 1),
        })),
      )
      .execute()
    const setpoint = { setC: 33.5, atMs: Date.now(), reason: { kind: 'room', roomId: roomIds[0] } }
    await site.store.db
      .updateTable('buildings')
      .set({ heatSource: '{"kind":"heat_pump","supply":{"max":40}}', supplySetpoint: JSON.stringify(setpoint) })
      .execute()
  })
  afterAll(() => site.stop())

  test.each(['phone', 'desktop'] as const)('are shown as bars with their uncertainty on a %s', async (device) => {
    const page = await site.openSignedIn(device, { path: `/buildings/${buildingId}` })
    await page.getByRole('link', { name: 'Heat and cost' }).click()
    const rooms = page.getByRole('region', { name: 'Rooms' })
    await rooms.getByText(/24 kWh \(1\d to 3\d\)/).waitFor()
    await rooms.getByText('not suitable for billing').waitFor()
    await page.getByText('No heat meter reported. Without one only ratios can be learned').waitFor()
    await rooms.getByText('What could the rooms save?').click()
    await rooms.getByText('This needs a week of readings').waitFor()
    const supply = page.getByRole('region', { name: 'Supply temperature' })
    await supply.getByText('33.5°').waitFor()
    await supply.getByText('Needed').waitFor()
    await supply.getByText(`${HOUSE.rooms[0]?.name} decides`).waitFor()
    await supply.getByText('No gateway passes this on').waitFor()
    for (const theme of SHOTS ? (['light', 'dark'] as const) : []) {
      await page.emulateMedia({ colorScheme: theme })
      await page.screenshot({ path: join(SHOTS ?? '', `heat-${device}-${theme}.png`), fullPage: true })
    }
    await page.getByRole('radio', { name: 'Last month' }).click()
    await page.getByText('No heat has been counted for this time yet').waitFor()
    const csv = await page.request.get(`${site.url}/app/buildings/${buildingId}/energy.csv`)
    expect((await csv.text()).split('\n')[0]).toMatch(/^day,room,heat_kwh,heat_kwh_per_m2,cost,savings_days,/)
    await site.leave(page)
  })

  test.each(['en', 'de'])('the times to choose from are not cut off on a phone in %s', async (language) => {
    const inLanguage = `localStorage.setItem('language', '${language}')`
    const page = await site.openSignedIn('phone', { path: `/buildings/${buildingId}/energy` }, EMAIL, inLanguage)
    await page.getByText(/24 kWh \(1\d (to|bis) 3\d\)/).waitFor()
    const cutOff = await page.evaluate(`[...document.querySelectorAll('[role=radio]')]
      .filter((element) => element.scrollWidth > element.clientWidth)
      .map((element) => element.textContent)`)
    expect(cutOff).toEqual([])
    expect(await page.getByRole('radio').count()).toBe(4)
    await site.leave(page)
  })

  test('a room that has been replayed says what half a degree less would have saved', async () => {
    const half_degree_less = { percent: 4.2, plus_minus: 1.3 }
    const savings = { days: 9, target_temperature: 22, half_degree_less, setback_hour_earlier: null }
    await site.store.db
      .insertInto('roomSavings')
      .values({ roomId: roomIds[0] ?? '', replayedAt: Date.now(), settings: '', savings: JSON.stringify(savings) })
      .execute()
    const page = await site.openSignedIn('phone', { path: `/buildings/${buildingId}/energy` })
    const rooms = page.getByRole('region', { name: 'Rooms' })
    await rooms.getByText('What could the rooms save?').click()
    await rooms.getByText('This needs a week of readings').waitFor()
    await rooms
      .getByText(/^At 21\.5° instead of 22\.0°, this room would have taken 4\.2\s% less heat in the last 9 days/)
      .waitFor()
    await site.leave(page)
  })

  test('where a meter counts the heat pump, the page says what the house can do for the grid and what it has done', async () => {
    const { db } = site.store
    const address = `/buildings/${buildingId}/energy`
    const unmetered = await site.openSignedIn('phone', { path: address })
    const told = await unmetered.request.get(`${site.url}/app/buildings/${buildingId}/flexibility`)
    expect((await told.json()).power_unknown).toBe('no_meter')
    await unmetered.getByText('not suitable for billing').waitFor()
    expect(await unmetered.getByRole('region', { name: 'Flexibility' }).count()).toBe(0)
    await site.leave(unmetered)
    const nowMs = Date.now()
    const rooms = await db.selectFrom('rooms').select(['id', 'floorType']).execute()
    for (const { id: roomId, floorType } of rooms) {
      const state = coolRoom(floorType, nowMs)
      await db.deleteFrom('controlStates').where('roomId', '=', roomId).execute()
      await db
        .insertInto('controlStates')
        .values({ roomId, version: 1, state: JSON.stringify(state), keptAt: null, keptGist: null })
        .execute()
      const slots = Array.from({ length: 8 * 48 }, (_, i) => ({
        ...{ endMs: nowMs - i * (HOUR_MS / 2), airC: 20, power: 0.4, outdoorC: 0, windMs: 3, solarWm2: 0 },
      }))
      await db
        .insertInto('roomSlots')
        .values(slots.map((slot) => ({ roomId, endsAt: slot.endMs, slot: JSON.stringify(slot) })))
        .execute()
    }
    await db.updateTable('gateways').set({ lastSeenAt: nowMs }).execute()
    const { id: gatewayId } = await db.selectFrom('gateways').select('id').executeTakeFirstOrThrow()
    const hourOf = (ms: number) => ms - (ms % HOUR_MS)
    await db
      .insertInto('meterReadings')
      .values(
        Array.from({ length: 8 * 24 }, (_, i) => {
          const readAt = nowMs - i * HOUR_MS
          return { gatewayId, kind: 'electricity' as const, hourAt: hourOf(readAt), readAt, kwh: (8 * readAt) / DAY_MS }
        }),
      )
      .execute()
    const fromAt = nowMs - 20 * HOUR_MS
    await db
      .insertInto('limitRecords')
      .values({
        ...{ buildingId, promisedAt: fromAt, fromAt, untilAt: fromAt + HOUR_MS, limitW: 0, roomIds: '[]', scale: 1 },
        ...{ plannedKwh: 4.2, promisedKwh: 4.2, takenKwh: 0.2, meteredKwh: null, withdrawn: 0, dueAt: null },
      })
      .execute()
    // A setting that changes makes the service ask anew.
    await db
      .updateTable('buildings')
      .set({ revisedAt: nowMs + 1 })
      .execute()
    const page = await site.openSignedIn('phone', { path: address })
    const card = page.getByRole('region', { name: 'Flexibility' })
    await card.getByText(/^\d\.\d kW less for 90 min costs \d\.\d K·h: rooms become up to \d\.\d° cooler\.$/).waitFor()
    await card.getByText(/promised 4\.2 kWh and brought 4\.0 kWh\.$/).waitFor()
    await site.leave(page)
  })

  test('heat from before the first price says from when its cost is counted', async () => {
    await site.store.db.updateTable('roomHeat').set({ costM2: null }).execute()
    await site.store.db.updateTable('buildings').set({ tariff: '{"kind":"fixed","price":0.3}' }).execute()
    const page = await site.openSignedIn('phone', { path: `/buildings/${buildingId}/energy` })
    await page.getByText('What the heat costs is counted from the moment a price was entered.').waitFor()
    await site.leave(page)
  })
})
