import type { Decision } from '@hypocaust/control'
import { alertStage, HOUR, SILENT_AFTER_S } from '@hypocaust/testing/alert-stage.ts'
import { MINUTE_MS } from '@hypocaust/testing/clock.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { BATHROOM_SENSOR } from '@hypocaust/testing/houses.ts'
import { type Pair, slotsOfTwo } from '@hypocaust/testing/two-rooms.ts'
import type { World } from '@hypocaust/testing/world.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { checkDueBuildings } from '../src/people/alerts/watch.ts'

describe.each(ENGINES)('alerts on %s', (engine) => {
  const stage = alertStage(engine)
  const { speak, lookNow, tellAll, pass, subjects, shown } = stage
  let world: World
  beforeAll(() => {
    ;({ world } = stage)
  })

  test('a battery is low at 15 %, fine at 20 %, and wavering in between is no news', async () => {
    const withBattery = (batteryPct: number) => async () => {
      await speak()
      await world.report(BATHROOM_SENSOR, { temperatureC: 20, batteryPct })
    }
    await pass(30, withBattery(15))
    await pass(30, withBattery(17))
    expect(await shown()).toEqual(['battery_low Bathroom'])
    await pass(30, withBattery(14))
    expect(subjects()).toEqual(['Bathroom: the sensor’s battery is at 15\u00a0%'])
    await pass(30, withBattery(100))
    expect(subjects().slice(1)).toEqual(['Bathroom: the sensor’s battery is good again'])
  })

  test('hot water that is not disinfected in time is one alert of the building, until it is', async () => {
    const { db } = world.store
    const settings = { volume_l: 250, temperature: 53, tap_temperature: 42, people: 3, times: [], disinfection: 62 }
    const disinfected = (daysAgo: number) =>
      db
        .updateTable('buildings')
        .set({
          hotWater: JSON.stringify(settings),
          hotWaterState: JSON.stringify({
            tank: { disinfectedMs: world.clock.now() - daysAgo * 24 * HOUR * MINUTE_MS },
          }),
        })
        .execute()
    await disinfected(7)
    await pass(5, speak)
    expect(await shown()).toEqual([])
    await disinfected(9)
    expect(await shown()).toEqual(['disinfection_overdue'])
    await disinfected(0)
    expect(await shown()).toEqual([])
    await db.updateTable('buildings').set({ hotWater: null, hotWaterState: null }).execute()
  })

  const bathroomDecides = (minutesAgo: number, changes: Partial<Decision>, roomId = world.bathroomId) => {
    const atMs = world.clock.now() - minutesAgo * MINUTE_MS
    const decision: Decision = {
      atMs,
      timeZone: 'Europe/Oslo',
      mode: 'heat',
      power: 1,
      share: 1,
      rung: 'measured',
      notices: [],
      caps: [],
      air: { airC: 18, ageS: 30 },
      estimate: null,
      outdoorC: -5,
      aim: { targetC: 20, lowC: 19.5, highC: 20.5, occupied: true, reason: 'target' },
      without: null,
      warmsForMs: null,
      maxFloorC: 29,
      confidence: 0.5,
      ...changes,
    }
    const row = { roomId, decidedAt: atMs, power: decision.power, targetC: 20, decision: JSON.stringify(decision) }
    return world.store.db.insertInto('decisions').values(row).execute()
  }

  /** Half hours of decisions up to now, the oldest first. */
  async function decides(hours: number, at: (hoursAgo: number) => Partial<Decision>, roomId = world.bathroomId) {
    for (let hoursAgo = hours; hoursAgo >= 0; hoursAgo -= 0.5)
      await bathroomDecides(hoursAgo * 60, at(hoursAgo), roomId)
  }

  test('a room that full heat does not warm is reported with its temperature', async () => {
    await decides(10, () => ({}))
    await speak()
    expect(await shown()).toEqual(['target_unreachable Bathroom'])
    await lookNow()
    await tellAll()
    expect(subjects()).toEqual(['Bathroom: does not get warm enough, 18.0° at full heat'])
  })

  test('blinds are to be closed from half an hour before the sun does harm until it is gone', async () => {
    const nowMs = world.clock.now()
    const inMinutes = (minutes: number) => nowMs + minutes * MINUTE_MS
    const shading = {
      sides: ['south' as const],
      closeMs: inMinutes(40),
      openMs: inMinutes(200),
      openC: 27.4,
      closedC: 25,
    }
    const sunny = { power: 0, share: 0, air: { airC: 24, ageS: 30 }, shading }
    const decidesNow = async () => {
      await speak()
      await world.report(BATHROOM_SENSOR, { temperatureC: 24 })
      await bathroomDecides(0, sunny)
    }
    await decidesNow()
    expect(await shown()).toEqual([])
    await pass(15, decidesNow)
    expect(await shown()).toEqual(['close_blinds Bathroom'])
    await tellAll()
    expect(subjects()).toEqual(['Bathroom: close the blinds, or the sun makes it 27.4° warm'])
    await pass(230, decidesNow)
    expect(await shown()).toEqual([])
    await tellAll()
    expect(subjects().slice(1)).toEqual(['Bathroom: the blinds may be opened'])
  })

  test('a sensor whose silence the control holds to be usual is not reported as silent', async () => {
    await world.report(BATHROOM_SENSOR, { temperatureC: 20 })
    world.clock.advance(3 * HOUR * MINUTE_MS)
    await speak([])
    await bathroomDecides(1, { air: { airC: 20, ageS: 10_800 }, notices: ['sensor-lost'] })
    expect(await shown()).toContain('sensor_silent Bathroom')
    await bathroomDecides(0, { air: { airC: 20, ageS: 10_800 } })
    expect(await shown()).not.toContain('sensor_silent Bathroom')
  })

  test('a room whose model was put aside is reported until it has been learned again', async () => {
    await bathroomDecides(1, { air: { airC: 20, ageS: 30 }, rung: 'pi', notices: ['model-broken'] })
    await speak()
    expect(await shown()).toEqual(['model_broken Bathroom'])
    await lookNow()
    await tellAll()
    expect(subjects()).toEqual(['Bathroom: the learned model was wrong and has been reset'])
    await bathroomDecides(0, { air: { airC: 20, ageS: 30 } })
    expect(await shown()).toEqual([])
  })

  test('a floor held back by its limit counts as all the heat there is; a holder who has just raised the target does not', async () => {
    await decides(10, () => ({ power: 0.4, caps: ['floor-limit'] }))
    expect(await shown()).toEqual(['target_unreachable Bathroom'])
    await world.store.db.deleteFrom('decisions').execute()
    const before = { targetC: 18, lowC: 17.5, highC: 18.5, occupied: true, reason: 'target' as const }
    await decides(10, (hoursAgo) => (hoursAgo > 5 ? { aim: before } : {}))
    expect(await shown()).toEqual([])
  })

  test('a room that is switched off has no target to reach, and no alert is reported as over', async () => {
    await decides(10, () => ({}))
    await speak()
    await lookNow()
    await tellAll()
    await pass(5, async () => {
      await speak()
      await bathroomDecides(0, { mode: 'off', power: 0 })
    })
    await pass(HOUR, speak)
    expect(subjects()).toHaveLength(1)
    expect(await shown()).toEqual([])
  })

  const cooling = (hoursAgo: number): Partial<Decision> => ({
    notices: ['boiler-off'],
    air: { airC: 17 + 0.4 * hoursAgo, ageS: 30 },
    aim: { targetC: 23, lowC: 22.5, highC: 23.5, occupied: true, reason: 'target' },
  })

  test('heat that arrives in no room is one alert about its source; in one room, about its valve', async () => {
    await decides(8, cooling)
    await decides(8, () => ({ air: { airC: 20, ageS: 30 } }), world.holder.roomIds[1])
    expect(await shown()).toEqual(['valve_without_effect Bathroom'])
    await world.store.db.deleteFrom('decisions').execute()
    await decides(8, cooling)
    await decides(8, cooling, world.holder.roomIds[1])
    expect(await shown()).toEqual(['heat_source_failed'])
    await lookNow()
    await tellAll()
    expect(subjects()).toEqual(['Lakeside 12: heat is requested in several rooms but arrives in none'])
  })

  const short = (belowK: number): Partial<Decision> => ({
    air: { airC: 20.5 - belowK, ageS: 30 },
    aim: { targetC: 21, lowC: 20.5, highC: 21.5, occupied: true, reason: 'target' },
    short: { sinceMs: Date.parse('2026-01-12T05:00:00Z'), belowK },
  })
  const warm: Partial<Decision> = { air: { airC: 21, ageS: 30 }, power: 0.4 }

  test('one room that full heat leaves cold while others are warm gets too little water', async () => {
    await bathroomDecides(0, short(1.3))
    await bathroomDecides(0, warm, world.holder.roomIds[1])
    expect(await shown()).toEqual(['loop_low_flow Bathroom'])
    await speak()
    await lookNow()
    await tellAll()
    expect(subjects()).toEqual(['Bathroom: the loop seems to get too little water'])
    expect(stage.mail.received[0]?.text).toContain('1.3° too cold on average')
    await pass(30, async () => {
      await speak()
      await bathroomDecides(0, warm)
      await bathroomDecides(0, warm, world.holder.roomIds[1])
    })
    expect(subjects().slice(1)).toEqual(['Bathroom: the loop gives enough heat again'])
  })

  test('most rooms of a building that full heat leaves cold are one alert about the water', async () => {
    for (const roomId of world.holder.roomIds) await bathroomDecides(0, short(0.8), roomId)
    expect(await shown()).toEqual(['supply_too_cold'])
    await lookNow()
    await bathroomDecides(-1, warm, world.holder.roomIds[1])
    world.clock.advance(MINUTE_MS)
    expect(await shown()).toEqual(['supply_too_cold'])
  })

  test('a room that is too cold for its target but warmer than the others has a target out of reach', async () => {
    await bathroomDecides(0, { ...short(1), air: { airC: 23, ageS: 30 } })
    await bathroomDecides(0, warm, world.holder.roomIds[1])
    expect(await shown()).toEqual([])
    await world.store.db.updateTable('rooms').set({ targetC: 25 }).where('id', '=', world.bathroomId).execute()
    expect(await shown()).toEqual(['target_unreachable Bathroom'])
    await world.store.db.updateTable('rooms').set({ targetC: 20 }).where('id', '=', world.bathroomId).execute()
  })

  test('two rooms that answer to each other’s heat are one alert with both names, and no boiler is blamed', async () => {
    const { roomIds } = world.holder
    const startMs = world.clock.now() - 3 * 24 * HOUR * MINUTE_MS
    const pair: Pair = { floors: ['screed', 'timber'], days: 3, sensors: [1, 0] }
    const slots = slotsOfTwo(pair, startMs)
    const rows = slots.flatMap((some, i) =>
      some.map((slot) => ({ roomId: roomIds[i] ?? '', endsAt: slot.endMs, slot: JSON.stringify(slot) })),
    )
    await world.store.batch(rows.map((row) => world.store.db.insertInto('roomSlots').values(row)))
    const latest = slots.map((some) => some.at(-1)?.airC ?? 0)
    for (const [i, roomId] of roomIds.entries())
      await decides(8, () => ({ air: { airC: latest[i] ?? 0, ageS: 30 }, notices: ['boiler-off'] }), roomId)
    await speak()
    expect(await shown()).toEqual(['sensors_swapped'])
    await lookNow()
    await tellAll()
    expect(subjects()).toEqual(['Lakeside 12: Bathroom and Living room seem swapped'])
    await world.store.db.deleteFrom('roomSlots').execute()
    expect(await shown()).not.toContain('sensors_swapped')
  })

  test('while the rooms recover one after the other, the last one’s valve is not blamed', async () => {
    for (const roomId of world.holder.roomIds) await decides(8, cooling, roomId)
    await lookNow()
    await world.store.db.deleteFrom('decisions').where('roomId', '=', world.bathroomId).execute()
    await decides(1, () => ({ notices: [] }))
    await lookNow()
    expect(await shown()).toEqual(['heat_source_failed'])
  })

  test('a gateway that reports but carries out no command is an alert, one that obeys is not', async () => {
    const { db } = world.store
    const [cellar] = world.holder.gatewayIds as [string]
    await pass(4 * HOUR, speak, 30)
    await db.updateTable('gateways').set({ commandSeq: 9, ackedSeq: 2 }).where('id', '=', cellar).execute()
    expect(await shown()).toEqual(['gateway_not_following'])
    const window = { gatewayId: cellar, channel: 1, windowS: 1800, openS: 900 }
    const startedAt = world.clock.now() - 40 * MINUTE_MS
    await db
      .insertInto('valveWindows')
      .values({ ...window, startedAt, source: 'fallback' })
      .execute()
    expect(await shown()).toEqual(['gateway_not_following'])
    await db
      .insertInto('valveWindows')
      .values({ ...window, startedAt, source: 'command' })
      .execute()
    expect(await shown()).toEqual([])
    await db.updateTable('gateways').set({ ackedSeq: 9 }).where('id', '=', cellar).execute()
    expect(await shown()).toEqual([])
  })

  test('a valve whose relay does not answer, and one that stays on, are alerts of their own', async () => {
    const { db } = world.store
    const valves = await db.selectFrom('valves').selectAll().execute()
    const [first] = valves
    const report = (state: 'ok' | 'silent' | 'contradicts', stuck: 'open' | 'closed' | null = null) => {
      const relay = { channel: first?.channel, state, auto_off: 'proven', ...(stuck && { stuck }) }
      return db
        .updateTable('gateways')
        .set({ relayReport: JSON.stringify({ channels: [relay] }) })
        .where('id', '=', first?.gatewayId ?? '')
        .execute()
    }
    const room = await db
      .selectFrom('rooms')
      .select('name')
      .where('id', '=', first?.roomId ?? '')
      .executeTakeFirst()
    await report('silent')
    await pass(5, speak)
    expect(subjects()).toEqual([`The valve of ${room?.name} does not answer`])
    await report('contradicts', 'open')
    await pass(30, speak)
    expect(subjects().slice(1)).toEqual([
      `The valve of ${room?.name} stays on`,
      `The valve of ${room?.name} answers again`,
    ])
    expect(await shown()).toEqual([`valve_stays_on ${room?.name}`])
    await report('ok')
    await pass(30, speak)
    expect(subjects().at(-1)).toBe(`The valve of ${room?.name} follows its commands again`)
    await db.updateTable('gateways').set({ relayReport: null }).execute()
  })

  test('a mat that must stay off says why, and a floor at its limit is shown but not sent', async () => {
    const { db } = world.store
    const [first] = await db.selectFrom('valves').selectAll().execute()
    const report = (held: 'no_floor_probe' | 'auto_off_unproven' | 'floor_limit' | null) => {
      const relay = { channel: first?.channel, state: 'ok', auto_off: 'unproven', held }
      return db
        .updateTable('gateways')
        .set({ relayReport: JSON.stringify({ channels: [relay] }) })
        .where('id', '=', first?.gatewayId ?? '')
        .execute()
    }
    await report('auto_off_unproven')
    await pass(5, speak)
    expect(await shown()).toEqual(['auto_off_unproven Bathroom'])
    expect(subjects()).toEqual([
      'Bathroom: the electric mat stays off until its relay is proven to switch off by itself',
    ])
    await report('no_floor_probe')
    await pass(30, speak)
    expect(await shown()).toEqual(['floor_probe_silent Bathroom'])
    expect(subjects().slice(1)).toEqual([
      'Bathroom: the electric mat stays off, its floor probe does not report',
      'Bathroom: the electric mat may heat',
    ])
    await report('floor_limit')
    await pass(30, speak)
    expect(await shown()).toEqual(['floor_limit Bathroom'])
    expect(subjects().slice(3)).toEqual(['Bathroom: the floor probe reports again'])
    await db.updateTable('gateways').set({ relayReport: null }).execute()
  })

  test('two agents of one gateway are one alert of the building, until one is gone', async () => {
    const { db } = world.store
    const [gatewayId = ''] = world.holder.gatewayIds
    const report = (other: object) =>
      db
        .updateTable('gateways')
        .set({ relayReport: JSON.stringify({ channels: [], ...other }) })
        .where('id', '=', gatewayId)
        .execute()
    await report({ drives: false, other_agent: 'old-box' })
    await pass(5, speak)
    expect(await shown()).toEqual(['two_agents'])
    expect(subjects()).toEqual([expect.stringContaining('two agents run as the same gateway')])
    await report({})
    await pass(30, speak)
    expect(await shown()).toEqual([])
    expect(subjects().at(-1)).toContain('each gateway runs once again')
    await db.updateTable('gateways').set({ relayReport: null }).execute()
  })

  test('every building has its turn, and not again within the minute', async () => {
    const parts = { store: world.store, clock: world.clock, silentAfterS: SILENT_AFTER_S }
    expect(await checkDueBuildings(parts)).toBe(true)
    expect(await checkDueBuildings(parts)).toBe(false)
    world.clock.advance(10 * MINUTE_MS)
    expect(await checkDueBuildings(parts)).toBe(true)
    expect(
      (await world.store.db.selectFrom('alerts').select('subject').execute()).map(({ subject }) => subject),
    ).toEqual([`building_silent ${world.holder.buildingId}`])
  })
})
