import type { Air, Forecast, Weather } from '@hypocaust/control'
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

/** As the law reads it, and the humidity of its hours in percent: null or absent where the source does not tell. */
export interface StoredForecast extends Forecast {
  humidityPct?: (number | null)[]
}

/** What a source tells of a place. */
export interface FetchedWeather {
  /** When the source made it. */
  updatedAt: number
  current: CurrentWeather
  forecast: StoredForecast
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
const parsed = parsedOnce<StoredForecast>(MOST_KEPT)

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

/** The air outdoors from this hour on, as far as the last forecast reaches; empty where its humidity is not known. */
export async function outdoorAirFor(
  store: Store,
  place: Place,
  nowMs: number,
): Promise<{ atMs: number; outdoor: Air }[]> {
  const key = placeKey(place)
  const [row] = await forecastsAt(store, key)
  if (!row?.forecast) return []
  const { startMs, hourly, humidityPct = [] } = parsed(key, row.forecast)
  const hours = hourly.flatMap(({ outdoorC: airC }, i) => {
    const pct = humidityPct[i] ?? null
    return pct === null ? [] : [{ atMs: startMs + i * HOUR_MS, outdoor: { airC, humidityPct: pct } }]
  })
  const now = hours.findIndex(({ atMs }) => atMs <= nowMs && nowMs < atMs + HOUR_MS)
  return now < 0 ? [] : hours.slice(now)
}

/** Begins with the hour that is now; beyond the end, the last hour known. */
export function fromHour({ startMs, hourly }: Forecast, nowMs: number): Forecast {
  const passed = Math.max(0, Math.floor((nowMs - startMs) / HOUR_MS))
  const left = passed < hourly.length ? hourly.slice(passed) : hourly.slice(-1)
  return { startMs: startMs + passed * HOUR_MS, hourly: left }
}
