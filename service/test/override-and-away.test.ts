import { DAY_MS, HOUR_MS, timestampOf } from '@hypocaust/domain'
import { logOf } from '@hypocaust/testing/change-log.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { heatedWorld } from '@hypocaust/testing/heated-world.ts'
import type { World } from '@hypocaust/testing/world.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { BuildingRooms } from '../src/house/buildings/building-rooms.ts'
import type { Heating } from '../src/house/heating/heating.ts'
import { changeAllRooms } from '../src/house/rooms/all.ts'
import { changeRoom } from '../src/house/rooms/manage.ts'

describe.each(ENGINES)('what counts for a while, on %s', (engine) => {
  const house = heatedWorld(engine)
  const { live, control } = house
  let world: World
  let heating: Heating

  beforeEach(() => {
    ;({ world, heating } = house)
  })

  const put = (path: string, body: unknown, key = world.holder.writeKey) => world.call('PUT', path, { key, body })
  const remove = (path: string, key = world.holder.writeKey) => world.call('DELETE', path, { key })
  const overridePath = () => `${world.bathroomPath}/override`
  const awayPath = () => `${world.buildingPath}/away`
  const outlook = async () => (await world.get(`${world.bathroomPath}/outlook`)).json
  const inHours = (hours: number) => timestampOf(world.clock.now() + hours * HOUR_MS)

  test('an override counts until its end, ends by itself, and changes no field of the room', async () => {
    await live(2, 19.9)
    const before = await world.bathroom()
    const until = inHours(2)
    expect((await world.get(overridePath())).text).toBe('null')
    const set = await put(overridePath(), { target_temperature: 24, until })
    expect(set).toMatchObject({ status: 200, json: { target_temperature: 24, until } })
    expect((await world.get(overridePath())).json).toEqual({ target_temperature: 24, until })
    await heating.settled()
    const { power, ...during } = await world.bathroom()
    expect(during).toMatchObject({ target_temperature: before.target_temperature, hvac_mode: 'heat' })
    expect(power).toBeGreaterThan(0.5)
    expect(await outlook()).toMatchObject({
      setpoint: 24,
      reason: 'override',
      until,
      next: { at: until, setpoint: 20 },
      heating: true,
    })
    world.clock.advance(2 * HOUR_MS)
    expect((await world.get(overridePath())).text).toBe('null')
    expect(await outlook()).toMatchObject({ setpoint: 20, reason: 'target', until: null, next: null })
    await live(1, 21)
    expect(await world.bathroom()).toMatchObject({ power: 0, hvac_action: 'idle' })
  })

  test('an override that switches off holds the room at zero power, and the room stays in its mode', async () => {
    await live(2, 15)
    expect((await world.bathroom()).power).toBeGreaterThan(0.3)
    const until = inHours(3)
    expect((await put(overridePath(), { hvac_mode: 'off', until })).json).toEqual({ hvac_mode: 'off', until })
    await heating.settled()
    expect(await world.bathroom()).toMatchObject({
      hvac_mode: 'heat',
      hvac_action: 'idle',
      power: 0,
      manual_power: { enabled: false },
    })
    expect(await outlook()).toMatchObject({ reason: 'off', until, heating: false, reached_at: null })
  })

  test('an override heats a room that is off, and gives it back as it was', async () => {
    await world.patch({ hvac_mode: 'off' })
    await put(overridePath(), { target_temperature: 23, until: inHours(1) })
    await live(2, 15)
    expect(await world.bathroom()).toMatchObject({ hvac_mode: 'off', hvac_action: 'heating' })
    world.clock.advance(HOUR_MS)
    await live(1, 15)
    expect(await world.bathroom()).toMatchObject({ hvac_mode: 'off', hvac_action: 'off', power: 0 })
  })

  test.each([
    { target_temperature: 21 },
    { hvac_mode: 'heat' },
    { hvac_mode: 'off' },
    { manual_power: { enabled: true, power: 0.3 } },
  ])('a PATCH of %j ends the override: the newest wish counts', async (patch) => {
    await put(overridePath(), { target_temperature: 25, until: inHours(5) })
    await world.patch(patch)
    expect((await world.get(overridePath())).text).toBe('null')
    expect((await outlook()).reason).not.toBe('override')
  })

  const bathroomScope = () => ({ buildingId: world.holder.buildingId, roomId: world.bathroomId })
  // Clocks in Oslo are an hour ahead in winter.
  const minuteIn = (hours: number) => `${inHours(hours).slice(0, 16)}:00.000Z`
  const nightFrom = async (hours: number) => {
    const at = (offsetH: number) => timestampOf(world.clock.now() + (offsetH + 1) * HOUR_MS).slice(11, 16)
    const night = { from: at(hours), to: at(hours + 8), setback: 3 }
    await changeRoom(world.store, world.clock, bathroomScope(), { night_mode: night })
  }

  test('a target that is set at night holds exactly until the next step, and is the base from then on', async () => {
    await nightFrom(-1)
    expect(await outlook()).toMatchObject({ setpoint: 17, reason: 'programme', until: minuteIn(7) })
    expect((await world.patch({ target_temperature: 22 })).json).toMatchObject({ target_temperature: 22 })
    expect(await outlook()).toMatchObject({ setpoint: 22, reason: 'target', until: minuteIn(23) })
    await live(2, 20)
    expect((await world.bathroom()).power).toBeGreaterThan(0.5)
    expect((await world.get(`${world.bathroomPath}/explanation`)).json.aim).toMatchObject({ target: 22 })
    expect((await world.get(overridePath())).text).toBe('null')
    world.clock.advance(24 * HOUR_MS)
    expect(await outlook()).toMatchObject({ setpoint: 19, reason: 'programme' })
  })

  test('the target of a room is dialled again at night: it is heated to, and the change log has it once', async () => {
    await nightFrom(-1)
    const entries = async () =>
      (await logOf(world.store, world.holder.buildingId)).filter(({ field }) => field === 'target_temperature')
    await world.patch({ target_temperature: 20 })
    expect(await outlook()).toMatchObject({ setpoint: 20, reason: 'target' })
    expect(await entries()).toHaveLength(1)
    world.clock.advance(9 * HOUR_MS)
    for (let time = 0; time < 2; time++) await world.patch({ target_temperature: 20 })
    expect((await entries()).map(({ after }) => (after as unknown[])[0])).toEqual([20, 20])
  })

  test('a target that is set in an absence holds until it ends', async () => {
    await nightFrom(-1)
    await put(awayPath(), { until: inHours(4), target_temperature: 15 })
    world.clock.advance(HOUR_MS)
    await world.patch({ target_temperature: 22 })
    expect(await outlook()).toMatchObject({ setpoint: 22, reason: 'target', until: inHours(3) })
    world.clock.advance(3 * HOUR_MS)
    expect(await outlook()).toMatchObject({ setpoint: 19, reason: 'programme' })
    await control()
    expect(await outlook()).toMatchObject({ setpoint: 19, reason: 'programme' })
  })

  test('a target that is set under an override ends it and holds until the next step', async () => {
    await nightFrom(-1)
    await put(overridePath(), { target_temperature: 25, until: inHours(3) })
    await world.patch({ target_temperature: 23 })
    expect((await world.get(overridePath())).text).toBe('null')
    expect(await outlook()).toMatchObject({ setpoint: 23, reason: 'target' })
    world.clock.advance(8 * HOUR_MS)
    expect(await outlook()).toMatchObject({ setpoint: 23, reason: 'target' })
  })

  test('lowering all rooms does not warm those that a programme has lowered further', async () => {
    await nightFrom(-1)
    await changeAllRooms(world.store, world.clock, world.holder.buildingId, 'lower')
    expect(await outlook()).toMatchObject({ setpoint: 16, reason: 'programme' })
  })

  test('a target that comes with a new plan is the base of that plan', async () => {
    await nightFrom(-1)
    const night = { from: '00:00', to: '23:59', setback: 2 }
    await changeRoom(world.store, world.clock, bathroomScope(), { target_temperature: 23, night_mode: night })
    expect(await outlook()).toMatchObject({ setpoint: 21, reason: 'programme' })
  })

  test('Matter and MQTT set a target for now, too', async () => {
    await nightFrom(-1)
    const matter = new BuildingRooms(world.store, world.clock, { silentAfterS: 300 }, world.holder.buildingId)
    await matter.patch(world.bathroomId, { target_temperature: 21.5 })
    expect(await outlook()).toMatchObject({ setpoint: 21.5, reason: 'target' })
  })

  test.each([{ name: 'Bath' }, { preset_mode: 'low' }, { manual_power: {} }, {}])(
    'a PATCH of %j leaves the override',
    async (patch) => {
      const until = inHours(5)
      await put(overridePath(), { target_temperature: 25, until })
      expect((await world.patch(patch)).status).toBe(200)
      expect((await world.get(overridePath())).json).toEqual({ target_temperature: 25, until })
    },
  )

  test('DELETE ends an override and answers null, also when there is none', async () => {
    await put(overridePath(), { target_temperature: 25, until: inHours(5) })
    for (let time = 0; time < 2; time++)
      expect(await remove(overridePath())).toMatchObject({ status: 200, text: 'null' })
    expect((await world.get(overridePath())).text).toBe('null')
  })

  test('hours of an override are counted by the clock of the service', async () => {
    const until = inHours(1.5)
    expect((await put(overridePath(), { target_temperature: 23, hours: 1.5 })).json).toEqual({
      target_temperature: 23,
      until,
    })
    expect(await outlook()).toMatchObject({ setpoint: 23, reason: 'override', until })
  })

  test('an absence without an end lasts until it is ended, and nothing is heated ahead for a return', async () => {
    const from = inHours(0)
    const open = { until: null, target_temperature: 15 }
    expect((await put(awayPath(), open)).json).toEqual({ from, ...open })
    expect(await outlook()).toMatchObject({ setpoint: 15, reason: 'away', until: null, next: null })
    await live(2, 18)
    expect(await world.bathroom()).toMatchObject({ power: 0 })
    world.clock.advance(400 * DAY_MS)
    await live(2, 18)
    expect((await world.get(awayPath())).json).toEqual({ from, ...open })
    expect(await outlook()).toMatchObject({ setpoint: 15, reason: 'away' })
    await world.patch({ target_temperature: 21 })
    expect(await outlook()).toMatchObject({ setpoint: 21, reason: 'target', until: null })
    await remove(awayPath())
    expect((await world.get(awayPath())).text).toBe('null')
    expect(await outlook()).toMatchObject({ setpoint: 21, reason: 'target' })
  })

  test('an absence lowers every setpoint between its two ends, and no target', async () => {
    const [from, until] = [inHours(5), inHours(77)]
    expect((await world.get(awayPath())).text).toBe('null')
    const set = await put(awayPath(), { from, until, target_temperature: 15 })
    expect(set).toMatchObject({ status: 200, json: { from, until, target_temperature: 15 } })
    expect((await world.get(awayPath())).json).toEqual({ from, until, target_temperature: 15 })
    expect(await outlook()).toMatchObject({
      setpoint: 20,
      reason: 'target',
      until: from,
      next: { at: from, setpoint: 15 },
    })
    world.clock.advance(6 * HOUR_MS)
    expect(await outlook()).toMatchObject({ setpoint: 15, reason: 'away', until, next: { at: until, setpoint: 20 } })
    expect((await world.bathroom()).target_temperature).toBe(20)
    expect(await remove(awayPath())).toMatchObject({ status: 200, text: 'null' })
    expect(await outlook()).toMatchObject({ setpoint: 20, reason: 'target', until: null })
    expect((await put(awayPath(), { until, target_temperature: 12 })).json).toMatchObject({
      from: timestampOf(world.clock.now()),
    })
    world.clock.advance(80 * HOUR_MS)
    expect((await world.get(awayPath())).text).toBe('null')
  })

  test('the outlook says when a setpoint will be reached, and is silent about it once it is', async () => {
    await live(60, 19)
    const { reached_at, setpoint, heating: isHeating } = await outlook()
    expect({ setpoint, isHeating }).toEqual({ setpoint: 20, isHeating: true })
    const aheadH = (Date.parse(reached_at) - world.clock.now()) / HOUR_MS
    expect(aheadH).toBeGreaterThan(0.4)
    expect(aheadH).toBeLessThan(16)
    await live(60, 20.1)
    expect(await outlook()).toMatchObject({ reached_at: null, setpoint: 20 })
  })

  const refusals = (): { path: string; body: unknown; code: string; about: RegExp }[] => [
    { path: overridePath(), body: {}, code: 'invalid_value', about: /target_temperature or hvac_mode/ },
    {
      path: overridePath(),
      body: { until: inHours(1) },
      code: 'invalid_value',
      about: /target_temperature or hvac_mode/,
    },
    ...[{}, { until: inHours(1), hours: 1 }].map((end) => ({
      path: overridePath(),
      body: { target_temperature: 22, ...end },
      code: 'invalid_value',
      about: /Either until or hours/,
    })),
    {
      path: overridePath(),
      body: { target_temperature: 22, hours: 0 },
      code: 'invalid_value',
      about: /hours must be at least/,
    },
    {
      path: overridePath(),
      body: { target_temperature: 22, hvac_mode: 'off', until: inHours(1) },
      code: 'invalid_value',
      about: /target_temperature or hvac_mode/,
    },
    {
      path: overridePath(),
      body: { target_temperature: 36, until: inHours(1) },
      code: 'invalid_value',
      about: /target_temperature must be at most 35/,
    },
    { path: overridePath(), body: { hvac_mode: 'heat', until: inHours(1) }, code: 'invalid_value', about: /hvac_mode/ },
    {
      path: overridePath(),
      body: { target_temperature: 22, until: inHours(-1) },
      code: 'invalid_value',
      about: /until must be in the future/,
    },
    {
      path: overridePath(),
      body: { target_temperature: 22, until: inHours(24 * 367) },
      code: 'invalid_value',
      about: /until must be at most a year ahead/,
    },
    {
      path: overridePath(),
      body: { target_temperature: 22, until: '2026-02-30T10:00:00Z' },
      code: 'invalid_value',
      about: /until must/,
    },
    {
      path: overridePath(),
      body: { target_temperature: 22, until: 'tomorrow' },
      code: 'invalid_value',
      about: /until/,
    },
    {
      path: overridePath(),
      body: { target_temperature: 22, until: inHours(1), power: 1 },
      code: 'unknown_field',
      about: /power/,
    },
    { path: overridePath(), body: [], code: 'invalid_body', about: /object/ },
    { path: awayPath(), body: { until: inHours(1) }, code: 'invalid_value', about: /target_temperature is missing/ },
    {
      path: awayPath(),
      body: { until: inHours(1), target_temperature: 4 },
      code: 'invalid_value',
      about: /target_temperature must be at least 5/,
    },
    {
      path: awayPath(),
      body: { from: inHours(2), until: inHours(1), target_temperature: 15 },
      code: 'invalid_value',
      about: /until must be later than from/,
    },
    {
      path: awayPath(),
      body: { until: inHours(-1), target_temperature: 15 },
      code: 'invalid_value',
      about: /until must be in the future/,
    },
    {
      path: awayPath(),
      body: { until: inHours(1), target_temperature: 15, rooms: [] },
      code: 'unknown_field',
      about: /rooms/,
    },
  ]

  test('what cannot be meant is refused with the field and the rule, and changes nothing', async () => {
    for (const { path, body, code, about } of refusals()) {
      const answer = await put(path, body)
      expect(answer.status, JSON.stringify(body)).toBe(400)
      expect(answer.json.error.code).toBe(code)
      expect(answer.json.error.message).toMatch(about)
    }
    expect((await world.get(overridePath())).text).toBe('null')
    expect((await world.get(awayPath())).text).toBe('null')
  })

  test('a time without a fraction of a second is understood, and answered with milliseconds', async () => {
    const until = inHours(1).replace('.000Z', 'Z')
    expect((await put(overridePath(), { target_temperature: 22, until })).json).toEqual({
      target_temperature: 22,
      until: inHours(1),
    })
    expect((await put(overridePath(), { target_temperature: 22, until: inHours(365 * 24) })).status).toBe(200)
  })

  test('every answer has an ETag that changes with it, and a read-only key may only look', async () => {
    const { headers } = await world.get(overridePath())
    expect((await world.get(overridePath(), { headers: { 'if-none-match': headers.etag ?? '' } })).status).toBe(304)
    const set = await put(overridePath(), { target_temperature: 22, until: inHours(1) })
    expect(set.headers.etag).not.toBe(headers.etag)
    expect((await world.get(overridePath())).headers.etag).toBe(set.headers.etag)
    for (const path of [overridePath(), awayPath()]) {
      expect((await put(path, {}, world.holder.readKey)).json.error.code).toBe('read_only_key')
      expect((await remove(path, world.holder.readKey)).json.error.code).toBe('read_only_key')
    }
  })

  test('of an override and an absence, the one that was set later counts', async () => {
    await put(overridePath(), { target_temperature: 23, until: inHours(10) })
    world.clock.advance(HOUR_MS)
    await put(awayPath(), { until: inHours(48), target_temperature: 15 })
    expect(await outlook()).toMatchObject({ setpoint: 15, reason: 'away' })
    world.clock.advance(HOUR_MS)
    const until = inHours(1)
    await put(overridePath(), { target_temperature: 22, until })
    expect(await outlook()).toMatchObject({
      setpoint: 22,
      reason: 'override',
      until,
      next: { at: until, setpoint: 15 },
    })
  })

  test('a room heats before the return, so that it is warm by then', async () => {
    await put(awayPath(), { until: timestampOf(world.clock.now() + 2 * DAY_MS), target_temperature: 15 })
    world.clock.advance(2 * DAY_MS - 3 * HOUR_MS)
    await live(5, 16)
    expect(await world.bathroom()).toMatchObject({ hvac_action: 'heating' })
    expect(await outlook()).toMatchObject({ setpoint: 15, reason: 'away', heating: true })
  })
})
