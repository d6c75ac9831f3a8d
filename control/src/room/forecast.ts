import { HOUR_MS } from '@hypocaust/domain/facts'
import { estimatedSolarWm2, type Location } from '../model/sun.ts'
import { solarOf, UNKNOWN_WEATHER } from './outside.ts'
import { plausibleWeather } from './sanitise.ts'
import type { Forecast, StepInput, Weather } from './types.ts'

const CHECK_EVERY_S = 900
const WARMTH_TAU_S = 12 * 3600
/** Of each check in its hour of the day: about three days. */
const SUN_WEIGHT = 0.1
/** So far ahead a forecast of clouds may be wrong altogether. */
const CLOUDS_UNKNOWN_MS = 20 * HOUR_MS

/** How much warmer and sunnier the forecast says it is now than it is; the sun by hour of the day, UTC. */
export type ForecastCheck = { checkedMs: number; biasK: number; solarBiasWm2: number[] }

export const unchecked = (nowMs: number): ForecastCheck => ({
  checkedMs: nowMs,
  biasK: 0,
  solarBiasWm2: new Array(24).fill(0),
})

/** The forecast at a moment, between its hours; beyond its end the last day is repeated. */
export function forecastAt({ hourly, startMs }: Forecast, atMs: number): Weather {
  const last = hourly.length - 1
  let hour = Math.max(0, (atMs - startMs) / HOUR_MS)
  if (hour > last && last >= 24) hour -= 24 * Math.ceil((hour - last) / 24)
  const left = Math.min(last, Math.floor(hour))
  const a = plausibleWeather(hourly[left] ?? UNKNOWN_WEATHER) ?? UNKNOWN_WEATHER
  const b = plausibleWeather(hourly[Math.min(last, left + 1)] ?? a) ?? a
  const t = Math.min(1, hour - left)
  const mix = (x: number, y: number) => x + t * (y - x)
  return {
    outdoorC: mix(a.outdoorC, b.outdoorC),
    cloudPct: mix(a.cloudPct, b.cloudPct),
    windMs: mix(a.windMs, b.windMs),
    solarWm2: a.solarWm2 === null || b.solarWm2 === null ? null : mix(a.solarWm2, b.solarWm2),
  }
}

/** Without a forecast tomorrow is as today; a forecast that is wrong about now is wrong about tomorrow in the same way. */
export function weatherAhead(forecast: Forecast | null, check: ForecastCheck, known: Weather, atMs: number): Weather {
  if (!forecast) return { ...known, solarWm2: null }
  const weather = forecastAt(forecast, atMs)
  const { solarWm2 } = weather
  return {
    ...weather,
    outdoorC: weather.outdoorC - check.biasK,
    solarWm2: solarWm2 === null ? null : Math.max(0, solarWm2 - solarBias(check, atMs)),
  }
}

/** The sun that may come instead: the further ahead, the nearer to that of a clear sky. */
export function sunnier(weather: Weather, nowMs: number, atMs: number, location: Location): Weather {
  const said = solarOf(weather, atMs, location)
  const missing = Math.max(0, estimatedSolarWm2(atMs, location, 0) - said)
  const share = Math.min(1, Math.max(0, atMs - nowMs) / CLOUDS_UNKNOWN_MS)
  return { ...weather, solarWm2: said + share * missing }
}

/** Between the middles of two hours. */
function solarBias({ solarBiasWm2 }: ForecastCheck, atMs: number): number {
  const place = atMs / HOUR_MS - 0.5
  const left = Math.floor(place)
  const t = place - left
  return (1 - t) * (solarBiasWm2[left % 24] ?? 0) + t * (solarBiasWm2[(left + 1) % 24] ?? 0)
}

/** Follows how the forecast's now differs from the weather reported for now: in warmth, and in sun by the hour. */
export function checkForecast(check: ForecastCheck, input: StepInput, location: Location): ForecastCheck {
  const { forecast, weather, nowMs } = input
  const sinceS = (nowMs - check.checkedMs) / 1000
  if (sinceS < 0) return { ...check, checkedMs: nowMs }
  if (!forecast || !weather || sinceS < CHECK_EVERY_S) return check
  const said = forecastAt(forecast, nowMs)
  const kept = Math.exp(-Math.min(sinceS, 7200) / WARMTH_TAU_S)
  const surplusWm2 = solarOf(said, nowMs, location) - solarOf(weather, nowMs, location)
  const hour = Math.floor(nowMs / HOUR_MS) % 24
  return {
    checkedMs: nowMs,
    biasK: kept * check.biasK + (1 - kept) * (said.outdoorC - weather.outdoorC),
    solarBiasWm2: check.solarBiasWm2.map((bias, i) =>
      i === hour ? Math.round(10 * ((1 - SUN_WEIGHT) * bias + SUN_WEIGHT * surplusWm2)) / 10 + 0 : bias,
    ),
  }
}
