import { copOf } from '@hypocaust/control'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { heatedWorld } from '@hypocaust/testing/heated-world.ts'
import { describe, expect, test } from 'vitest'
import { countNext } from '../src/house/heat/count.ts'
import { learnSources } from '../src/house/heat/learn-source.ts'
import { meterUpserts, thinMeterReadings } from '../src/house/heat/meters.ts'
import { readInputs } from '../src/house/heating/inputs.ts'

const HALF_HOUR = 1_800_000
const HOUR = 2 * HALF_HOUR
const DAY = 24 * HOUR

describe.each(ENGINES)('heat of rooms on %s', (engine) => {
  const heated = heatedWorld(engine)
  const store = () => heated.world.store

  /** Half hours of the bathroom up to now, its loop open for a share of each. */
  async function record(hours: number, power: number) {
    const { world } = heated
    await store().db.updateTable('rooms').set({ areaM2: 10, floorType: 'screed' }).execute()
    await heated.live(1, 20)
    const lastMs = Math.floor(world.clock.now() / HALF_HOUR) * HALF_HOUR
    const slots = Array.from({ length: 2 * hours }, (_, i) => ({
      endMs: lastMs - (2 * hours - 1 - i) * HALF_HOUR,
      airC: 21,
      power,
      outdoorC: 0,
      windMs: 3,
      solarWm2: 0,
    }))
    await store()
      .db.insertInto('roomSlots')
      .values(slots.map((slot) => ({ roomId: world.bathroomId, endsAt: slot.endMs, slot: JSON.stringify(slot) })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }

  const count = async () => {
    while (await countNext({ store: store(), clock: heated.world.clock }));
  }

  const change = (columns: object) =>
    store().db.updateTable('buildings').set(columns).where('id', '=', heated.world.holder.buildingId).execute()

  const energy = async (query = '') => (await heated.world.get(`${heated.world.buildingPath}/energy${query}`)).json
  const bathroom = async () => (await heated.world.get(`${heated.world.bathroomPath}/energy`)).json

  const today = () => new Date(heated.world.clock.now()).toISOString().slice(0, 10)

  test('are counted by the day from what flowed, with the cost by the price then', async () => {
    await change({
      tariff: JSON.stringify({ kind: 'fixed', price: 0.3 }),
      heatSource: '{"kind":"boiler","efficiency":0.9}',
    })
    await record(60, 0.5)
    await count()
    const room = await bathroom()
    expect(room).toMatchObject({ id: heated.world.bathroomId, name: 'Bathroom', share: 1 })
    expect(room.heat_per_m2).toBeGreaterThan(0.3)
    expect(room.heat).toBeCloseTo(room.heat_per_m2 * room.area_m2, 0)
    expect(room.cost / room.heat).toBeCloseTo(0.3 / 0.9, 1)
    expect(room.heat_error).toBeGreaterThan(0.15 * room.heat)
    // Nine times out of ten: 1.65 standard deviations of the logarithm to either side.
    expect(room.heat / room.heat_low).toBeGreaterThan(1.25)
    expect(room.heat_high / room.heat).toBeCloseTo(room.heat / room.heat_low, 1)
    expect(room.days.at(-1).day).toBe(today())
    // Prices of the market are in euro, whatever is paid with at the place.
    const FIXED = JSON.stringify({ kind: 'fixed', price: 0.3 })
    const MARKET = JSON.stringify({ kind: 'market', area: 'NO1' })
    for (const [timezone, tariff, currency] of [
      ['Europe/Berlin', FIXED, 'EUR'],
      ['Europe/Berlin', MARKET, 'EUR'],
      ['Europe/Oslo', FIXED, 'NOK'],
      ['Europe/Oslo', MARKET, null],
      ['Asia/Tokyo', FIXED, null],
      ['Europe/Berlin', null, 'EUR'],
    ] as const) {
      await change({ timezone, tariff })
      expect([(await energy()).currency, (await bathroom()).currency], `${timezone} ${tariff}`).toEqual([
        currency,
        currency,
      ])
    }
    await change({ timezone: 'Europe/Berlin', tariff: FIXED })
    // A higher tariff is one of the days to come.
    await change({ tariff: JSON.stringify({ kind: 'fixed', price: 3 }) })
    heated.world.clock.advance(2 * DAY)
    await count()
    expect((await bathroom()).cost).toBeCloseTo(room.cost, 1)
  })

  test('have a counter that never falls, also when a day turns out to be less and when a room is removed', async () => {
    const counters = async () => {
      const { counter, rooms } = await energy()
      return [counter, rooms.find(({ id }: { id: string }) => id === heated.world.bathroomId)?.counter]
    }
    await record(60, 0.5)
    expect(await counters()).toEqual([null, null])
    await count()
    const { days } = await bathroom()
    const counted = days.reduce((sum: number, { heat }: { heat: number }) => sum + heat, 0)
    expect(await counters()).toEqual([expect.closeTo(counted, 2), expect.closeTo(counted, 2)])
    const again = async (change: () => Promise<unknown>) => {
      const before = await counters()
      await change()
      heated.world.clock.advance(2 * HOUR)
      await count()
      return [before, await counters()]
    }
    const [before, halved] = await again(() => store().db.updateTable('rooms').set({ areaM2: 5 }).execute())
    expect(halved).toEqual(before)
    const [, doubled] = await again(() => store().db.updateTable('rooms').set({ areaM2: 20 }).execute())
    expect(doubled?.[1]).toBeCloseTo(2 * counted, 0)
    await store().db.deleteFrom('rooms').where('id', '=', heated.world.bathroomId).execute()
    expect((await counters())[0]).toBeCloseTo(doubled?.[0], 2)
  })

  test('are given by the hour where that is asked for, and their sum is that of the day', async () => {
    await record(60, 0.5)
    await count()
    const { rooms } = await energy('?step=hour')
    const days = rooms[0].days as { heat: number; hours: number[] }[]
    expect(days.length).toBeGreaterThan(1)
    for (const { heat, hours } of days) {
      expect(hours).toHaveLength(24)
      expect(hours.reduce((sum, kwh) => sum + kwh, 0)).toBeCloseTo(heat, 1)
    }
    expect((await energy()).rooms[0].days[0]).not.toHaveProperty('hours')
    const unknown = rooms.find(({ id }: { id: string }) => id !== heated.world.bathroomId)
    expect(unknown.days).toEqual([])
    const refused = await energy('?from=2025-12-01&to=2026-01-10&step=hour')
    expect(refused.error).toMatchObject({ code: 'invalid_value', message: expect.stringMatching(/31 days/) })
    expect((await energy('?step=minute')).error.code).toBe('invalid_value')
  })

  test('are scaled to what a heat meter counted, and are then less uncertain', async () => {
    await record(60, 0.5)
    await count()
    const before = await energy()
    const [gatewayId = ''] = heated.world.holder.gatewayIds
    const nowMs = heated.world.clock.now()
    const twice = 2 * before.rooms[0].days.at(-2).heat
    const dayStartMs = Date.parse(`${today()}T00:00:00Z`) - DAY
    for (let readAt = dayStartMs - 3 * HOUR; readAt < nowMs; readAt += HOUR) {
      const meters = [
        { kind: 'heat' as const, kwh: (readAt * twice) / DAY - 800_000, timestamp: new Date(readAt).toISOString() },
      ]
      await store().batch(meterUpserts(store(), gatewayId, meters, readAt))
    }
    const after = await energy()
    expect(after.metered_days).toBe(1)
    expect(after.heat / before.heat).toBeCloseTo(2, 0)
    expect(after.heat_error / after.heat).toBeLessThan(0.5 * (before.heat_error / before.heat))
    expect(after.heat_high / after.heat_low).toBeLessThan(before.heat_high / before.heat_low)
  })

  test('the efficiency of a heat pump with both meters is learned, and shown as learned', async () => {
    await change({ heatSource: '{"kind":"heat_pump"}' })
    await record(8 * 24, 0.5)
    expect((await energy()).efficiency).toEqual({ basis: 'assumed', days: 0, value: 3.92 })
    const [gatewayId = ''] = heated.world.holder.gatewayIds
    const nowMs = heated.world.clock.now()
    for (let readAt = nowMs - 8 * DAY; readAt < nowMs; readAt += HOUR) {
      const hours = (readAt - nowMs) / HOUR + 1000
      const timestamp = new Date(readAt).toISOString()
      const meters = [
        { kind: 'heat' as const, kwh: 3 * hours, timestamp },
        { kind: 'electricity' as const, kwh: hours, timestamp },
      ]
      await store().batch(meterUpserts(store(), gatewayId, meters, readAt))
    }
    await learnSources(store(), heated.world.clock)
    const { efficiency } = await energy()
    expect(efficiency).toMatchObject({ basis: 'learned', days: 7 })
    expect(efficiency.value).toBeLessThan(3.4)
    expect(efficiency.value).toBeGreaterThan(2.4)
    const inputs = await readInputs(store(), heated.world.holder.buildingId, nowMs)
    const source = inputs?.energy?.source
    const planned = source?.kind === 'heat-pump' ? copOf(source.quality, 2, 35) : Number.NaN
    expect(planned).toBeCloseTo(efficiency.value, 2)
  })

  test('a meter keeps the newest reading of an hour, and of days long past the last one', async () => {
    const [gatewayId = ''] = heated.world.holder.gatewayIds
    const nowMs = heated.world.clock.now()
    const hourMs = nowMs - (nowMs % HOUR)
    const say = (readAt: number, kwh: number, heardAt = readAt) => {
      const timestamp = new Date(readAt).toISOString()
      return store().batch(meterUpserts(store(), gatewayId, [{ kind: 'heat', kwh, timestamp }], heardAt))
    }
    const kept = async () =>
      (await store().db.selectFrom('meterReadings').select(['kwh']).orderBy('hourAt').execute()).map(({ kwh }) => kwh)
    await say(hourMs + 60_000, 100)
    await say(hourMs + 120_000, 101)
    await say(hourMs + 90_000, 100.5)
    expect(await kept()).toEqual([101])
    await say(hourMs + 2 * DAY, 999, hourMs)
    expect(await kept()).toEqual([101])
    for (let hour = 1; hour <= 24; hour++) await say(hourMs + hour * HOUR, 101 + hour)
    await thinMeterReadings(store(), hourMs + 60 * DAY)
    expect((await kept()).length).toBe(1)
  })

  test('of days that nobody counted is unknown, and not 0', async () => {
    await record(24, 0.5)
    await count()
    const { json } = await heated.world.get(`${heated.world.buildingPath}/energy?from=2025-06-01&to=2025-06-30`)
    expect(json).toMatchObject({
      heat: null,
      heat_error: null,
      heat_low: null,
      heat_high: null,
      cost: null,
      counted_from: null,
    })
    const unknown = {
      heat: null,
      heat_error: null,
      heat_low: null,
      heat_high: null,
      heat_per_m2: null,
      share: null,
      cost: null,
      days: [],
    }
    for (const room of json.rooms) expect(room).toMatchObject(unknown)
  })

  test('of a counted day without any is 0', async () => {
    await record(24, 0)
    await count()
    const { heat, rooms } = await energy()
    const bathroom = rooms.find(({ id }: { id: string }) => id === heated.world.bathroomId)
    expect([heat, bathroom.heat, bathroom.heat_per_m2]).toEqual([0, 0, 0])
  })

  test('that is too little to be named has no share of the building', async () => {
    await record(24, 0.0005)
    await count()
    const { heat, rooms } = await energy()
    const bathroom = rooms.find(({ id }: { id: string }) => id === heated.world.bathroomId)
    expect([heat, bathroom.heat, bathroom.share]).toEqual([0, 0, null])
    expect(bathroom.days.some((day: { heat: number }) => day.heat > 0)).toBe(true)
  })

  test.each([
    ['?from=2026-02-30', 'from must be a day of the calendar'],
    ['?from=2026-02-02&to=2026-02-01', 'to must not be before from'],
    ['?from=2024-01-01&to=2025-01-02', 'to must be within a year of from'],
    ['?from=2024-02-29&to=2025-03-02', 'to must be within a year of from'],
    ['?month=1', 'month'],
  ])('refuse %s and say why', async (query, why) => {
    const answer = await heated.world.get(`${heated.world.buildingPath}/energy${query}`)
    expect(answer.status).toBe(400)
    expect(answer.json.error.message).toContain(why)
  })

  test.each([
    ['?from=2024-01-01&to=2025-01-01', '2024-01-01', '2025-01-01'],
    ['?from=2024-02-29&to=2025-03-01', '2024-02-29', '2025-03-01'],
    ['?to=2025-06-10', '2025-06-01', '2025-06-10'],
  ])('of %s are those from %s to %s', async (query, from, to) => {
    expect((await heated.world.get(`${heated.world.buildingPath}/energy${query}`)).json).toMatchObject({ from, to })
  })

  test('without an end are those until today, where the building is', async () => {
    const day = new Intl.DateTimeFormat('sv', { timeZone: 'Europe/Oslo' }).format(heated.world.clock.now())
    expect(await energy('?from=2025-12-10')).toMatchObject({ from: '2025-12-10', to: day })
    expect(await energy()).toMatchObject({ from: `${day.slice(0, 7)}-01`, to: day })
  })

  test('are as well hidden from strangers as everything else', async () => {
    const { world } = heated
    const key = world.stranger.readKey
    for (const path of [world.buildingPath, world.bathroomPath])
      expect((await world.get(`${path}/energy`, { key })).status).toBe(404)
    expect((await world.call('GET', `${world.buildingPath}/energy`)).status).toBe(401)
  })
})
