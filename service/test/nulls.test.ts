import { MINUTE_MS } from '@hypocaust/testing/clock.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { BATHROOM_SENSOR } from '@hypocaust/testing/houses.ts'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

const FULL = { temperatureC: 21.4, humidityPct: 47, batteryPct: 81, rssiDbm: -71 }

describe.each(ENGINES)('what is not known is null, on %s', (engine) => {
  let world: World
  beforeAll(async () => {
    world = await openWorld(engine)
  })
  afterAll(() => world.close())
  beforeEach(() => world.reset())

  test('a sensor that has never reported is null, and so are the room’s values', async () => {
    expect(await world.bathroom()).toMatchObject({
      current_temperature: null,
      current_humidity: null,
      sensor: null,
      sensor_id: BATHROOM_SENSOR,
    })
  })

  test('null is written as null and never as an invented 0', async () => {
    await world.report(BATHROOM_SENSOR, { temperatureC: 21.4 })
    world.clock.advance(61 * MINUTE_MS)
    const { text } = await world.get(world.bathroomPath)
    for (const field of ['current_temperature', 'current_humidity', 'humidity', 'batt', 'rssi']) {
      expect(text).toContain(`"${field}":null`)
    }
    const building = await world.get(world.buildingPath)
    for (const field of ['available', 'last_seen', 'weather']) expect(building.text).toContain(`"${field}":null`)
  })

  test('zero is written as zero and never as null', async () => {
    await world.report(BATHROOM_SENSOR, { temperatureC: 0, humidityPct: 0, batteryPct: 0, rssiDbm: 0 })
    const room = await world.bathroom()
    expect(room).toMatchObject({ current_temperature: 0, current_humidity: 0 })
    expect(room.sensor).toMatchObject({ temperature: 0, humidity: 0, batt: 0, rssi: 0 })
  })

  test('a reading of exactly sixty minutes still tells', async () => {
    await world.report(BATHROOM_SENSOR, FULL)
    world.clock.advance(60 * MINUTE_MS)
    expect(await world.bathroom()).toMatchObject({ current_temperature: 21.4, current_humidity: 47 })
  })

  test('an older one does not, but the sensor shows its latest raw reading with its own time', async () => {
    await world.report(BATHROOM_SENSOR, FULL)
    const { sensor } = await world.bathroom()
    world.clock.advance(60 * MINUTE_MS + 1)
    expect(await world.bathroom()).toMatchObject({ current_temperature: null, current_humidity: null, sensor })
  })

  test.each([
    ['humidity', 'humidityPct'],
    ['batt', 'batteryPct'],
    ['rssi', 'rssiDbm'],
  ])('a kind of sensor that does not tell its %s has null there', async (field, column) => {
    await world.report(BATHROOM_SENSOR, { ...FULL, [column]: null })
    const { sensor } = await world.bathroom()
    expect(sensor[field]).toBeNull()
    expect(sensor.temperature).toBe(21.4)
  })

  test('a sensor without humidity leaves the room’s humidity null while its temperature tells', async () => {
    await world.report(BATHROOM_SENSOR, { ...FULL, humidityPct: null })
    expect(await world.bathroom()).toMatchObject({ current_temperature: 21.4, current_humidity: null })
  })
})
