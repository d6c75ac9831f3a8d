import { HOUR_MS, MINUTE_MS } from '@hypocaust/domain'
import type { WeatherProvider } from '@hypocaust/service'
import { outdoorHumidityPct, type VirtualHouse } from '@hypocaust/simulator'

const FORECAST_HOURS = 60
const UPDATED_EVERY_MS = 10 * MINUTE_MS

/** The virtual house brings its own weather, and a forecast as wrong as forecasts are. */
export function virtualWeather(house: VirtualHouse): WeatherProvider {
  return {
    async fetch() {
      const now = house.weather()
      const startMs = house.nowMs - (house.nowMs % HOUR_MS)
      return {
        updatedAt: house.nowMs,
        current: {
          temperatureC: rounded(now.outdoorC),
          cloudPct: Math.round(now.cloudPct),
          windDeg: Math.round(now.windDeg),
          windMs: rounded(now.windMs),
        },
        forecast: {
          startMs,
          hourly: house.forecast(FORECAST_HOURS),
          humidityPct: Array.from({ length: FORECAST_HOURS }, (_, hour) =>
            rounded(outdoorHumidityPct(house.plan.climate, startMs + hour * HOUR_MS)),
          ),
        },
        expiresAt: house.nowMs + UPDATED_EVERY_MS,
        lastModified: null,
      }
    },
  }
}

const rounded = (value: number): number => Math.round(value * 10) / 10
