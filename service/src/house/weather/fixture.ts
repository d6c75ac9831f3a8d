import { readFileSync } from 'node:fs'
import { HOUR_MS, matches, TIMESTAMP_PATTERN } from '@hypocaust/domain'
import Type from 'typebox'
import { parse } from 'yaml'
import type { Clock } from '../../base/clock.ts'
import type { WeatherProvider } from './weather.ts'

const READ_EVERY_MS = 60_000

const Time = Type.String({ pattern: TIMESTAMP_PATTERN })

const Hour = Type.Object({
  temperature: Type.Number(),
  cloud_coverage: Type.Number(),
  wind: Type.Object({ direction: Type.Number(), speed: Type.Number() }),
  solar: Type.Optional(Type.Number()),
  humidity: Type.Optional(Type.Number({ minimum: 0, maximum: 100 })),
})

/** `hourly[0]` is the hour that begins at `start`. */
const File = Type.Object({ updated: Time, start: Time, hourly: Type.Array(Hour, { minItems: 1 }) })

/** Weather from a file, the same everywhere: for places without internet. Written anew, it is read anew. */
export function fixtureWeather(file: string, clock: Clock): WeatherProvider {
  return {
    async fetch() {
      const content: unknown = parse(readFileSync(file, 'utf8'))
      if (!matches(File, content)) {
        throw new Error(`${file}: expected updated, start and hourly with temperature, cloud_coverage and wind`)
      }
      const startMs = Date.parse(content.start)
      const passed = Math.floor((clock.now() - startMs) / HOUR_MS)
      const hour = content.hourly[Math.min(Math.max(0, passed), content.hourly.length - 1)] ?? content.hourly[0]
      return {
        updatedAt: Date.parse(content.updated),
        current: {
          temperatureC: hour?.temperature ?? 0,
          cloudPct: hour?.cloud_coverage ?? 0,
          windDeg: hour?.wind.direction ?? 0,
          windMs: hour?.wind.speed ?? 0,
        },
        forecast: {
          startMs,
          hourly: content.hourly.map(({ temperature, cloud_coverage, wind, solar }) => ({
            outdoorC: temperature,
            cloudPct: cloud_coverage,
            windMs: wind.speed,
            solarWm2: solar ?? null,
          })),
          humidityPct: content.hourly.map(({ humidity }) => humidity ?? null),
        },
        expiresAt: clock.now() + READ_EVERY_MS,
        lastModified: null,
      }
    },
  }
}
