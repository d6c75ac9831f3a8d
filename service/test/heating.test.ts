import { type Comfort, DAY_MS, timestampOf } from '@hypocaust/domain'
import { MINUTE_MS } from '@hypocaust/testing/clock.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { heatedWorld } from '@hypocaust/testing/heated-world.ts'
import { heatingOf } from '@hypocaust/testing/heating.ts'
import { BATHROOM_SENSOR } from '@hypocaust/testing/houses.ts'
import type { World } from '@hypocaust/testing/world.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { assignContact, reportOf } from '../src/house/contacts/contacts.ts'
import { currentConfig } from '../src/house/gateways/config.ts'
import { gatewayValvesOf } from '../src/house/gateways/valves.ts'
import { explainRoom } from '../src/house/heating/explanation.ts'
import type { Heating } from '../src/house/heating/heating.ts'
import { appRoomsOf } from '../src/house/rooms/app-rooms.ts'

describe.each(ENGINES)('the heating control on %s', (engine) => {
  const house = heatedWorld(engine)
  const { control, live } = house
  let world: World
  let heating: Heating

  beforeEach(() => {
    ;({ world, heating } = house)
  })

  const row = () =>
    world.store.db.selectFrom('rooms').selectAll().where('id', '=', world.bathroomId).executeTakeFirstOrThrow()

  const building = () =>
    world.store.db
      .selectFrom('buildings')
      .selectAll()
      .where('id', '=', world.holder.buildingId)
      .executeTakeFirstOrThrow()

  const powerNow = async () => (await row()).controlPower

  const capsNow = async () => (await explainRoom(world.store, world.bathroomId, world.clock.now()))?.decision.caps

  const setFrostProtection = (frostProtection: 0 | 1) =>
    world.store.db.updateTable('buildings').set({ frostProtection }).where('id', '=', world.holder.buildingId).execute()

  const decisions = () =>
    world.store.db
      .selectFrom('decisions')
      .selectAll()
      .where('roomId', '=', world.bathroomId)
      .orderBy('decidedAt')
      .execute()

  test('an open window of a contact pauses its room, and only its own', async () => {
    const { buildingId } = world.holder
    await live(3, 15)
    expect(await powerNow()).toBeGreaterThan(0)
    const report = (contact: 'open' | 'closed') =>
      world.store.batch([
        reportOf(world.store, buildingId, { id: 'AA:00:01', contact, timestamp: '' }, world.clock.now()),
      ])
    await report('open')
    await live(1, 15)
    expect(await powerNow(), 'of no room yet').toBeGreaterThan(0)
    expect(
      await assignContact(world.store, world.clock, { buildingId, id: 'aa:00:01', roomId: world.bathroomId }),
    ).toBe('done')
    await live(1, 15)
    expect(await powerNow()).toBe(0)
    await report('closed')
    await live(60, 15)
    expect(await powerNow()).toBeGreaterThan(0)
  })

  test('a contact that has not reported for a day no longer pauses anything', async () => {
    const { buildingId } = world.holder
    const reading = { id: 'aa:00:02', contact: 'open', timestamp: '' } as const
    await world.store.batch([reportOf(world.store, buildingId, reading, world.clock.now())])
    await assignContact(world.store, world.clock, { buildingId, id: 'aa:00:02', roomId: world.bathroomId })
    await live(2, 15)
    expect(await powerNow()).toBe(0)
    world.clock.advance(25 * 60 * MINUTE_MS)
    await live(3, 15)
    expect(await powerNow()).toBeGreaterThan(0)
  })

  test('a room far below its target is heated, one far above is not', async () => {
    await live(3, 15)
    expect(await world.bathroom()).toMatchObject({ hvac_mode: 'heat', hvac_action: 'heating' })
    expect((await world.bathroom()).power).toBeGreaterThan(0.3)
    await world.patch({ target_temperature: 7 })
    await control()
    expect(await world.bathroom()).toMatchObject({ hvac_action: 'idle', power: 0 })
  })

  test('a building that saves lets a room go lower in its band than one that holds its targets', async () => {
    const { buildingId } = world.holder
    const heatedShareAt = async (comfort: Comfort) => {
      await world.store.db.updateTable('buildings').set({ comfort }).where('id', '=', buildingId).execute()
      await live(60, 19.8)
      return (await explainRoom(world.store, world.bathroomId, world.clock.now()))?.decision.share ?? 0
    }
    const held = await heatedShareAt('balanced')
    const saved = await heatedShareAt('saving')
    expect(held).toBeGreaterThan(0.1)
    expect(saved).toBeLessThan(0.5 * held)
  })

  test('a room is heated now where heat is cheap now, and waits where it will be', async () => {
    const { buildingId } = world.holder
    const heatedShareWith = async (now: number, later: number) => {
      const steps = [
        { at: '09:00', price: now },
        { at: '13:00', price: later },
      ]
      await world.store.db
        .updateTable('buildings')
        .set({ tariff: JSON.stringify({ kind: 'times', steps }), timezone: 'Europe/Oslo' })
        .where('id', '=', buildingId)
        .execute()
      await live(60, 19.7)
      return (await explainRoom(world.store, world.bathroomId, world.clock.now()))?.decision.share ?? 0
    }
    // The tests before have left it any time of the day: it becomes twenty to eleven in Oslo, and twice an hour later.
    world.clock.advance(DAY_MS - ((world.clock.now() - Date.UTC(2026, 0, 10, 9, 40)) % DAY_MS))
    const expensive = await heatedShareWith(0.4, 0.1)
    const cheap = await heatedShareWith(0.1, 0.4)
    expect(cheap).toBeGreaterThan(expensive + 0.1)
    const { json } = await world.get(`${world.bathroomPath}/explanation`)
    expect(json.price).toEqual({ kind: 'cheap', until: expect.stringMatching(/T12:00:00.000Z$/) })
    expect(json.sentence).toMatch(/ Heat is cheap until 13:00, and the floor stores it\.$/)
  })

  test('a room that is warmed ahead of the morning says for when', async () => {
    const { buildingId } = world.holder
    const morningMs = Math.ceil(world.clock.now() / MINUTE_MS) * MINUTE_MS + 120 * MINUTE_MS
    const clockAt = (atMs: number) => new Date(atMs).toISOString().slice(11, 16)
    const night = { from: clockAt(morningMs - 480 * MINUTE_MS), to: clockAt(morningMs), setback: 3 }
    await world.store.db.updateTable('buildings').set({ timezone: 'UTC' }).where('id', '=', buildingId).execute()
    await world.store.db
      .updateTable('rooms')
      .set({ nightMode: JSON.stringify(night) })
      .execute()
    await live(3, 18.5)
    const room = (await appRoomsOf(world.store, buildingId, world.clock.now())).find(
      ({ id }) => id === world.bathroomId,
    )
    expect(room).toMatchObject({ hvac_action: 'heating', warming_for: timestampOf(morningMs) })
    expect(room?.aim).toBe((room?.target_temperature ?? 0) - 3)
  })

  test('manual power shows in the response of the PATCH and stays after the control has run', async () => {
    await live(2, 15)
    expect((await world.patch({ manual_power: { enabled: true, power: 0.25 } })).json).toMatchObject({ power: 0.25 })
    await control()
    expect(await world.bathroom()).toMatchObject({ power: 0.25, hvac_action: 'heating', hvac_mode: 'heat' })
  })

  test('after a PATCH that returns control, the new power follows', async () => {
    await live(2, 15)
    await world.patch({ hvac_mode: 'off' })
    await control()
    expect(await world.bathroom()).toMatchObject({ power: 0, hvac_action: 'off' })
    await world.patch({ hvac_mode: 'heat' })
    await heating.settled()
    expect((await world.bathroom()).power).toBeGreaterThan(0.3)
  })

  test('manual power is capped by the floor’s limit, and power tells the capped truth', async () => {
    const probe = 'a4:c1:38:5e:01:99'
    const { db } = world.store
    const sensor = { id: probe, address: probe, buildingId: world.holder.buildingId, createdAt: 0 }
    await db.insertInto('sensors').values(sensor).execute()
    await db
      .updateTable('rooms')
      .set({ floorSensorId: probe, maxFloorC: 29 })
      .where('id', '=', world.bathroomId)
      .execute()
    await world.report(probe, { temperatureC: 34 })
    await world.report(BATHROOM_SENSOR, { temperatureC: 21 })
    await world.patch({ manual_power: { enabled: true, power: 1 } })
    await control()
    const room = await world.bathroom()
    expect(room.manual_power).toEqual({ enabled: true, power: 1 })
    expect(room.power).toBeLessThan(1)
  })

  test('frost protection opens the loop of a room that is off, and says so without changing what the holder set', async () => {
    await world.patch({ hvac_mode: 'off' })
    await live(2, 4)
    const room = await world.bathroom()
    expect(room).toMatchObject({ hvac_mode: 'off', hvac_action: 'heating', manual_power: { enabled: true, power: 0 } })
    expect(room.power).toBeGreaterThan(0)
  })

  test('with frost protection switched off, off is zero without exception', async () => {
    await setFrostProtection(0)
    await world.patch({ hvac_mode: 'off' })
    await live(2, 2)
    expect(await world.bathroom()).toMatchObject({ hvac_action: 'off', power: 0 })
  })

  test('two processes that step one room at the same time never undo each other', async () => {
    await live(1, 18)
    const otherStore = await world.test.openAgain()
    const other = heatingOf(world, otherStore)
    try {
      for (let round = 0; round < 10; round++) {
        world.clock.advance(MINUTE_MS)
        await world.report(BATHROOM_SENSOR, { temperatureC: 18 })
        await Promise.all([control(), other.control(world.holder.buildingId)])
      }
    } finally {
      await other.stop()
      await otherStore.close()
    }
    const states = await world.store.db
      .selectFrom('controlStates')
      .selectAll()
      .where('roomId', '=', world.bathroomId)
      .execute()
    expect(states).toHaveLength(1)
    expect(states[0]?.version).toBe(21)
  })

  test('any process can take over: a restart goes on from the stored state', async () => {
    await live(30, 18)
    const before = await world.bathroom()
    house.restart()
    await live(1, 18)
    expect(Math.abs((await world.bathroom()).power - before.power)).toBeLessThan(0.2)
  })

  test('a building that has been quiet for a window is stepped all the same, until what its lost gateway does is settled', async () => {
    await live(1, 18)
    const isSteppedAfter = async (ms: number) => {
      world.clock.advance(ms)
      await heating.controlQuiet()
      return (await building()).controlledAt === world.clock.now()
    }
    expect(await isSteppedAfter(14 * MINUTE_MS)).toBe(false)
    expect(await isSteppedAfter(2 * MINUTE_MS)).toBe(true)
    expect(await isSteppedAfter(300 * MINUTE_MS)).toBe(true)
    expect(await isSteppedAfter(300 * MINUTE_MS)).toBe(false)
    await world.gatewaysReport()
    await heating.controlQuiet()
    expect((await building()).controlledAt).toBe(world.clock.now())
  })

  test('a room that nothing can heat has power 0 and is idle; manual power is shown as set', async () => {
    await world.report(BATHROOM_SENSOR, { temperatureC: 15 })
    await control()
    expect(await world.bathroom()).toMatchObject({ hvac_mode: 'heat', hvac_action: 'idle', power: 0 })
    expect(await capsNow()).toEqual(['no-gateway'])
    await world.patch({ manual_power: { enabled: true, power: 0.4 } })
    await control()
    expect(await world.bathroom()).toMatchObject({ hvac_action: 'heating', power: 0.4 })
    await world.patch({ hvac_mode: 'heat' })
    await live(2, 15)
    expect((await world.bathroom()).power).toBeGreaterThan(0.3)
    expect(await capsNow()).not.toContain('no-gateway')
    await world.store.db.deleteFrom('valves').where('roomId', '=', world.bathroomId).execute()
    await live(1, 15)
    expect(await world.bathroom()).toMatchObject({ hvac_action: 'idle', power: 0 })
    expect(await capsNow()).toEqual(['no-valve'])
  })

  test('while a gateway is unavailable, power is its last command until that expires, then its fallback', async () => {
    await live(3, 15)
    const commanded = await powerNow()
    expect(commanded).toBeGreaterThan(0.3)
    await world.store.db.updateTable('rooms').set({ fallbackPower: 0.15 }).execute()
    world.clock.advance(10 * MINUTE_MS)
    await world.patch({ target_temperature: 7 })
    await control()
    expect(await world.bathroom()).toMatchObject({ power: commanded, hvac_action: 'heating' })
    expect(await capsNow()).toEqual(['gateway-lost'])
    world.clock.advance(100 * MINUTE_MS)
    await heating.controlQuiet()
    expect(await world.bathroom()).toMatchObject({ power: 0.15 })
    await live(1, 15)
    expect(await world.bathroom()).toMatchObject({ power: 0, hvac_action: 'idle' })
  })

  test('a decision like the last one is not kept again, until its figures are old', async () => {
    await world.patch({ manual_power: { enabled: true, power: 0.5 } })
    await live(1, 20)
    const first = (await decisions()).length
    await live(20, 20)
    expect(await decisions()).toHaveLength(first)
    await live(15, 20)
    expect(await decisions()).toHaveLength(first + 1)
  })

  test('why a room heats has an answer for any past minute', async () => {
    expect(await explainRoom(world.store, world.bathroomId, world.clock.now())).toBeUndefined()
    await world.patch({ manual_power: { enabled: true, power: 0.5 } })
    await live(1, 20)
    const byHandMs = world.clock.now()
    world.clock.advance(MINUTE_MS)
    await world.patch({ hvac_mode: 'off' })
    await live(5, 20)
    expect((await explainRoom(world.store, world.bathroomId, byHandMs + 30_000))?.sentence).toContain('50 % by hand')
    expect((await explainRoom(world.store, world.bathroomId, world.clock.now()))?.sentence).toBe('Switched off.')
  })

  test('what was decided while the clock was ahead explains nothing once the clock is right again', async () => {
    await live(1, 25)
    world.clock.advance(8 * MINUTE_MS)
    await control()
    expect(await capsNow()).toEqual(['gateway-lost'])
    world.clock.advance(-8 * MINUTE_MS)
    await live(7, 25)
    expect(await capsNow()).not.toContain('gateway-lost')
    await live(10, 25)
    expect(await capsNow(), 'also after the moment that was taken for now').not.toContain('gateway-lost')
  })

  test('what a room has needed becomes the fallback of its gateway; off is 0, manual is the manual value', async () => {
    const fallback = async () => {
      const gateways = await gatewayValvesOf(world.store, world.holder.buildingId)
      const cellar = gateways.find(({ valves }) => valves.length > 0)
      const current = cellar && (await currentConfig(world.store, cellar))
      return current && current.kind !== 'outrun' ? current.config.fallback.power['1'] : undefined
    }
    expect(await fallback()).toBeGreaterThan(0)
    await live(2, 20)
    expect(await fallback()).toBeGreaterThan(0)
    await world.patch({ manual_power: { enabled: true, power: 0.4 } })
    expect(await fallback()).toBe(0.4)
    await world.patch({ hvac_mode: 'off' })
    expect(await fallback()).toBe(0)
  })
})
