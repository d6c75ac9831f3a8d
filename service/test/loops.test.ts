import { HOUR_MS } from '@hypocaust/domain'
import { type Browser, openSite, signedIn } from '@hypocaust/testing/browser.ts'
import { MINUTE_MS } from '@hypocaust/testing/clock.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { heatingOf } from '@hypocaust/testing/heating.ts'
import { BATHROOM_SENSOR, LIVING_ROOM_SENSOR } from '@hypocaust/testing/houses.ts'
import type { World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { nextCommand } from '../src/house/gateways/commands.ts'
import { commandedValves, gatewayValvesOf } from '../src/house/gateways/valves.ts'
import type { Heating } from '../src/house/heating/heating.ts'
import { advanceLoopRuns } from '../src/house/loops/advance-runs.ts'
import { newSensorId } from '../src/house/sensors.ts'

describe.each(ENGINES)('tests of loops on %s', (engine) => {
  let world: World
  let ada: Browser
  let heating: Heating

  beforeAll(async () => {
    world = await openSite(engine)
    ada = await signedIn(world)
  })
  afterAll(() => world.close())
  beforeEach(async () => {
    world = await world.refurnished()
    heating = heatingOf(world)
    await world.store.db.updateTable('gateways').set({ channels: 4 }).where('id', '=', cellarId()).execute()
  })

  const cellarId = () => world.holder.gatewayIds[0] as string
  const path = () => `/app/buildings/${world.holder.buildingId}/loops`
  const loopOf = (channel: number) => ({ gateway_id: cellarId(), channel })
  const gateway = async () =>
    (await gatewayValvesOf(world.store, world.holder.buildingId)).find(({ gatewayId }) => gatewayId === cellarId())
  const runNow = async () => (await ada.call('GET', path())).json.run

  /** Time passes with readings, the service looks after its runs, and the control follows. */
  async function live(
    minutes: number,
    temperatures: Record<string, number> = { [BATHROOM_SENSOR]: 20 },
  ): Promise<void> {
    for (let minute = 0; minute < minutes; minute++) {
      world.clock.advance(MINUTE_MS)
      await world.gatewaysReport()
      for (const [sensor, temperatureC] of Object.entries(temperatures)) await world.report(sensor, { temperatureC })
      await advanceLoopRuns(world.store, world.clock, { silentAfterS: 300 })
      await heating.control(world.holder.buildingId)
    }
  }

  const powers = async () => {
    const current = await gateway()
    return current ? commandedValves(current, world.clock.now()).map(({ power }) => power) : []
  }

  test('keeps what a person enters of a loop, and refuses what no loop has', async () => {
    const figures = { length_m: 84.5, spacing_mm: 150, covering: 'Oak, 14 mm', design_flow_l_min: 1.6 }
    const put = (more: object) => ada.call('PUT', `${path()}/details`, { ...loopOf(3), ...figures, ...more })
    expect((await put({})).status).toBe(200)
    const loops = () => ada.call('GET', path()).then(({ json }) => json.loops)
    const third = async () => (await loops()).find((loop: { channel: number }) => loop.channel === 3)
    expect(await third()).toMatchObject(figures)
    for (const wrong of [{ channel: 9 }, { length_m: 0 }, { spacing_mm: '150' }, { covering: '' }, { width: 1 }])
      expect((await put(wrong)).status).toBe(400)
    const nothing = { length_m: null, spacing_mm: null, covering: null, design_flow_l_min: null }
    await put(nothing)
    expect(await third()).toMatchObject(nothing)
  })

  test('a tested loop opens for its minutes, with or without a room, and then follows the control again', async () => {
    await world.call('PATCH', world.bathroomPath, { key: world.holder.writeKey, body: { hvac_mode: 'off' } })
    await live(1)
    expect(await powers()).toMatchObject([0, expect.anything(), 0, 0])
    for (const channel of [1, 3]) {
      expect((await ada.call('POST', `${path()}/test`, loopOf(channel))).json.run.ended).toBeNull()
      await live(2)
      expect((await powers())[channel - 1]).toBe(1)
      await live(3)
      expect((await powers())[channel - 1]).toBe(0)
      expect((await runNow()).ended).toMatchObject({ because: 'finished' })
    }
  })

  test('a room shows the power its tested loop has', async () => {
    await world.call('PATCH', world.bathroomPath, { key: world.holder.writeKey, body: { hvac_mode: 'off' } })
    await ada.call('POST', `${path()}/test`, loopOf(1))
    await live(1)
    expect(await world.bathroom()).toMatchObject({ power: 1, hvac_action: 'heating', hvac_mode: 'off' })
    await live(5)
    expect(await world.bathroom()).toMatchObject({ power: 0, hvac_action: 'off' })
  })

  test('the command of a test ends with the test, should the service not be there to end it', async () => {
    await ada.call('POST', `${path()}/test`, { ...loopOf(3), minutes: 5 })
    world.clock.advance(MINUTE_MS)
    const current = await gateway()
    const next = current && (await nextCommand(world.store, world.clock, current))
    expect(next).toMatchObject({ kind: 'due', command: { valid_s: 240 } })
    world.clock.advance(5 * MINUTE_MS)
    expect((await powers())[2]).toBe(0)
  })

  test('a test can be stopped; another one waits until then', async () => {
    await ada.call('POST', `${path()}/test`, loopOf(3))
    expect((await ada.call('POST', `${path()}/search`)).status).toBe(400)
    expect((await ada.call('POST', `${path()}/test`, loopOf(4))).json.error.code).toBe('taken')
    expect((await ada.call('DELETE', `${path()}/run`)).json.run.ended.because).toBe('stopped')
    expect((await powers())[2]).toBe(0)
  })

  test('a floor at its highest temperature ends a test', async () => {
    await world.store.db
      .updateTable('rooms')
      .set({ floorSensorId: newSensorId(world.holder.buildingId, LIVING_ROOM_SENSOR) })
      .where('id', '=', world.bathroomId)
      .execute()
    await ada.call('POST', `${path()}/test`, { ...loopOf(1), minutes: 30 })
    await live(1, { [BATHROOM_SENSOR]: 20, [LIVING_ROOM_SENSOR]: 25 })
    expect((await powers())[0]).toBe(1)
    await live(1, { [BATHROOM_SENSOR]: 20, [LIVING_ROOM_SENSOR]: 29.2 })
    expect((await runNow()).ended.because).toBe('floor_limit')
  })

  test('a search keeps all loops but one closed, and ends when a room gets cold', async () => {
    await live(1, { [BATHROOM_SENSOR]: 15, [LIVING_ROOM_SENSOR]: 15 })
    expect((await ada.call('POST', `${path()}/search`)).status).toBe(200)
    await live(2, { [BATHROOM_SENSOR]: 15, [LIVING_ROOM_SENSOR]: 15 })
    const [first, ...others] = await powers()
    expect(first).toBeGreaterThan(0.2)
    expect(others).toEqual([0, 0, 0])
    await live(2, { [BATHROOM_SENSOR]: 9.8, [LIVING_ROOM_SENSOR]: 15 })
    expect((await runNow()).ended.because).toBe('cold')
    expect((await powers())[1]).toBeGreaterThan(0)
  })

  test('a search does not begin in a house that is cold already, or that has no readings', async () => {
    expect((await ada.call('POST', `${path()}/search`)).json.error.message).toContain('No room')
    await live(1, { [BATHROOM_SENSOR]: 8 })
    expect((await ada.call('POST', `${path()}/search`)).json.error.message).toContain('Bathroom is colder than 10 °C')
  })

  test('after an hour without the service, the loop in question begins anew', async () => {
    await live(1)
    await ada.call('POST', `${path()}/search`)
    await live(40)
    const [before] = (await runNow()).trials
    world.clock.advance(HOUR_MS)
    await live(1)
    const [after] = (await runNow()).trials
    expect(Date.parse(after.opened_at) - Date.parse(before.opened_at)).toBeGreaterThan(HOUR_MS)
    expect(after).toMatchObject({ closed_at: null, finding: null })
  })

  test('confirming gives loops to rooms and notes the test; none takes a loop away from its room', async () => {
    const [bathroom, living] = world.holder.roomIds
    const loops = [
      { ...loopOf(1), room_id: living },
      { ...loopOf(2), room_id: null },
    ]
    const { json } = await ada.call('PUT', `${path()}/rooms`, { loops })
    expect(json.loops).toMatchObject([
      { channel: 1, room_id: living, tested: { certainty: null } },
      { channel: 2, room_id: null, tested: { certainty: null } },
      { channel: 3, room_id: null, tested: null },
      { channel: 4, room_id: null, tested: null },
    ])
    const rooms = (await ada.call('GET', '/app/buildings')).json[0].rooms
    expect(rooms.find(({ id }: { id: string }) => id === bathroom).valves).toEqual([])
  })

  test('a channel or room that does not exist is refused, and nothing changes', async () => {
    const wrong = [
      await ada.call('POST', `${path()}/test`, loopOf(9)),
      await ada.call('PUT', `${path()}/rooms`, { loops: [{ ...loopOf(1), room_id: world.stranger.roomIds[0] }] }),
    ]
    expect(wrong.map(({ status }) => status)).toEqual([400, 400])
    const bob = await signedIn(world, 'bob@example.org')
    expect((await bob.call('GET', path())).status).toBe(404)
  })
})
