import { MINUTE_MS, matches } from '@hypocaust/domain'
import Type from 'typebox'
import type { Clock } from '../../base/clock.ts'
import { expiryOf, getJson } from './http.ts'
import type { WeatherProvider } from './weather.ts'

const ASKED_EVERY_MS = 30 * MINUTE_MS

const Numbers = Type.Array(Type.Union([Type.Number(), Type.Null()]))

const Answer = Type.Object({
  current: Type.Object({
    time: Type.Number(),
    temperature_2m: Type.Number(),
    cloud_cover: Type.Number(),
    wind_speed_10m: Type.Number(),
    wind_direction_10m: Type.Number(),
  }),
  hourly: Type.Object({
    time: Type.Array(Type.Number(), { minItems: 1 }),
    temperature_2m: Numbers,
    cloud_cover: Numbers,
    shortwave_radiation: Numbers,
    wind_speed_10m: Numbers,
    relative_humidity_2m: Type.Optional(Numbers),
  }),
})

export function openMeteo(baseUrl: string, userAgent: string, clock: Clock): WeatherProvider {
  return {
    async fetch({ lat, lng }, { lastModified }, signal) {
      const url = new URL('/v1/forecast', baseUrl)
      url.search = new URLSearchParams({
        latitude: String(lat),
        longitude: String(lng),
        current: 'temperature_2m,cloud_cover,wind_speed_10m,wind_direction_10m',
        hourly: 'temperature_2m,cloud_cover,shortwave_radiation,wind_speed_10m,relative_humidity_2m',
        wind_speed_unit: 'ms',
        timeformat: 'unixtime',
        forecast_days: '3',
      }).toString()
      const { body, headers } = await getJson(url, { lastModified, userAgent, signal })
      const expiresAt = expiryOf(headers, clock.now() + ASKED_EVERY_MS)
      if (body === null) return { expiresAt }
      if (!matches(Answer, body)) throw new Error(`${url.origin} answered in a form not known`)
      const { current, hourly } = body
      const at = (values: (number | null)[], i: number) => values[i] ?? values.findLast((value) => value !== null) ?? 0
      return {
        updatedAt: current.time * 1000,
        current: {
          temperatureC: current.temperature_2m,
          cloudPct: current.cloud_cover,
          windDeg: current.wind_direction_10m,
          windMs: current.wind_speed_10m,
        },
        forecast: {
          startMs: (hourly.time[0] ?? 0) * 1000,
          hourly: hourly.time.map((_, i) => ({
            outdoorC: at(hourly.temperature_2m, i),
            cloudPct: at(hourly.cloud_cover, i),
            windMs: at(hourly.wind_speed_10m, i),
            solarWm2: hourly.shortwave_radiation[i] ?? null,
          })),
          humidityPct: hourly.time.map((_, i) => hourly.relative_humidity_2m?.[i] ?? null),
        },
        expiresAt,
        lastModified: headers.get('last-modified'),
      }
    },
  }
}
