import { DAY_MS, HOUR_MS, MINUTE_MS, timestampOf } from '@hypocaust/domain'
import { openSite, signedIn } from '@hypocaust/testing/browser.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { BATHROOM_SENSOR } from '@hypocaust/testing/houses.ts'
import type { World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { countAir } from '../src/house/air/count.ts'
import { readInputs, stepInputsOf } from '../src/house/heating/inputs.ts'
import { sensorIdsOf } from '../src/house/sensors.ts'
import { placeKey } from '../src/house/weather/weather.ts'
import { messageOf } from '../src/people/alerts/words.ts'

const DAYS_H = 120
const DAMP = { temperatureC: 19, humidityPct: 66 }
const DRY = { temperatureC: 21, humidityPct: 38 }

describe.each(ENGINES)('the air of a room on %s', (engine) => {
  let world: World
  beforeAll(async () => {
    world = await openSite(engine)
  })
  afterAll(() => world.close())
  beforeEach(async () => {
    const { db } = world.store
    await world.store.batch([
      ...[db.deleteFrom('readings'), db.deleteFrom('decisions'), db.deleteFrom('forecasts'), db.deleteFrom('alerts')],
      db.updateTable('rooms').set({ surfaceRecord: null, surfaceFactor: 0.7, mouldWarmingK: 0 }),
    ])
    await world.reset()
    world.clock.startOver()
    await world.gatewaysReport()
  })

  const now = () => world.clock.now()
  const air = async () => (await world.get(`${world.bathroomPath}/air`)).json
  const count = () => countAir(world.store, world.bathroomId, now())
  const settings = (columns: { surfaceFactor?: number; mouldWarmingK?: number; surfaceRecord?: string }) =>
    world.store.db.updateTable('rooms').set(columns).where('id', '=', world.bathroomId).execute()

  /** What the law is to do against mould. */
  async function aimed() {
    const inputs = await readInputs(world.store, world.holder.buildingId, now())
    const room = inputs?.rooms.find(({ id }) => id === world.bathroomId)
    return inputs && room && stepInputsOf(inputs, { silentAfterS: 300 }, now())(room).settings.mould
  }

  async function recorded() {
    const room = world.store.db.selectFrom('rooms').select('surfaceRecord').where('id', '=', world.bathroomId)
    return JSON.parse((await room.executeTakeFirstOrThrow()).surfaceRecord ?? 'null')
  }

  /** A reading and a decision every half hour up to now, at −5° outdoors. */
  async function live(hours: number, reading: typeof DAMP, outdoorC: number | null = -5): Promise<void> {
    const { db } = world.store
    const sensorId = (await sensorIdsOf(world.store, world.holder.buildingId)).get(BATHROOM_SENSOR) ?? ''
    const times = Array.from({ length: 2 * hours }, (_, i) => now() - i * 30 * MINUTE_MS)
    const [buildingId, roomId] = [world.holder.buildingId, world.bathroomId]
    await world.store.batch([
      db.insertInto('readings').values(times.map((measuredAt) => ({ buildingId, sensorId, measuredAt, ...reading }))),
      db.insertInto('decisions').values(
        times.map((decidedAt) => ({
          ...{ roomId, decidedAt, power: 0, targetC: 20 },
          decision: JSON.stringify({ outdoorC, notices: [], caps: [], air: null, power: 0 }),
        })),
      ),
    ])
    await world.report(BATHROOM_SENSOR, reading)
  }

  /** The same every hour, now and for two days. */
  async function outdoors(temperatureC: number, humidityPct: number | null): Promise<void> {
    const startMs = now() - (now() % HOUR_MS)
    const hourly = Array.from({ length: 48 }, () => ({ outdoorC: temperatureC, cloudPct: 50, windMs: 3, solarWm2: 0 }))
    const forecast = JSON.stringify({
      startMs,
      hourly,
      ...(humidityPct !== null && { humidityPct: hourly.map(() => humidityPct) }),
    })
    const place = await world.store.db
      .selectFrom('buildings')
      .select(['lat', 'lng'])
      .where('id', '=', world.holder.buildingId)
      .executeTakeFirstOrThrow()
    await world.store.db
      .insertInto('forecasts')
      .values({ place: placeKey(place), updatedAt: now(), dueAt: now(), forecast })
      .execute()
  }

  const alert = async () =>
    (await world.get(`${world.buildingPath}/alerts`)).json.find(({ kind }: { kind: string }) => kind === 'mould_risk')

  test('has dew point and water of the last reading, and nothing where no humidity is measured', async () => {
    await world.report(BATHROOM_SENSOR, { temperatureC: 20, humidityPct: 50 })
    expect(await air()).toMatchObject({
      ...{ temperature: 20, humidity: 50, dew_point: 9.3, absolute_humidity: 8.6 },
      ...{ surface_factor: 0.7, surface_humidity: null, mould_risk: null, airing: null, warmed_by: 0 },
    })
    await world.report(BATHROOM_SENSOR, { temperatureC: 20 })
    expect(await air()).toMatchObject({ temperature: 20, humidity: null, dew_point: null, absolute_humidity: null })
    world.clock.advance(2 * HOUR_MS)
    expect(await air()).toMatchObject({ temperature: null })
    expect((await world.get(`${world.roomsPath}/019bb0f4-6e01-7d21-8a44-5b0c9e1f2a3b/air`)).status).toBe(404)
  })

  test('is at risk after damp days, with an alert that says for how long to air', async () => {
    await live(DAYS_H, DAMP)
    await outdoors(-5, 85)
    await count()
    expect(await air()).toMatchObject({
      ...{ mould_risk: 'high', damp_hours: 24, surface_temperature: 11.8 },
      airing: { advice: 'now', minutes: 5, from: null },
    })
    const raised = await alert()
    expect(raised).toMatchObject({ room_id: world.bathroomId, value: 24, airing: { advice: 'now', minutes: 5 } })
    expect(messageOf('en', raised, 'began', 'Europe/Oslo').body).toContain('for 24 hours a day. Airing helps now')
    expect(messageOf('de', raised, 'began', 'Europe/Oslo').body).toContain('Öffne die Fenster 5 Minuten lang weit')
  })

  test('is not at risk after dry days', async () => {
    await live(DAYS_H, DRY)
    await count()
    expect(await air()).toMatchObject({ mould_risk: 'low', damp_hours: 0 })
    expect(await alert()).toBeUndefined()
  })

  test('is not aired when the air outdoors is more humid, nor is anything said where that is not known', async () => {
    await live(DAYS_H, DAMP)
    await outdoors(24, 80)
    await count()
    expect((await air()).airing).toEqual({ advice: 'no', minutes: null, from: null })
    expect(messageOf('en', await alert(), 'began', 'Europe/Oslo').body).toContain(
      'Airing does not help in this weather',
    )
    await world.store.db.deleteFrom('forecasts').execute()
    await outdoors(-5, null)
    world.clock.advance(MINUTE_MS + 1)
    expect((await air()).airing).toBeNull()
  })

  test('is followed on from where it was counted last, and anew with another factor', async () => {
    await live(DAYS_H, DAMP)
    await count()
    const first = await air()
    await count()
    expect(await air()).toEqual(first)
    await settings({ surfaceFactor: 0.95 })
    world.clock.advance(MINUTE_MS + 1)
    expect(await air()).toMatchObject({ surface_factor: 0.95, mould_risk: null, damp_hours: null })
    await count()
    world.clock.advance(MINUTE_MS + 1)
    expect(await air()).toMatchObject({ mould_risk: 'low', damp_hours: 0 })
  })

  test('without outdoor temperatures nothing is counted', async () => {
    await live(DAYS_H, DAMP, null)
    await count()
    expect(await air()).toMatchObject({ mould_risk: null, damp_hours: null, surface_humidity: null })
  })

  test('only a room that may be warmed against mould and is at risk is, by at most what was chosen', async () => {
    await live(DAYS_H, DAMP)
    await count()
    expect(await aimed()).toBeUndefined()
    await settings({ mouldWarmingK: 0.8 })
    expect(await aimed()).toEqual({ dryAtC: expect.any(Number), mostK: 0.8 })
    await world.patch({ target_temperature: 19 })
    expect(await air()).toMatchObject({ warmed_by: 0.8 })
    // What a panel shows and dials stays the setpoint of people and programme.
    expect((await world.get(`${world.bathroomPath}/outlook`)).json.setpoint).toBe(19)
    await settings({ surfaceFactor: 0.95 })
    await count()
    expect(await aimed()).toBeUndefined()
  })

  test('what was counted counts for two days: a sensor that has died keeps no room warm, nor its risk on the page', async () => {
    await live(DAYS_H, DAMP)
    await count()
    await settings({ mouldWarmingK: 0.8 })
    world.clock.advance(DAY_MS)
    await world.report(BATHROOM_SENSOR, { temperatureC: 19 })
    expect(await aimed()).toBeDefined()
    expect(await air()).toMatchObject({ mould_risk: 'high' })
    world.clock.advance(DAY_MS + HOUR_MS)
    await world.report(BATHROOM_SENSOR, { temperatureC: 19 })
    await count()
    expect(await aimed()).toBeUndefined()
    expect(await air()).toMatchObject({ mould_risk: null, damp_hours: null, warmed_by: 0 })
  })

  test('what was counted while the clock was ahead is counted anew', async () => {
    await live(DAYS_H, DAMP)
    await count()
    const record = { ...(await recorded()), untilMs: now() + 30 * DAY_MS, dampShare: 0 }
    await settings({ surfaceRecord: JSON.stringify(record) })
    await count()
    expect(await air()).toMatchObject({ mould_risk: 'high' })
  })

  test('days that were missed are counted once the sensor reports again', async () => {
    await live(DAYS_H, DAMP)
    world.clock.advance(DAY_MS + 2 * HOUR_MS)
    await count()
    expect(await recorded()).toBeNull()
    await live(1, DAMP)
    world.clock.advance(HOUR_MS)
    await count()
    expect((await recorded()).knownH).toBeGreaterThan(100)
  })

  test('is in the history, the table and the state', async () => {
    await live(4, DAMP)
    const [from, to] = [timestampOf(now() - 2 * HOUR_MS), timestampOf(now())]
    const { points } = (await world.get(`${world.bathroomPath}/history?from=${from}&to=${to}`)).json
    const known = points.filter(({ humidity }: { humidity: number | null }) => humidity !== null)
    expect(known[0]).toMatchObject({ humidity: 66, dew_point: 12.5, surface_humidity: expect.any(Number) })
    const ada = await signedIn(world)
    const csv = await ada.call(
      'GET',
      `/app/rooms/${world.bathroomId}/history.csv?from=${Math.round(now() / 1000) - 7200}&to=${Math.round(now() / 1000)}`,
    )
    expect(csv.text.split('\n')[0]).toBe(
      'time,temperature,temperature_min,temperature_max,humidity,target,power,outdoor,dew_point,surface_humidity',
    )
    expect((await ada.call('GET', `/app/rooms/${world.bathroomId}/air`)).json).toEqual(await air())
    const { json } = await world.get(`${world.buildingPath}/state`)
    expect(json.air[world.bathroomId]).toEqual(await air())
  })
})
