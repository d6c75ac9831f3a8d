import { DAY_MS, HOUR_MS } from '@hypocaust/domain'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { heatingOf } from '@hypocaust/testing/heating.ts'
import { BATHROOM_SENSOR } from '@hypocaust/testing/houses.ts'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

describe.each(ENGINES)('what is behind a room, on %s', (engine) => {
  let world: World
  beforeAll(async () => {
    world = await openWorld(engine)
  })
  afterAll(() => world.close())

  const iso = (ms: number) => new Date(ms).toISOString()
  const historyPath = (from: string, to: string) => `${world.bathroomPath}/history?${new URLSearchParams({ from, to })}`

  test('the explanation is null until something has been decided, and then the decision with a sentence', async () => {
    const path = `${world.bathroomPath}/explanation`
    const before = await world.get(path)
    expect([before.status, before.text]).toEqual([200, 'null'])
    expect(before.headers['content-type']).toMatch(/^application\/json/)
    await world.heartbeat(world.holder.gatewayIds[0])
    await world.report(BATHROOM_SENSOR, { temperatureC: 17 })
    const { clock, holder } = world
    const heating = heatingOf(world)
    await heating.control(holder.buildingId)
    const { status, json } = await world.get(path)
    expect(status).toBe(200)
    expect(json).toMatchObject({ decided_at: iso(clock.now()), mode: 'heat', measured: { temperature: 17 } })
    expect(json.sentence).toMatch(/\w/)
  })

  test('the history has a point a step, and null where nothing is known', async () => {
    const toMs = Math.floor(world.clock.now() / HOUR_MS) * HOUR_MS + HOUR_MS
    const { status, json } = await world.get(historyPath(iso(toMs - 2 * HOUR_MS), iso(toMs)))
    expect([status, json.step_s, json.points.length]).toEqual([200, 300, 24])
    expect(json.points[0]).toEqual({
      at: iso(toMs - 2 * HOUR_MS),
      time: iso(toMs - 2 * HOUR_MS),
      temperature: null,
      humidity: null,
      power: null,
      setpoint: null,
      outdoor_temperature: null,
      dew_point: null,
      surface_humidity: null,
    })
    expect(json.points.some(({ setpoint }: { setpoint: number | null }) => setpoint === 20)).toBe(true)
  })

  test('a year is the longest history', async () => {
    const nowMs = world.clock.now()
    expect((await world.get(historyPath(iso(nowMs - 365 * DAY_MS), iso(nowMs)))).status).toBe(200)
    const { status, json } = await world.get(historyPath(iso(nowMs - 366 * DAY_MS), iso(nowMs)))
    expect([status, json.error]).toEqual([400, { code: 'invalid_value', message: 'to must be within a year of from.' }])
  })

  test.each([
    ['?from=2026-01-09T00:00:00Z', 'invalid_value', 'to is missing.'],
    ['?from=yesterday&to=2026-01-10T00:00:00Z', 'invalid_value', 'from must be a time as'],
    ['?from=2026-01-09T00:00:00%2B25:00&to=2026-01-10T00:00:00Z', 'invalid_value', 'from must be a time as'],
    ['?from=2026-13-09T00:00:00Z&to=2026-01-10T00:00:00Z', 'invalid_value', 'from must be a time as'],
    ['?from=2026-01-10T00:00:00Z&to=2026-01-10T00:00:00Z', 'invalid_value', 'to must be later than from.'],
    ['?from=2026-01-09T00:00:00Z&to=2026-01-10T00:00:00Z&step=60', 'unknown_field', 'step'],
  ])('the query %s is refused: %s', async (query, code, message) => {
    const { status, json } = await world.get(`${world.bathroomPath}/history${query}`)
    expect([status, json.error.code]).toEqual([400, code])
    expect(json.error.message).toContain(message)
  })

  test('the alerts of a building are its own, and nobody else’s', async () => {
    await world.report(BATHROOM_SENSOR, { temperatureC: 21, batteryPct: 4 })
    const { status, json } = await world.get(`${world.buildingPath}/alerts`)
    expect(status).toBe(200)
    expect(json).toContainEqual(
      expect.objectContaining({ kind: 'battery_low', room_id: world.bathroomId, room: 'Bathroom', value: 4 }),
    )
    const stranger = await world.get(`${world.buildingPath}/alerts`, { key: world.stranger.readKey })
    expect(stranger.json.error.message).toBe(`No such building: ${world.holder.buildingId}`)
  })
})
