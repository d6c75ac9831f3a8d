import { type Browser, openSite, signedIn } from '@hypocaust/testing/browser.ts'
import { MINUTE_MS } from '@hypocaust/testing/clock.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { BATHROOM_SENSOR } from '@hypocaust/testing/houses.ts'
import type { World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { historyOf, stepFor } from '../src/house/readings/history.ts'
import { rollUp } from '../src/house/readings/roll-up.ts'
import { newSensorId } from '../src/house/sensors.ts'

describe.each(ENGINES)('the history of a room on %s', (engine) => {
  const DAY_MS = 86_400_000
  let world: World
  let ada: Browser
  beforeAll(async () => {
    world = await openSite(engine)
    ada = await signedIn(world)
  })
  afterAll(() => world.close())

  const startMs = Date.parse('2026-01-01T00:00:00.000Z')
  const room = () => ({ id: world.bathroomId, sensorId: BATHROOM_SENSOR })

  async function fill(hours: number): Promise<void> {
    const base = {
      buildingId: world.holder.buildingId,
      sensorId: newSensorId(world.holder.buildingId, BATHROOM_SENSOR),
    }
    const rows = Array.from({ length: hours * 60 }, (_, i) => ({
      ...base,
      measuredAt: startMs + i * MINUTE_MS,
      temperatureC: 20 + (i % 3),
      humidityPct: i % 2 === 0 ? 40 : null,
    }))
    for (let i = 0; i < rows.length; i += 500)
      await world.store.db
        .insertInto('readings')
        .values(rows.slice(i, i + 500))
        .execute()
  }

  function decide(atMs: number, power: number, targetC: number, outdoorC: number) {
    return world.store.db
      .insertInto('decisions')
      .values({ roomId: world.bathroomId, decidedAt: atMs, power, targetC, decision: JSON.stringify({ outdoorC }) })
      .execute()
  }

  test('the mean, the extremes and the humidity of a step are the same before and after rolling up', async () => {
    await fill(12)
    const span = { fromMs: startMs, toMs: startMs + 3 * DAY_MS }
    const before = await historyOf(world.store, room(), span)
    expect(before.step_s).toBe(600)
    expect([before.temperature[0], before.temperature_min[0], before.temperature_max[0], before.humidity[0]]).toEqual([
      20.9, 20, 22, 40,
    ])
    const retention = { rawDays: 1, fiveMinuteDays: 92, hourlyDays: 0, decisionDays: 365 }
    while (await rollUp(world.store, startMs + 5 * DAY_MS, retention)) {}
    expect(await world.store.db.selectFrom('readings').select('sensorId').execute()).toEqual([])
    expect(await historyOf(world.store, room(), span)).toEqual(before)
  })

  test('power and outdoors are averaged over a step, a setpoint is one that was set, and a time without decisions has no values', async () => {
    const at = startMs + 20 * DAY_MS
    await decide(at, 0.2, 21, -3)
    await decide(at + 5 * MINUTE_MS, 0.6, 19, -4)
    const history = await historyOf(world.store, room(), { fromMs: at, toMs: at + 3 * DAY_MS })
    expect([history.power[0], history.target[0], history.outdoor[0]]).toEqual([0.4, 19, -3.5])
    expect([history.power[3], history.target[3]]).toEqual([0.6, 19])
    expect(history.power[12]).toBeNull()
  })

  test('two hours at full power are no full day of it', async () => {
    const at = startMs + 40 * DAY_MS
    for (let minutes = 0; minutes < 120; minutes += 30) await decide(at + minutes * MINUTE_MS, 1, 21, -3)
    const history = await historyOf(world.store, room(), { fromMs: at, toMs: at + 366 * DAY_MS })
    // The last decision is taken to hold for an hour.
    expect(history.power[0]).toBeCloseTo(2.5 / 24, 3)
  })

  test('a year has few enough points for a phone', () => {
    for (const days of [1, 2, 7, 10, 31, 45, 92, 366]) {
      const points = (days * DAY_MS) / stepFor({ fromMs: 0, toMs: days * DAY_MS })
      expect(points).toBeLessThanOrEqual(1500)
      expect(points).toBeGreaterThan(100)
    }
  })

  test('the same as a file for a spreadsheet, without lines that tell nothing', async () => {
    const from = startMs / 1000
    const csv = await ada.call('GET', `/app/rooms/${world.bathroomId}/history.csv?from=${from}&to=${from + 86_400}`)
    const lines = csv.text.trim().split('\n')
    expect(lines[0]).toBe(
      'time,temperature,temperature_min,temperature_max,humidity,target,power,outdoor,dew_point,surface_humidity',
    )
    expect(lines[1]).toMatch(/^2026-01-01T00:00:00\.000Z,\d+\.\d+,20,22,40,,,,6\.\d,$/)
    expect(lines.length).toBeLessThan(500)
  })

  test('a span that ends before it begins is refused', async () => {
    const answer = await ada.call('GET', `/app/rooms/${world.bathroomId}/history?from=100&to=50`)
    expect(answer.json.error.code).toBe('invalid_value')
  })
})
