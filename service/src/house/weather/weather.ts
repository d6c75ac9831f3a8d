import type { Forecast, Weather } from '@hypocaust/control'
import { HOUR_MS } from '@hypocaust/domain'
import { parsedOnce } from '../../base/parsed-once.ts'
import { rowsByKey } from '../../store/rows-by-key.ts'
import { statement } from '../../store/statement.ts'
import type { Store } from '../../store/store.ts'

export interface Place {
  lat: number
  lng: number
}

interface CurrentWeather {
  temperatureC: number
  cloudPct: number
  windDeg: number
  windMs: number
}

/** A source of weather. It may answer that nothing is new since it was last asked. */
export interface WeatherProvider {
  fetch(
    place: Place,
    previous: { lastModified: string | null },
    signal: AbortSignal,
  ): Promise<FetchedWeather | NotModified>
}

interface NotModified {
  expiresAt: number
}

/** What a source tells of a place. */
export interface FetchedWeather {
  /** When the source made it. */
  updatedAt: number
  current: CurrentWeather
  forecast: Forecast
  /** When it is worth asking again. */
  expiresAt: number
  lastModified: string | null
}

/** Neighbours within a tenth of a degree share one forecast. */
const GRID = 10

export const placeKey = ({ lat, lng }: Place): string =>
  `${Math.round(lat * GRID) / GRID},${Math.round(lng * GRID) / GRID}`

const forecasts = statement((db, { keys }: { keys: unknown }, { isIn }) =>
  db.selectFrom('forecasts').select(['place', 'forecast']).where(isIn('place', keys)),
)
const forecastsAt = rowsByKey(forecasts, ({ place }) => place)

/** Some 20 kB each, as text and as objects. */
const MOST_KEPT = 1000
const parsed = parsedOnce<Forecast>(MOST_KEPT)

/** The weather now and ahead, from the last forecast that arrived, however old; null when there is none. */
export async function weatherFor(
  store: Store,
  place: Place,
  nowMs: number,
): Promise<{ weather: Weather | null; forecast: Forecast | null }> {
  const key = placeKey(place)
  const [row] = await forecastsAt(store, key)
  if (!row?.forecast) return { weather: null, forecast: null }
  const forecast = fromHour(parsed(key, row.forecast), nowMs)
  return { weather: forecast.hourly[0] ?? null, forecast }
}

/** Begins with the hour that is now; beyond the end, the last hour known. */
export function fromHour({ startMs, hourly }: Forecast, nowMs: number): Forecast {
  const passed = Math.max(0, Math.floor((nowMs - startMs) / HOUR_MS))
  const left = passed < hourly.length ? hourly.slice(passed) : hourly.slice(-1)
  return { startMs: startMs + passed * HOUR_MS, hourly: left }
}
