import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MINUTE_MS } from '@hypocaust/testing/clock.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { ProviderServer } from '@hypocaust/testing/provider-server.ts'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createLogger } from '../src/base/logger.ts'
import { chooseWeather } from '../src/house/weather/choose.ts'
import { updateWeather } from '../src/house/weather/updates.ts'
import { fromHour, outdoorAirFor, placeKey, weatherFor } from '../src/house/weather/weather.ts'
import { readSettings } from '../src/settings.ts'

const NOW_S = Date.parse('2026-01-10T08:15:03.000Z') / 1000
const MIDNIGHT_S = Date.parse('2026-01-10T00:00:00.000Z') / 1000
const HOURS = Array.from({ length: 48 }, (_, hour) => hour)

const OPEN_METEO = {
  current: { time: NOW_S - 603, temperature_2m: -3.4, cloud_cover: 75, wind_speed_10m: 3.2, wind_direction_10m: 225 },
  hourly: {
    time: HOURS.map((hour) => MIDNIGHT_S + hour * 3600),
    temperature_2m: HOURS.map((hour) => -hour),
    cloud_cover: HOURS.map(() => 50),
    shortwave_radiation: HOURS.map((hour) => (hour === 12 ? 120 : 0)),
    wind_speed_10m: HOURS.map(() => 4),
    relative_humidity_2m: HOURS.map((hour) => 60 + hour / 2),
  },
}

const details = (temperature: number) => ({
  air_temperature: temperature,
  cloud_area_fraction: 30.5,
  wind_from_direction: 180.2,
  wind_speed: 5.1,
  relative_humidity: 80 - temperature,
})
const MET = {
  properties: {
    meta: { updated_at: '2026-01-10T07:32:11Z' },
    timeseries: [
      { time: '2026-01-10T08:00:00Z', data: { instant: { details: details(-5) } } },
      { time: '2026-01-10T09:00:00Z', data: { instant: { details: details(-4) } } },
      { time: '2026-01-10T15:00:00Z', data: { instant: { details: details(2) } } },
    ],
  },
}

describe.each(ENGINES)('the weather on %s', (engine) => {
  let world: World
  const server = new ProviderServer()
  const { requests } = server

  beforeAll(async () => {
    world = await openWorld(engine)
    await server.start()
  })

  afterAll(async () => {
    await server.stop()
    await world.close()
  })

  beforeEach(async () => {
    await world.store.batch([world.store.db.deleteFrom('weather'), world.store.db.deleteFrom('forecasts')])
    world.clock.startOver()
    server.startOver((response) => response.end(JSON.stringify(OPEN_METEO)))
  })

  async function update(flags: Record<string, string>): Promise<void> {
    const provider = chooseWeather(readSettings({ weather_url: server.url, ...flags }, {}), world.clock)
    if (!provider) throw new Error('no provider')
    const { store, clock } = world
    await updateWeather({ store, clock, logger: createLogger('silent'), provider, random: () => 0.5 })
  }

  const shown = async () => (await world.get(world.buildingPath)).json.weather

  const airOutdoors = async () => {
    const place = await world.store.db
      .selectFrom('buildings')
      .select(['lat', 'lng'])
      .where('id', '=', world.holder.buildingId)
      .executeTakeFirstOrThrow()
    return outdoorAirFor(world.store, place, world.clock.now())
  }

  test('the humidity outdoors is known from this hour on, and is no part of what the law reads', async () => {
    await update({ weather: 'open-meteo' })
    const [now, next] = await airOutdoors()
    expect(now?.outdoor).toEqual({ airC: -8, humidityPct: 64 })
    expect(next?.outdoor).toEqual({ airC: -9, humidityPct: 64.5 })
    const { lat = 0, lng = 0 } = (await world.get(world.buildingPath)).json.location
    const { forecast } = await weatherFor(world.store, { lat, lng }, world.clock.now())
    expect(Object.keys(forecast ?? {})).toEqual(['startMs', 'hourly'])
    world.clock.advance(3 * 24 * 60 * MINUTE_MS)
    expect(await airOutdoors()).toEqual([])
  })

  test('MET Norway’s humidity is drawn as a line between its steps', async () => {
    server.startOver((response) => response.end(JSON.stringify(MET)))
    await update({ weather: 'met-norway', weather_contact: 'ada@example.org' })
    expect((await airOutdoors()).slice(0, 3).map(({ outdoor }) => outdoor.humidityPct)).toEqual([85, 84, 83])
  })

  test('a source that tells no humidity leaves it unknown', async () => {
    const { relative_humidity_2m: _, ...hourly } = OPEN_METEO.hourly
    server.startOver((response) => response.end(JSON.stringify({ ...OPEN_METEO, hourly })))
    await update({ weather: 'open-meteo' })
    expect(await shown()).not.toBeNull()
    expect(await airOutdoors()).toEqual([])
  })

  test('Open-Meteo’s present values reach the building, true to when it made them', async () => {
    expect(await shown()).toBeNull()
    await update({ weather: 'open-meteo' })
    expect(await shown()).toEqual({
      updated: '2026-01-10T08:05:00.000Z',
      temperature: -3.4,
      cloud_coverage: 75,
      wind: { direction: 225, speed: 3.2 },
    })
    expect(requests[0]?.url).toContain('wind_speed_unit=ms')
  })

  test('a redirect is not followed: it could lead into the local network', async () => {
    const inside = new ProviderServer()
    await inside.start()
    inside.answer = (response) => response.end(JSON.stringify(OPEN_METEO))
    server.startOver((response) => response.writeHead(302, { location: inside.url }).end())
    await update({ weather: 'open-meteo' })
    expect(requests).toHaveLength(1)
    expect(inside.requests).toEqual([])
    await inside.stop()
  })

  test('its forecast is kept for the control and begins with the present hour', async () => {
    await update({ weather: 'open-meteo' })
    const { weather, forecast } = await weatherFor(world.store, { lat: 59.91, lng: 10.75 }, world.clock.now())
    expect(weather).toMatchObject({ outdoorC: -8, solarWm2: 0 })
    expect(forecast?.hourly[4]).toMatchObject({ outdoorC: -12, solarWm2: 120 })
  })

  test('neighbours within a tenth of a degree are one request, and their location is sent no more exactly', async () => {
    await update({ weather: 'open-meteo' })
    expect(requests).toHaveLength(1)
    expect(requests[0]?.url).toContain('latitude=59.9&longitude=10.8')
    const { json } = await world.call('GET', `/v1/buildings/${world.stranger.buildingId}`, {
      key: world.stranger.readKey,
    })
    expect(json.weather.temperature).toBe(-3.4)
  })

  test('it is not asked again before its answer is old', async () => {
    await update({ weather: 'open-meteo' })
    world.clock.advance(20 * MINUTE_MS)
    await update({ weather: 'open-meteo' })
    expect(requests).toHaveLength(1)
    world.clock.advance(20 * MINUTE_MS)
    await update({ weather: 'open-meteo' })
    expect(requests).toHaveLength(2)
  })

  test('when the source is away, the last known values stay and the next attempt is a while off', async () => {
    await update({ weather: 'open-meteo' })
    const before = await shown()
    world.clock.advance(60 * MINUTE_MS)
    server.answer = (response) => response.writeHead(500).end()
    await update({ weather: 'open-meteo' })
    await update({ weather: 'open-meteo' })
    expect(requests).toHaveLength(2)
    expect(await shown()).toEqual(before)
    expect((await weatherFor(world.store, { lat: 59.91, lng: 10.75 }, world.clock.now())).weather?.outdoorC).toBe(-9)
  })

  test('an answer in a form not known changes nothing', async () => {
    await update({ weather: 'open-meteo' })
    world.clock.advance(60 * MINUTE_MS)
    server.answer = (response) => response.end('{"current":{"temperature_2m":"warm"}}')
    await update({ weather: 'open-meteo' })
    expect((await shown()).temperature).toBe(-3.4)
  })

  test('MET Norway gets a contact address, and is not chosen without one', async () => {
    server.answer = (response) => response.end(JSON.stringify(MET))
    await update({ weather: 'met-norway', weather_contact: 'ada@example.org' })
    expect(requests[0]?.headers['user-agent']).toMatch(/^Hypocaust\/\S+ ada@example\.org$/)
    expect(() => chooseWeather(readSettings({ weather: 'met-norway' }, {}), world.clock)).toThrow('weather_contact')
  })

  test('MET Norway’s values, and the hours between its later steps', async () => {
    server.answer = (response) => response.end(JSON.stringify(MET))
    await update({ weather: 'met-norway', weather_contact: 'ada@example.org' })
    expect(await shown()).toMatchObject({ updated: '2026-01-10T07:32:11.000Z', temperature: -5, wind: { speed: 5.1 } })
    const { forecast } = await weatherFor(world.store, { lat: 59.91, lng: 10.75 }, world.clock.now())
    expect(forecast?.hourly.map(({ outdoorC }) => outdoorC)).toEqual([-5, -4, -3, -2, -1, 0, 1, 2])
    expect(forecast?.hourly[0]?.solarWm2).toBeNull()
  })

  test('MET Norway’s Expires is honoured, and an unchanged forecast is a 304', async () => {
    const lastModified = 'Sat, 10 Jan 2026 07:32:11 GMT'
    server.answer = (response, request) => {
      const expires = new Date(world.clock.now() + 45 * MINUTE_MS).toUTCString()
      const isKnown = request.headers['if-modified-since'] === lastModified
      response.writeHead(isKnown ? 304 : 200, { expires, 'last-modified': lastModified })
      response.end(isKnown ? undefined : JSON.stringify(MET))
    }
    const met = { weather: 'met-norway', weather_contact: 'ada@example.org' }
    await update(met)
    world.clock.advance(44 * MINUTE_MS)
    await update(met)
    expect(requests).toHaveLength(1)
    world.clock.advance(10 * MINUTE_MS)
    await update(met)
    expect(requests).toHaveLength(2)
    expect(requests[1]?.headers['if-modified-since']).toBe(lastModified)
    expect((await shown()).temperature).toBe(-5)
  })

  test('a file can stand in where there is no internet', async () => {
    const file = join(world.test.folder, 'weather.yaml')
    writeFileSync(
      file,
      `updated: "2026-01-10T06:00:00.000Z"
start: "2026-01-10T08:00:00.000Z"
hourly:
  - { temperature: 1.5, cloud_coverage: 20, wind: { direction: 10, speed: 2 }, solar: 30 }
  - { temperature: 2.5, cloud_coverage: 20, wind: { direction: 10, speed: 2 } }
`,
    )
    await update({ weather: 'file', weather_file: file })
    expect(await shown()).toMatchObject({ updated: '2026-01-10T06:00:00.000Z', temperature: 1.5 })
    expect(requests).toHaveLength(0)
  })

  test('no source is asked unless one is chosen', () => {
    expect(chooseWeather(readSettings({}, {}), world.clock)).toBeUndefined()
  })
})

test('beyond the end of a forecast its last hour stands', () => {
  const hour = { outdoorC: 1, cloudPct: 0, windMs: 0, solarWm2: null }
  expect(fromHour({ startMs: 0, hourly: [hour, { ...hour, outdoorC: 2 }] }, 10 * 3_600_000).hourly).toEqual([
    { ...hour, outdoorC: 2 },
  ])
})

test('a place is known to a tenth of a degree, also across the date line', () => {
  expect(placeKey({ lat: -16.74, lng: 179.98 })).toBe('-16.7,180')
  expect(placeKey({ lat: 59.949, lng: 10.75 })).toBe('59.9,10.8')
})
