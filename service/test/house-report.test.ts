import { DAY_MS } from '@hypocaust/domain'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { heatedWorld } from '@hypocaust/testing/heated-world.ts'
import { describe, expect, test } from 'vitest'
import { meterUpserts } from '../src/house/heat/meters.ts'

const HALF_HOUR = 1_800_000
const DAYS = 10

describe.each(ENGINES)('what a house needs, on %s', (engine) => {
  const heated = heatedWorld(engine)
  const db = () => heated.world.store.db
  const report = async (query = '') =>
    (await heated.world.get(`${heated.world.buildingPath}/house-report${query}`)).json
  const advice = async (query = '') => (await heated.world.get(`${heated.world.buildingPath}/balancing${query}`)).json

  const rooms = () =>
    db()
      .selectFrom('rooms')
      .select(['id', 'name'])
      .where('buildingId', '=', heated.world.holder.buildingId)
      .orderBy('position')
      .execute()

  /** Every room learned and recorded, its loop open for a share of the time. */
  async function live(powerOf: (index: number) => number, supplyC?: number) {
    const { world } = heated
    await db().updateTable('rooms').set({ areaM2: 20, floorType: 'screed' }).execute()
    await heated.live(1, 20)
    const state = await db()
      .selectFrom('controlStates')
      .select('state')
      .where('roomId', '=', world.bathroomId)
      .executeTakeFirstOrThrow()
    const known = JSON.parse(state.state)
    const learned = JSON.stringify({ ...known, floorType: 'screed', fit: { ...known.fit, accepted: 1 } })
    const lastMs = Math.floor(world.clock.now() / HALF_HOUR) * HALF_HOUR
    for (const [index, { id }] of (await rooms()).entries()) {
      await db().updateTable('controlStates').set({ state: learned }).where('roomId', '=', id).execute()
      const slots = Array.from({ length: DAYS * 48 }, (_, i) => ({
        endMs: lastMs - i * HALF_HOUR,
        airC: 21,
        power: powerOf(index),
        outdoorC: 0,
        windMs: 3.5,
        solarWm2: 0,
        ...(supplyC !== undefined && { supplyC }),
      }))
      await db()
        .insertInto('roomSlots')
        .values(slots.map((slot) => ({ roomId: id, endsAt: slot.endMs, slot: JSON.stringify(slot) })))
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    }
  }

  async function meter(kwhADay: number) {
    const { world } = heated
    const { id } = await db().selectFrom('gateways').select('id').limit(1).executeTakeFirstOrThrow()
    for (let hour = 24 * (DAYS + 1); hour >= 0; hour--) {
      const readAt = world.clock.now() - hour * 2 * HALF_HOUR
      const reading = {
        kind: 'heat' as const,
        kwh: (kwhADay * readAt) / DAY_MS,
        timestamp: new Date(readAt).toISOString(),
      }
      await world.store.batch(meterUpserts(world.store, id, [reading], readAt))
    }
  }

  test('is stated in shares without a heat meter, and in kilowatts with one', async () => {
    await live(() => 0.4, 32)
    const alone = await report('?outdoor_temperature=-12')
    expect(alone).toMatchObject({
      outdoor_temperature: -12,
      is_metered: false,
      heat_load: null,
      loss_per_kelvin: null,
      renovation: null,
    })
    expect(alone.left_out).toEqual([])
    expect(alone.rooms.length).toBeGreaterThan(1)
    const shares = alone.rooms.map(({ share }: { share: { value: number } }) => share.value)
    expect(shares.reduce((sum: number, share: number) => sum + share, 0)).toBeCloseTo(1, 1)
    for (const room of alone.rooms) expect(room.heat_load).toBeNull()
    expect(alone.time_constant).toBeGreaterThan(20)
    expect(alone.degree).toBeGreaterThan(0.02)
    await meter(30)
    const metered = await report('?outdoor_temperature=-12')
    expect(metered.is_metered).toBe(true)
    const { value, low, high } = metered.heat_load
    expect(low).toBeLessThan(value)
    expect(high).toBeGreaterThan(value)
    await db().deleteFrom('meterReadings').execute()
    await meter(60)
    expect((await report('?outdoor_temperature=-12')).heat_load.value / value).toBeCloseTo(2, 1)
  })

  test('grows with the cold, and names the room that needs the warmest water and what would relieve it', async () => {
    // The first room is held with three times as much open time, so its loop gives less or it loses more.
    await live((index) => (index === 0 ? 0.9 : 0.3), 34)
    await meter(30)
    const [mild, cold] = [await report('?outdoor_temperature=0'), await report('?outdoor_temperature=-15')]
    expect(cold.heat_load.value).toBeGreaterThan(1.4 * mild.heat_load.value)
    expect(cold.supply.temperature.value).toBeGreaterThan(mild.supply.temperature.value)
    expect(cold.supply).toMatchObject({ is_measured: true, cop_basis: 'assumed' })
    expect(cold.supply.seasonal_cop.value).toBeLessThan(mild.supply.seasonal_cop.value)
    const warmest = Math.max(...cold.rooms.map(({ supply }: { supply: { value: number } }) => supply.value))
    expect(cold.supply.temperature.value).toBe(warmest)
    expect(cold.supply.relief.supply).toBeLessThanOrEqual(warmest)
  })

  test('leaves out rooms that are not known, and says why', async () => {
    await live(() => 0.4)
    const [first, second] = await rooms()
    await db()
      .updateTable('rooms')
      .set({ areaM2: null })
      .where('id', '=', first?.id ?? '')
      .execute()
    await db()
      .deleteFrom('roomSlots')
      .where('roomId', '=', second?.id ?? '')
      .execute()
    await meter(30)
    const { left_out, is_metered } = await report()
    expect(left_out).toEqual([
      { id: first?.id, name: first?.name, why: 'no_area' },
      { id: second?.id, name: second?.name, why: 'too_short' },
    ])
    // The meter has counted rooms of which nothing is known.
    expect(is_metered).toBe(false)
    await db().updateTable('rooms').set({ areaM2: null }).execute()
    expect(await report()).toMatchObject({ until: null, days: 0, heat_load: null, supply: null, rooms: [] })
    expect(await advice()).toMatchObject({ until: null, supply: null, lowering: null, rooms: [] })
  })

  test('compares weeks before and after a renovation that were as cold', async () => {
    const [room] = await rooms()
    await db().updateTable('rooms').set({ areaM2: 20, floorType: 'screed' }).execute()
    const days = Array.from({ length: 140 }, (_, i) => {
      const outdoorC = 5 * Math.sin((2 * Math.PI * (i % 70)) / 70)
      const kwhM2 = (21 - outdoorC) * (i < 70 ? 0.03 : 0.024)
      const day = new Date(Date.UTC(2025, 0, 1) + i * DAY_MS).toISOString().slice(0, 10)
      return { roomId: room?.id ?? '', day, kwhM2, spread: 0.2, hours: '[]', costM2: null, airC: 21, outdoorC }
    })
    await db().insertInto('roomHeat').values(days).execute()
    const renovated = days[70]?.day
    const { renovation } = await report(`?renovated=${renovated}`)
    expect(renovation).toMatchObject({ day: renovated, is_metered: false })
    expect(renovation.pairs).toBeGreaterThan(5)
    expect(renovation.change.value).toBeCloseTo(-0.2, 1)
    expect(renovation.change.low).toBeLessThan(-0.2)
    expect(renovation.change.high).toBeGreaterThan(-0.2)
    expect((await report('?renovated=2024-06-01')).renovation).toMatchObject({ pairs: 0, change: null })
  })

  test('advises more water for the loops that need it, in litres a minute where the design flow is entered', async () => {
    await live((index) => (index === 0 ? 0.9 : 0.3), 34)
    const [first] = await rooms()
    const valve = await db()
      .selectFrom('valves')
      .selectAll()
      .where('roomId', '=', first?.id ?? '')
      .executeTakeFirstOrThrow()
    const { gatewayId, channel } = valve
    await db()
      .insertInto('loopDetails')
      .values({ gatewayId, channel, lengthM: 80, spacingMm: 150, covering: null, designFlow: 2 })
      .execute()
    const { rooms: advised, is_measured, limiting_room, supply, supply_after } = await advice()
    expect(is_measured).toBe(true)
    expect(supply_after).toBeLessThanOrEqual(supply.value)
    expect(advised.map(({ id }: { id: string }) => id)).toContain(limiting_room)
    for (const { advice: change, flow } of advised) {
      expect(flow.low).toBeLessThanOrEqual(flow.value)
      expect(change === 'leave').toBe(flow.low <= 1 && flow.high >= 1)
    }
    const [own] = advised.find(({ id }: { id: string }) => id === first?.id).loops
    expect(own).toMatchObject({ gateway_id: gatewayId, channel, design_flow_l_min: 2 })
    expect(own.advised_flow_l_min).toBeGreaterThan(0)
  })

  test('answers what it cannot use with what is allowed', async () => {
    const { world } = heated
    for (const [query, message] of [
      ['outdoor_temperature=-50', 'outdoor_temperature must be between -40 and 10.'],
      ['outdoor_temperature=cold', 'outdoor_temperature'],
      ['renovated=2025-02-30', 'renovated must be a day of the calendar'],
      ['target=20', 'target'],
    ] as const) {
      const { status, json } = await world.get(`${world.buildingPath}/house-report?${query}`)
      expect(status, query).toBe(400)
      expect(json.error.message, query).toContain(message)
    }
  })
})
