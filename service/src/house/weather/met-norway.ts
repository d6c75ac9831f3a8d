import type { Forecast } from '@hypocaust/control'
import { HOUR_MS, MINUTE_MS, matches } from '@hypocaust/domain'
import Type, { type Static } from 'typebox'
import type { Clock } from '../../base/clock.ts'
import { expiryOf, getJson } from './http.ts'
import type { WeatherProvider } from './weather.ts'

const ASKED_EVERY_MS = 10 * MINUTE_MS
const MOST_HOURS = 72

const Details = Type.Object({
  air_temperature: Type.Number(),
  cloud_area_fraction: Type.Number(),
  wind_from_direction: Type.Number(),
  wind_speed: Type.Number(),
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
function everyHour(points: Point[]): Forecast {
  const startMs = points[0]?.atMs ?? 0
  const endMs = points.at(-1)?.atMs ?? startMs
  const hours = Math.min(MOST_HOURS, Math.floor((endMs - startMs) / HOUR_MS) + 1)
  return { startMs, hourly: Array.from({ length: hours }, (_, hour) => between(points, startMs + hour * HOUR_MS)) }
}

function between(points: Point[], atMs: number) {
  const next = points.findIndex((point) => point.atMs >= atMs)
  const after = points[next] as Point
  const before = points[Math.max(0, next - 1)] as Point
  const share = after.atMs === before.atMs ? 0 : (atMs - before.atMs) / (after.atMs - before.atMs)
  const line = (name: keyof Point['details']) =>
    before.details[name] + share * (after.details[name] - before.details[name])
  return {
    outdoorC: line('air_temperature'),
    cloudPct: line('cloud_area_fraction'),
    windMs: line('wind_speed'),
    solarWm2: null,
  }
}
