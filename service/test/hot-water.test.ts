import { HOUR_MS, MINUTE_MS } from '@hypocaust/domain'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { heatingOf } from '@hypocaust/testing/heating.ts'
import { BATHROOM_SENSOR } from '@hypocaust/testing/houses.ts'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { nextCommand } from '../src/house/gateways/commands.ts'
import { gatewayValvesOf } from '../src/house/gateways/valves.ts'
import { createKey } from '../src/people/keys/keys.ts'

const TANK = { volume_l: 250, temperature: 53, tap_temperature: 42, people: 3, times: [], disinfection: null }
const CAN = ['charge', 'disinfect']

describe.each(ENGINES)('hot water on %s', (engine) => {
  let world: World
  let key: string
  beforeAll(async () => {
    world = await openWorld(engine)
    const made = { accountId: world.holder.accountId, name: 'tank', permission: 'write' as const, expiresAt: null }
    key = (await createKey(world.store, world.clock, { ...made, control: true })).value
  })
  afterAll(() => world.close())
  beforeEach(async () => {
    const { db } = world.store
    await world.store.batch([
      db.updateTable('buildings').set({ hotWater: null, hotWaterState: null }),
      db.updateTable('gateways').set({ sourceReport: null, command: null, commandDueAt: 0 }),
      db.deleteFrom('controlStates'),
    ])
    await world.reset()
  })

  const path = () => `/control${world.buildingPath}/hot-water`
  const get = async () => (await world.call('GET', path(), { key })).json
  const put = (settings: unknown) => world.call('PUT', path(), { key, body: { settings } })
  const report = (hot_water: object, more: object = {}) =>
    world.store.db
      .updateTable('gateways')
      .set({
        sourceReport: JSON.stringify({ lock: null, hot_water, ...more }),
        lastSeenAt: world.clock.now(),
        channels: 2,
      })
      .where('id', '=', world.holder.gatewayIds[0] ?? '')
      .execute()

  /** The control looks at the building every five minutes. */
  async function live(minutes: number, said: (minute: number) => object): Promise<void> {
    const heating = heatingOf(world)
    for (let minute = 0; minute < minutes; minute += 5) {
      world.clock.advance(5 * MINUTE_MS)
      await report(said(minute))
      await world.report(BATHROOM_SENSOR, { temperatureC: 21, humidityPct: 50 })
      await heating.control(world.holder.buildingId)
    }
    await heating.stop()
  }

  const ordered = async () => {
    const gateways = await gatewayValvesOf(world.store, world.holder.buildingId)
    const gateway = gateways.find(({ gatewayId }) => gatewayId === world.holder.gatewayIds[0])
    if (!gateway) throw new Error('the house has no gateway')
    await world.store.db.updateTable('gateways').set({ commandDueAt: 0 }).execute()
    const fresh = { ...gateway, sent: { ...gateway.sent, commandDueAt: 0 } }
    const next = await nextCommand(world.store, world.clock, fresh)
    return next.kind === 'due' ? (next.source?.hot_water ?? 'nothing said') : next.kind
  }

  test('is left alone until somebody sets it up', async () => {
    expect(await get()).toEqual({ settings: null, state: null, notices: [] })
    await live(10, () => ({ tank_c: 30, busy: false, can: CAN, asked: null }))
    expect(await get()).toEqual({ settings: null, state: null, notices: [] })
    expect(await ordered()).toBe('none')
  })

  test('is set up with what people should know of it', async () => {
    const answer = await put(TANK)
    expect(answer.status).toBe(200)
    expect(answer.json).toMatchObject({ settings: TANK, notices: ['legionella', 'not_asked', 'no_sensor'] })
    await report({ tank_c: 50, busy: false, can: CAN, asked: null })
    expect((await get()).notices).toEqual(['legionella'])
    expect((await put({ ...TANK, disinfection: 65 })).json.notices).toEqual(['scalding'])
  })

  test.each([
    [{ temperature: 49 }, /temperature must be at least 50: legionella/],
    [{ volume_l: 500 }, /temperature must be at least 60: legionella: a tank of more than 400 litres/],
    [{ tap_temperature: 49 }, /at least 5 above tap_temperature/],
    [{ times: [{ days: ['monday'], from: '06:00', to: '06:00' }] }, /from and to must differ/],
    [{ temperature: 40 }, /temperature/],
    [{ disinfection: 55 }, /disinfection/],
  ])('refuses %o with the reason', async (change, message) => {
    const answer = await put({ ...TANK, ...change })
    expect(answer.status).toBe(400)
    expect(answer.json.error.message).toMatch(message)
    expect((await get()).settings).toBeNull()
  })

  test('a tank that is too cold is charged at once, by the gateway that can ask for it, until it is warm', async () => {
    await put(TANK)
    await live(10, () => ({ tank_c: 38, busy: false, can: CAN, asked: null }))
    expect(await ordered()).toBe('charge')
    expect((await get()).state).toMatchObject({ temperature: 38, asked: true, problems: ['too_cold'] })
    await live(10, () => ({ tank_c: 53, busy: false, can: CAN, asked: 'charge' }))
    expect(await ordered()).toBe('none')
    const { state } = await get()
    expect(state).toMatchObject({ temperature: 53, asked: false, heating: false, problems: [] })
    expect(Date.parse(state.next.from)).toBeGreaterThan(world.clock.now())
  })

  test('a source that takes no orders is given none, and a gateway that knows nothing of tanks hears nothing', async () => {
    await put(TANK)
    await live(10, () => ({ tank_c: 30, busy: false, can: [], asked: null }))
    expect(await ordered()).toBe('nothing said')
    expect((await get()).state).toMatchObject({ next: null, problems: ['too_cold'] })
  })

  test('nothing is asked for by a plan that nobody has looked at for an hour, nor after it was switched off', async () => {
    await put(TANK)
    await live(5, () => ({ tank_c: 38, busy: false, can: CAN, asked: null }))
    expect(await ordered()).toBe('charge')
    world.clock.advance(HOUR_MS + MINUTE_MS)
    await report({ tank_c: 38, busy: false, can: CAN, asked: 'charge' })
    expect(await ordered()).toBe('none')
    await live(10, () => ({ tank_c: 38, busy: false, can: CAN, asked: null }))
    expect(await ordered()).toBe('charge')
    await put(null)
    expect(await ordered()).toBe('none')
  })

  test('a disinfection that did not happen is a problem after eight days', async () => {
    await put({ ...TANK, disinfection: 62 })
    const warm = () => ({ tank_c: 50, busy: false, can: ['charge'], asked: null })
    await live(5, warm)
    expect((await get()).state.problems).toEqual([])
    world.clock.advance(8 * 24 * HOUR_MS + HOUR_MS)
    await live(5, warm)
    expect((await get()).state).toMatchObject({ disinfected_at: null, problems: ['disinfection_overdue'] })
    await live(30, () => ({ tank_c: 63, busy: false, can: ['charge'], asked: null }))
    const { state } = await get()
    expect(state.problems).toEqual([])
    expect(Date.parse(state.disinfected_at)).toBe(world.clock.now())
  })
})
