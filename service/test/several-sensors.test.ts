import { HOUR_MS, READING_STALE_AFTER_MS, timestampOf } from '@hypocaust/domain'
import { type Browser, openSite, signedIn } from '@hypocaust/testing/browser.ts'
import { MINUTE_MS } from '@hypocaust/testing/clock.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { BATHROOM_SENSOR, LIVING_ROOM_SENSOR, STRANGERS_SENSOR } from '@hypocaust/testing/houses.ts'
import { runs } from '@hypocaust/testing/runs.ts'
import type { World } from '@hypocaust/testing/world.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { nextConfig } from '../src/house/gateways/config.ts'
import { gatewayValvesOf, withCircumstances } from '../src/house/gateways/valves.ts'
import { readInputs, stepInputsOf } from '../src/house/heating/inputs.ts'
import { readingsOf } from '../src/house/loops/advance-runs.ts'
import { historyOf } from '../src/house/readings/history.ts'
import { combined } from '../src/house/room-sensors.ts'
import { sensorIdsOf } from '../src/house/sensors.ts'
import { judge } from '../src/people/alerts/judge.ts'
import { overviewOf } from '../src/people/alerts/overview.ts'
import { factsOf } from '../src/people/alerts/read-facts.ts'

const reading = (temperatureC: number | null, measuredAt: number | null, weight = 1) => ({
  temperatureC,
  humidityPct: null,
  measuredAt,
  weight,
})

describe('one reading of several sensors', () => {
  test('is their mean by weight, or the coldest, and as old as the newest', () => {
    const two = [reading(20, 1000), reading(23, 3000, 2)]
    expect(combined('mean', two)).toEqual({ temperatureC: 22, humidityPct: null, measuredAt: 3000, coldestC: 20 })
    expect(combined('coldest', two)).toEqual({ temperatureC: 20, humidityPct: null, measuredAt: 3000, coldestC: 20 })
  })

  test('leaves out a sensor that has been silent for more than an hour', () => {
    const silent = reading(5, 0)
    expect(combined('coldest', [silent, reading(21, READING_STALE_AFTER_MS)]).temperatureC).toBe(5)
    expect(combined('coldest', [silent, reading(21, READING_STALE_AFTER_MS + 1)]).temperatureC).toBe(21)
    expect(combined('mean', [reading(null, null), reading(21, 5)]).temperatureC).toBe(21)
    expect(combined('mean', [reading(null, null)]).measuredAt).toBeNull()
  })

  test('the dew point of the coldest place goes by the humidity of that place', () => {
    const [cold, warm] = [
      { ...reading(18, 1), humidityPct: 70 },
      { ...reading(22, 1), humidityPct: 50 },
    ]
    expect(combined('coldest', [warm, cold]).humidityPct).toBe(70)
    expect(combined('mean', [warm, cold]).humidityPct).toBe(60)
  })

  test('lies between the coldest and the warmest, whatever the order and the weights', () => {
    const sensor = fc.record({
      temperatureC: fc.integer({ min: -400, max: 850 }).map((tenths) => tenths / 10),
      humidityPct: fc.option(fc.integer({ min: 0, max: 100 })),
      measuredAt: fc.integer({ min: 0, max: 2 * READING_STALE_AFTER_MS }),
      weight: fc.integer({ min: 1, max: 100 }).map((tenths) => tenths / 10),
    })
    fc.assert(
      fc.property(fc.array(sensor, { minLength: 1, maxLength: 8 }), (sensors) => {
        const { temperatureC, measuredAt } = combined('mean', sensors)
        const all = sensors.map((each) => each.temperatureC)
        expect(temperatureC).toBeGreaterThanOrEqual(Math.min(...all) - 0.01)
        expect(temperatureC).toBeLessThanOrEqual(Math.max(...all) + 0.01)
        expect(measuredAt).toBe(Math.max(...sensors.map((each) => each.measuredAt)))
        expect(combined('mean', sensors.toReversed()).temperatureC).toBeCloseTo(temperatureC ?? Number.NaN, 1)
        expect(combined('coldest', sensors.toReversed())).toMatchObject({
          temperatureC: combined('coldest', sensors).temperatureC,
        })
      }),
      { numRuns: runs(300) },
    )
  })
})

describe.each(ENGINES)('a room with several sensors on %s', (engine) => {
  let world: World
  let ada: Browser
  beforeAll(async () => {
    world = await openSite(engine)
    ada = await signedIn(world)
  })
  afterAll(() => world.close())
  beforeEach(async () => {
    const { db } = world.store
    await world.store.batch([
      db.deleteFrom('readings'),
      db.deleteFrom('formerSensors'),
      db.updateTable('rooms').set({ otherSensors: null }),
    ])
    await world.reset()
    world.clock.startOver()
    await world.gatewaysReport()
  })

  const now = () => world.clock.now()
  const change = (patch: object) => ada.call('PATCH', `/app/rooms/${world.bathroomId}`, patch)
  const both = (use: 'mean' | 'coldest', weight = 1) =>
    change({ other_sensors: { use, sensors: [{ id: LIVING_ROOM_SENSOR.toUpperCase(), weight }] } })
  const shown = async () => (await ada.call('GET', '/app/buildings')).json[0].rooms[0]
  const inputs = async () => {
    const read = await readInputs(world.store, world.holder.buildingId, now())
    const room = read?.rooms.find(({ id }) => id === world.bathroomId)
    if (!read || !room) throw new Error('no inputs')
    return { room, step: stepInputsOf(read, { silentAfterS: 300 }, now())(room) }
  }

  test('shows their mean, and under sensor_id still the first one', async () => {
    expect((await both('mean', 3)).status).toBe(200)
    await world.report(BATHROOM_SENSOR, { temperatureC: 20, humidityPct: 40 })
    await world.report(LIVING_ROOM_SENSOR, { temperatureC: 22, humidityPct: 60 })
    expect(await world.bathroom()).toMatchObject({
      current_temperature: 21.5,
      current_humidity: 55,
      sensor_id: BATHROOM_SENSOR,
      sensor: { id: BATHROOM_SENSOR, temperature: 20, humidity: 40 },
    })
    expect((await world.get(world.roomsPath)).json[0].current_temperature).toBe(21.5)
    expect((await world.get(`${world.buildingPath}/state`)).json.rooms[0].current_temperature).toBe(21.5)
    expect((await world.get(`${world.bathroomPath}/air`)).json).toMatchObject({ temperature: 21.5, humidity: 55 })
    expect((await shown()).other_readings).toMatchObject([{ id: LIVING_ROOM_SENSOR, temperature: 22 }])
    expect((await inputs()).step.air).toMatchObject({ kind: 'fresh', airC: 21.5 })
    await world.report(LIVING_ROOM_SENSOR, { temperatureC: 24, humidityPct: 60 })
    await world.report(BATHROOM_SENSOR, { temperatureC: 19, humidityPct: 40 })
    const [line] = await overviewOf(world.store, world.holder.accountId, { silentAfterS: 300 }, now())
    expect(line?.coldest).toEqual({ room: 'Bathroom', temperature: 23 })
  })

  test('goes on by the others when one falls silent, and by the first alone when the others never spoke', async () => {
    await both('mean')
    await world.report(BATHROOM_SENSOR, { temperatureC: 20 })
    expect((await world.bathroom()).current_temperature).toBe(20)
    world.clock.advance(2 * HOUR_MS)
    await world.gatewaysReport()
    expect((await world.bathroom()).current_temperature).toBeNull()
    await world.report(LIVING_ROOM_SENSOR, { temperatureC: 22 })
    expect(await world.bathroom()).toMatchObject({ current_temperature: 22, sensor: { temperature: 20 } })
    expect((await inputs()).step.air).toMatchObject({ kind: 'fresh', airC: 22, ageS: 0 })
  })

  test('is protected against frost where it is coldest, by the gateway and by the control', async () => {
    await both('mean')
    await world.report(BATHROOM_SENSOR, { temperatureC: 12 })
    await world.report(LIVING_ROOM_SENSOR, { temperatureC: 4 })
    const { step } = await inputs()
    expect([step.air, step.coldestC]).toMatchObject([{ airC: 8 }, 4])
    const [cellar] = (await gatewayValvesOf(world.store, world.holder.buildingId)).filter(
      ({ valves }) => valves.length > 0,
    )
    if (!cellar) throw new Error('no gateway')
    expect(nextConfig(world.store, cellar).config.sensors).toEqual({
      1: [BATHROOM_SENSOR, LIVING_ROOM_SENSOR],
      2: [LIVING_ROOM_SENSOR],
    })
    expect(withCircumstances([{ channel: 1, power: 0, window_s: 900 }], cellar, 0)[0]?.headroom_k).toBe(12.5)
  })

  test('each of its sensors is looked after, though the room goes on by the others', async () => {
    await both('mean')
    const facts = async () => {
      const [building] = await factsOf(world.store, [world.holder.buildingId], now())
      return building?.rooms.find(({ id }) => id === world.bathroomId)
    }
    await world.report(BATHROOM_SENSOR, { temperatureC: 20, batteryPct: 80 })
    expect(await facts()).toMatchObject({ allHeardAt: null, batteryPct: 80 })
    const heardAt = now()
    world.clock.advance(13 * HOUR_MS)
    await world.report(LIVING_ROOM_SENSOR, { temperatureC: 22, batteryPct: 9 })
    expect(await facts()).toMatchObject({ allHeardAt: heardAt, measuredAt: now(), batteryPct: 9 })
    const silent = async () => {
      const [building] = await factsOf(world.store, [world.holder.buildingId], now())
      if (!building) throw new Error('no building')
      const verdicts = judge(building, { nowMs: now(), silentAfterS: 300, open: new Set() })
      return verdicts.find(({ alert }) => alert.kind === 'sensor_silent' && alert.room_id === world.bathroomId)
    }
    await world.gatewaysReport()
    expect(await silent()).toMatchObject({ state: 'holds', alert: { since: timestampOf(heardAt) } })
    await world.report(BATHROOM_SENSOR, { temperatureC: 20 })
    expect(await silent()).toMatchObject({ state: 'gone' })
  })

  test('a loop is looked for by one of its sensors, the first that is heard', () => {
    const room = {
      sensorAddress: BATHROOM_SENSOR,
      otherSensors: JSON.stringify({ use: 'mean', sensors: [{ id: LIVING_ROOM_SENSOR }] }),
    }
    const [first, second] = [{ address: BATHROOM_SENSOR }, { address: LIVING_ROOM_SENSOR }]
    expect(readingsOf(room, [second, first, second])).toEqual([first])
    expect(readingsOf(room, [second])).toEqual([second])
  })

  test('a sensor that the building has not heard is refused', async () => {
    const answer = await change({ other_sensors: { use: 'mean', sensors: [{ id: STRANGERS_SENSOR }] } })
    expect([answer.status, answer.json.error.code]).toEqual([400, 'unknown_sensor'])
  })

  test('every sensor named is listed with the room it measures, and none twice', async () => {
    await change({
      other_sensors: { use: 'mean', sensors: [{ id: LIVING_ROOM_SENSOR, weight: 2 }, { id: LIVING_ROOM_SENSOR }] },
    })
    expect((await shown()).other_sensors).toEqual({ use: 'mean', sensors: [{ id: LIVING_ROOM_SENSOR }] })
    const sensors = (await ada.call('GET', `/app/buildings/${world.holder.buildingId}/sensors`)).json
    expect(sensors.find(({ id }: { id: string }) => id === LIVING_ROOM_SENSOR).rooms).toEqual([
      'Bathroom',
      'Living room',
    ])
  })

  describe('over time', () => {
    /** A reading every ten minutes for so many hours from now on. */
    async function measure(hours: number, temperatures: Record<string, number>): Promise<void> {
      const { buildingId } = world.holder
      const ids = await sensorIdsOf(world.store, buildingId)
      for (let i = 0; i < hours * 6; i++) {
        for (const [address, temperatureC] of Object.entries(temperatures))
          await world.store.db
            .insertInto('readings')
            .values({
              buildingId,
              sensorId: ids.get(address) ?? '',
              measuredAt: now(),
              temperatureC,
              humidityPct: null,
            })
            .execute()
        world.clock.advance(10 * MINUTE_MS)
      }
    }
    const hourlyMeans = async (fromMs: number) => {
      const history = await historyOf(world.store, { id: world.bathroomId }, { fromMs, toMs: now() })
      return history.temperature.filter((value) => value !== null).filter((_, i) => i % 6 === 0)
    }

    test('a sensor that moves leaves the room its history, and takes none along', async () => {
      const startMs = now()
      await measure(1, { [BATHROOM_SENSOR]: 20, [LIVING_ROOM_SENSOR]: 24 })
      await change({ sensor_id: LIVING_ROOM_SENSOR })
      await measure(1, { [BATHROOM_SENSOR]: 20, [LIVING_ROOM_SENSOR]: 24 })
      await both('mean')
      await change({ sensor_id: BATHROOM_SENSOR })
      await measure(1, { [BATHROOM_SENSOR]: 20, [LIVING_ROOM_SENSOR]: 24 })
      expect(await hourlyMeans(startMs)).toEqual([20, 24, 22])
      expect(await hourlyMeans(startMs + HOUR_MS)).toEqual([24, 22])
    })

    test('the same sensor again is no move', async () => {
      await change({ sensor_id: BATHROOM_SENSOR, other_sensors: null })
      expect(await world.store.db.selectFrom('formerSensors').selectAll().execute()).toEqual([])
    })
  })
})
