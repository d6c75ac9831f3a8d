import { offsetMs } from './local-time.ts'
import { type Model, solarGainWm2 } from './model.ts'
import type { Outside } from './observer.ts'
import { estimatedSolarWm2, facadeSun, type Location } from './sun.ts'
import type { Forecast, StepInput, Weather } from './types.ts'

export const UNKNOWN_WEATHER: Weather = { outdoorC: 5, cloudPct: 75, windMs: 3.5, solarWm2: null }

/** Where the sun is reckoned from; an unknown place is one whose clock is right and whose latitude is middling. */
export function locationOf(input: StepInput): Location {
  return input.location ?? { lat: 50, lng: offsetMs(input.settings.timeZone, input.nowMs) / 240_000 }
}

export const solarOf = (weather: Weather, atMs: number, location: Location) =>
  weather.solarWm2 ?? estimatedSolarWm2(atMs, location, weather.cloudPct)

export function outsideOf(model: Model, weather: Weather, atMs: number, location: Location): Outside {
  const sun = facadeSun(atMs, location, solarOf(weather, atMs, location))
  return { outdoorC: weather.outdoorC, windMs: weather.windMs, solarGainWm2: solarGainWm2(model, sun) }
}

/** The forecast at a moment, between its hours; beyond its end the last day is repeated. */
export function forecastAt(forecast: Forecast, atMs: number): Weather {
  const { hourly, startMs } = forecast
  const last = hourly.length - 1
  let hour = Math.max(0, (atMs - startMs) / 3_600_000)
  while (hour > last && last >= 24) hour -= 24
  const left = Math.min(last, Math.floor(hour))
  const a = hourly[left] ?? UNKNOWN_WEATHER
  const b = hourly[Math.min(last, left + 1)] ?? a
  const t = Math.min(1, hour - left)
  const mix = (x: number, y: number) => x + t * (y - x)
  return {
    outdoorC: mix(a.outdoorC, b.outdoorC),
    cloudPct: mix(a.cloudPct, b.cloudPct),
    windMs: mix(a.windMs, b.windMs),
    solarWm2: a.solarWm2 === null || b.solarWm2 === null ? null : mix(a.solarWm2, b.solarWm2),
  }
}

/** Without a forecast tomorrow is as today; the sun, if only measured, is taken from its cloud. */
export function weatherAhead(input: StepInput, known: Weather, atMs: number): Weather {
  return input.forecast ? forecastAt(input.forecast, atMs) : { ...known, solarWm2: null }
}
