import type { Clock } from '../../base/clock.ts'
import { StartupError } from '../../base/startup-error.ts'
import { VERSION } from '../../base/version.ts'
import { fixtureWeather } from './fixture.ts'
import { metNorway } from './met-norway.ts'
import { openMeteo } from './open-meteo.ts'
import type { WeatherProvider } from './weather.ts'

/** The settings of the service that say where the weather comes from. */
export interface WeatherChoice {
  weather: 'none' | 'open-meteo' | 'met-norway' | 'file'
  weather_url?: string
  weather_contact?: string
  weather_file?: string
}

/** The source the settings name. None unless one is chosen: a source learns where the buildings are. */
export function chooseWeather(settings: WeatherChoice, clock: Clock): WeatherProvider | undefined {
  const { weather, weather_url, weather_contact, weather_file } = settings
  const userAgent = `Hypocaust/${VERSION} ${weather_contact ?? ''}`.trim()
  switch (weather) {
    case 'none':
      return undefined
    case 'open-meteo':
      return openMeteo(weather_url ?? 'https://api.open-meteo.com', userAgent, clock)
    case 'met-norway':
      if (weather_contact === undefined) {
        throw new StartupError('MET Norway wants to know whom to contact: set weather_contact to an e-mail address')
      }
      return metNorway(weather_url ?? 'https://api.met.no', userAgent, clock)
    case 'file':
      if (weather_file === undefined) throw new StartupError('weather from a file: set weather_file to its path')
      return fixtureWeather(weather_file, clock)
  }
}
