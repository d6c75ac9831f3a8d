import { HOUR_MS, MINUTE_MS, matches } from '@hypocaust/domain'
import Type, { type Static } from 'typebox'
import type { Clock } from '../../base/clock.ts'
import { expiryOf, getJson } from './http.ts'
import type { StoredForecast, WeatherProvider } from './weather.ts'

const ASKED_EVERY_MS = 10 * MINUTE_MS
const MOST_HOURS = 72

const Details = Type.Object({
  air_temperature: Type.Number(),
  cloud_area_fraction: Type.Number(),
  wind_from_direction: Type.Number(),
  wind_speed: Type.Number(),
  relative_humidity: Type.Optional(Type.Number()),
})

const Entry = Type.Object({
  time: Type.String(),
  data: Type.Object({ instant: Type.Object({ details: Details }) }),
})

const Answer = Type.Object({
  properties: Type.Object({
    meta: Type.Object({ updated_at: Type.String() }),
    timeseries: Type.Array(Entry, { minItems: 1 }),
  }),
})

/** Wants to know who asks, and to be asked no more often than its answers expire. It tells no radiation. */
export function metNorway(baseUrl: string, userAgent: string, clock: Clock): WeatherProvider {
  return {
    async fetch({ lat, lng }, { lastModified }, signal) {
      const url = new URL('/weatherapi/locationforecast/2.0/compact', baseUrl)
      url.search = new URLSearchParams({ lat: String(lat), lon: String(lng) }).toString()
      const { body, headers } = await getJson(url, { lastModified, userAgent, signal })
      const expiresAt = expiryOf(headers, clock.now() + ASKED_EVERY_MS)
      if (body === null) return { expiresAt }
      if (!matches(Answer, body)) throw new Error(`${url.origin} answered in a form not known`)
      const points = body.properties.timeseries.map(pointOf)
      const { details } = points.findLast(({ atMs }) => atMs <= clock.now()) ?? (points[0] as Point)
      return {
        updatedAt: Date.parse(body.properties.meta.updated_at),
        current: {
          temperatureC: details.air_temperature,
          cloudPct: details.cloud_area_fraction,
          windDeg: details.wind_from_direction,
          windMs: details.wind_speed,
        },
        forecast: everyHour(points),
        expiresAt,
        lastModified: headers.get('last-modified'),
      }
    },
  }
}

type Point = { atMs: number; details: Static<typeof Details> }

const pointOf = ({ time, data }: Static<typeof Entry>): Point => ({
  atMs: Date.parse(time),
  details: data.instant.details,
})

/** The later days come in steps of six hours: what lies between is drawn as a straight line. */
function everyHour(points: Point[]): StoredForecast {
  const startMs = points[0]?.atMs ?? 0
  const endMs = points.at(-1)?.atMs ?? startMs
  const hours = Math.min(MOST_HOURS, Math.floor((endMs - startMs) / HOUR_MS) + 1)
  const each = Array.from({ length: hours }, (_, hour) => between(points, startMs + hour * HOUR_MS))
  return {
    startMs,
    hourly: each.map(({ weather }) => weather),
    humidityPct: each.map(({ humidityPct }) => humidityPct),
  }
}

function between(points: Point[], atMs: number) {
  const next = points.findIndex((point) => point.atMs >= atMs)
  const after = points[next] as Point
  const before = points[Math.max(0, next - 1)] as Point
  const share = after.atMs === before.atMs ? 0 : (atMs - before.atMs) / (after.atMs - before.atMs)
  const line = (from: number, to: number) => from + share * (to - from)
  const of = (name: 'air_temperature' | 'cloud_area_fraction' | 'wind_speed') =>
    line(before.details[name], after.details[name])
  const [pctBefore, pctAfter] = [before.details.relative_humidity, after.details.relative_humidity]
  return {
    weather: {
      outdoorC: of('air_temperature'),
      cloudPct: of('cloud_area_fraction'),
      windMs: of('wind_speed'),
      solarWm2: null,
    },
    humidityPct: pctBefore === undefined || pctAfter === undefined ? null : line(pctBefore, pctAfter),
  }
}
