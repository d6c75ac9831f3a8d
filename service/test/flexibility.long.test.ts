import { DAY_MS, HOUR_MS, MINUTE_MS, timestampOf } from '@hypocaust/domain'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { heatedWorld } from '@hypocaust/testing/heated-world.ts'
import { Interleaving } from '@hypocaust/testing/interleaved.ts'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { putPowerLimit } from '../src/house/buildings/power-limit.ts'
import { countDueLimits, recordLimit } from '../src/house/flexibility/record.ts'
import { meterUpserts } from '../src/house/heat/meters.ts'
import { Replays } from '../src/house/replays/replays.ts'
import { createKey } from '../src/people/keys/keys.ts'
import type { Store } from '../src/store/store.ts'

const HALF_HOUR_MS = HOUR_MS / 2
const DAYS = 9

describe.each(ENGINES)('what a house can do for the grid, on %s', (engine) => {
  const heated = heatedWorld(engine)
  let key: string
  beforeEach(async () => {
    const { world } = heated
    const made = { accountId: world.holder.accountId, name: 'grid', permission: 'write' as const, expiresAt: null }
    key = (await createKey(world.store, world.clock, { ...made, control: true })).value
  })

  const db = () => heated.world.store.db
  const path = () => `/control${heated.world.buildingPath}/flexibility`
  const get = async () => (await heated.world.call('GET', path(), { key })).json
  const fleet = async (query = '') => heated.world.call('GET', `/control/v1/flexibility${query}`, { key })
  type Offer = { direction: string; minutes: number; power_w: number; energy_kwh: number; kelvin_hours: number }
  const offerIn = ({ offers }: { offers: Offer[] }, direction = 'less', minutes = 120) => {
    const offer = offers.find((each) => each.direction === direction && each.minutes === minutes)
    if (!offer) throw new Error('no such offer')
    return offer
  }

  const set = (columns: { heatSource: string | null }) => db().updateTable('buildings').set(columns).execute()
  const heatPump = () => set({ heatSource: JSON.stringify({ kind: 'heat_pump' }) })

  /** All rooms are cool and known, and their loops have been open for 40 % of the time. */
  async function live(): Promise<void> {
    const { world } = heated
    await db().updateTable('rooms').set({ areaM2: 20, floorType: 'screed' }).execute()
    await heated.live(1, 19.5)
    const { state } = await db()
      .selectFrom('controlStates')
      .select('state')
      .where('roomId', '=', world.bathroomId)
      .executeTakeFirstOrThrow()
    const rooms = await db().selectFrom('rooms').select('id').execute()
    for (const { id } of rooms) {
      await db().updateTable('controlStates').set({ state }).where('roomId', '=', id).execute()
      await openFor(id, 0.4, DAYS * 48)
    }
  }

  async function openFor(roomId: string, power: number, halfHours: number): Promise<void> {
    const lastMs = Math.floor(heated.world.clock.now() / HALF_HOUR_MS) * HALF_HOUR_MS
    const slots = Array.from({ length: halfHours }, (_, i) => ({
      ...{ endMs: lastMs - i * HALF_HOUR_MS, airC: 19.5, power, outdoorC: 0, windMs: 3.5, solarWm2: 0 },
    }))
    await db()
      .insertInto('roomSlots')
      .values(slots.map((slot) => ({ roomId, endsAt: slot.endMs, slot: JSON.stringify(slot) })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }

  async function meter(kind: 'electricity' | 'heat', kwhADay: number): Promise<void> {
    const { world } = heated
    const [gatewayId = ''] = world.holder.gatewayIds
    for (let hour = 24 * DAYS; hour >= 0; hour--) {
      const readAt = world.clock.now() - hour * HOUR_MS
      const reading = { kind, kwh: (kwhADay * readAt) / DAY_MS, timestamp: timestampOf(readAt) }
      await world.store.batch(meterUpserts(world.store, gatewayId, [reading], readAt))
    }
  }

  async function metered(kwhADay = 20): Promise<void> {
    await heatPump()
    await live()
    await meter('electricity', kwhADay)
  }

  test('is nothing where nobody knows what makes the heat, or where it is not electricity', async () => {
    await live()
    expect(await get()).toMatchObject({ power_unknown: 'no_heat_source', offers: [], record: [] })
    await set({ heatSource: JSON.stringify({ kind: 'boiler' }) })
    heated.world.clock.advance(5 * MINUTE_MS)
    expect(await get()).toMatchObject({ power_unknown: 'not_electric', offers: [] })
  })

  test('is told in kelvin-hours without a meter or an area, and never in watts', async () => {
    await heatPump()
    await live()
    const alone = await get()
    expect(alone.power_unknown).toBe('no_meter')
    expect(alone.offers).toHaveLength(10)
    for (const offer of alone.offers)
      expect(offer).toMatchObject({ power_w: null, energy_kwh: null, kelvin_hours: expect.any(Number) })
    await meter('electricity', 20)
    await db().updateTable('rooms').set({ areaM2: null }).where('id', '=', heated.world.bathroomId).execute()
    heated.world.clock.advance(5 * MINUTE_MS)
    expect((await get()).power_unknown).toBe('no_area')
  })

  test('is told in watts as the meter counts them, and takes nothing more of a room under manual power', async () => {
    await metered(8)
    const first = await get()
    expect(first.power_unknown).toBeNull()
    const { power_w, energy_kwh } = offerIn(first)
    expect(power_w).toBeGreaterThan(100)
    expect(energy_kwh).toBeCloseTo((2 * power_w) / 1000, 1)
    await db().deleteFrom('meterReadings').execute()
    await meter('electricity', 16)
    heated.world.clock.advance(5 * MINUTE_MS)
    await heated.world.gatewaysReport()
    expect(offerIn(await get()).power_w / power_w).toBeCloseTo(2, 0)
    await heated.world.patch({ manual_power: { enabled: true, power: 0.5 } })
    expect((await get()).offers[0].rooms).toBe(first.offers[0].rooms - 1)
  })

  test('goes by the heat meter where the heat pump makes hot water too', async () => {
    await metered(20)
    await meter('heat', 60)
    const tank = { volume_l: 250, temperature: 53, tap_temperature: 42, people: 3, times: [], disinfection: null }
    const power = async () => offerIn(await get()).power_w
    const byElectricity = await power()
    await heated.world.call('PUT', `/control${heated.world.buildingPath}/hot-water`, { key, body: { settings: tank } })
    const byHeat = await power()
    expect(byHeat).toBeGreaterThan(0)
    expect(byHeat).not.toBe(byElectricity)
  })

  test('is kept for five minutes, unless a setting changes', async () => {
    await metered()
    const { world } = heated
    const first = await world.call('GET', path(), { key })
    const again = () => world.call('GET', path(), { key, headers: { 'if-none-match': String(first.headers.etag) } })
    world.clock.advance(4 * MINUTE_MS)
    expect((await again()).status).toBe(304)
    world.clock.advance(MINUTE_MS)
    expect((await again()).status).toBe(200)
    const before = await get()
    await world.patch({ target_temperature: 24 })
    expect(offerIn(await get())).not.toEqual(offerIn(before))
  })

  test('changes nothing in the house when somebody asks for it', async () => {
    await metered()
    const all = async () =>
      Promise.all(
        (['buildings', 'rooms', 'gateways', 'controlStates', 'decisions', 'limitRecords'] as const).map((table) =>
          db().selectFrom(table).selectAll().execute(),
        ),
      )
    const before = await all()
    await get()
    await fleet()
    await heated.heating.settled()
    expect(await all()).toEqual(before)
  })

  test('adds up over the buildings of the key, and of no other', async () => {
    await metered()
    const { json } = await fleet()
    const { power_w, energy_kwh, kelvin_hours } = offerIn(await get())
    expect(json).toMatchObject({ buildings: 1, building_ids: [heated.world.holder.buildingId], next: null })
    expect(offerIn(json)).toMatchObject({ power_w, energy_kwh, kelvin_hours })
    expect((await fleet(`?after=${heated.world.holder.buildingId}`)).json).toMatchObject({ buildings: 0, next: null })
    expect((await fleet('?after=x')).status).toBe(400)
  })

  const limit = async (body: object) => {
    const { world } = heated
    const sent = { limit_w: 0, basis: 'agreed', ...body }
    const { status } = await world.call('PUT', `${world.buildingPath}/power-limit`, { key, body: sent })
    await heated.heating.settled()
    return status
  }
  const inHours = (hours: number) => timestampOf(heated.world.clock.now() + hours * HOUR_MS)

  test('is promised when a limit is set, and counted when it is over', async () => {
    await metered()
    const { world } = heated
    const offered = offerIn(await get())
    expect(await limit({ until: inHours(2) })).toBe(200)
    const [promised] = (await get()).record
    expect(promised).toMatchObject({ limit_w: 0, withdrawn: false, taken_kwh: null, delivered_kwh: null })
    expect(promised.promised_kwh).toBeCloseTo(offered.energy_kwh, 0)
    expect(promised.promised_kwh).toBeLessThanOrEqual(promised.planned_kwh)
    world.clock.advance(2 * HOUR_MS)
    expect(await countDueLimits(world.store, world.clock)).toBe(0)
    world.clock.advance(HOUR_MS)
    for (const { id } of await db().selectFrom('rooms').select('id').execute()) await openFor(id, 0, 6)
    await meter('electricity', 20)
    expect(await countDueLimits(world.store, world.clock)).toBe(1)
    expect(await countDueLimits(world.store, world.clock)).toBe(0)
    const [counted] = (await get()).record
    expect(counted.taken_kwh).toBeCloseTo(0, 1)
    expect(counted.delivered_kwh).toBeCloseTo(counted.planned_kwh, 1)
    expect(counted.missed_kwh).toBeCloseTo(0, 1)
    expect(counted.metered_kwh).toBeCloseTo((20 * 2) / 24, 1)
  })

  test('what is withdrawn or replaced is not counted', async () => {
    await metered()
    const { world } = heated
    await limit({ until: inHours(2) })
    world.clock.advance(MINUTE_MS)
    await limit({ until: inHours(3) })
    world.clock.advance(MINUTE_MS)
    await world.call('DELETE', `${world.buildingPath}/power-limit`, { key })
    await heated.heating.settled()
    const { record } = await get()
    expect(record.map(({ withdrawn }: { withdrawn: boolean }) => withdrawn)).toEqual([true, true])
    world.clock.advance(5 * HOUR_MS)
    expect(await countDueLimits(world.store, world.clock)).toBe(0)
  })

  const recorded = () => db().selectFrom('limitRecords').select(['limitW', 'withdrawn']).orderBy('promisedAt').execute()

  test('a limit that is replaced while its promise is worked out leaves no record that counts', async () => {
    await metered()
    const { world } = heated
    const { store, clock } = world
    const { buildingId } = world.holder
    const set = (limit_w: number) =>
      putPowerLimit(store, clock, buildingId, { limit_w, basis: 'agreed', until: inHours(2) })
    const replays = new Replays()
    const record = (of: Store) =>
      recordLimit({ store: of, clock, replays, availability: { silentAfterS: 300 } }, buildingId)
    const other = async () => {
      clock.advance(1000)
      await set(500)
      await record(store)
    }
    const interleaved = new Interleaving(store)
    const steps = await interleaved.stepsOf(() => record(interleaved.store))
    for (let step = 1; step < steps; step++) {
      clock.advance(1000)
      await db().deleteFrom('limitRecords').execute()
      await set(100)
      await interleaved.at(step, other, () => record(interleaved.store))
      const counting = (await recorded()).filter(({ withdrawn }) => withdrawn === 0)
      expect(counting).toEqual([{ limitW: 500, withdrawn: 0 }])
    }
    await replays.stop()
  })

  test('a limit holds, and is answered, where its record cannot be made', async () => {
    await metered()
    await sql`update room_slots set slot = 'none'`.execute(db())
    expect(await limit({ until: inHours(2) })).toBe(200)
    const { json } = await heated.world.get(`${heated.world.buildingPath}/power-limit`)
    expect(json).toMatchObject({ limit_w: 0 })
    expect(await recorded()).toEqual([])
  })

  test('no more records are kept than are shown', async () => {
    await metered()
    for (let minute = 0; minute < 22; minute++) {
      heated.world.clock.advance(MINUTE_MS)
      await limit({ limit_w: minute, until: inHours(1) })
    }
    expect((await recorded()).map(({ limitW }) => limitW)).toEqual(Array.from({ length: 20 }, (_, i) => 2 + i))
  })

  test('a limit that cannot be counted holds up no other, and is tried again', async () => {
    await metered()
    const { store, clock } = heated.world
    await limit({ until: inHours(1) })
    await sql`update limit_records set room_ids = 'none'`.execute(db())
    clock.advance(2 * HOUR_MS)
    await limit({ limit_w: 200, until: inHours(1) })
    clock.advance(2 * HOUR_MS)
    await expect(countDueLimits(store, clock)).rejects.toThrow()
    expect(await countDueLimits(store, clock)).toBe(1)
    expect(await countDueLimits(store, clock)).toBe(0)
    clock.advance(HOUR_MS)
    await expect(countDueLimits(store, clock)).rejects.toThrow()
  })

  test('the sums of no building whose power is known are none, and not 0', async () => {
    await live()
    expect((await fleet()).json).toMatchObject({ buildings: 1, building_ids: [], offers: [] })
  })

  test('nothing is promised where the power is not known', async () => {
    await live()
    expect(await limit({ until: inHours(2) })).toBe(200)
    expect((await get()).record).toEqual([])
  })
})
