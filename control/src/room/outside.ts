import { offsetMs } from '@hypocaust/domain'
import { type Model, solarGainWm2 } from '../model/model.ts'
import type { Outside } from '../model/motion.ts'
import { type Profile, peopleAt } from '../model/profile.ts'
import { estimatedFacadeSun, estimatedSolarWm2, facadeSun, type Location } from '../model/sun.ts'
import type { StepInput, Weather } from './types.ts'

export const UNKNOWN_WEATHER: Weather = { outdoorC: 5, cloudPct: 75, windMs: 3.5, solarWm2: null }

type Placed = Pick<StepInput, 'location' | 'nowMs'> & { settings: Pick<StepInput['settings'], 'timeZone'> }

/** Where the sun is reckoned from; an unknown place is one whose clock is right and whose latitude is middling. */
export function locationOf({ location, settings, nowMs }: Placed): Location {
  return location ?? { lat: 50, lng: offsetMs(settings.timeZone, nowMs) / 240_000 }
}

/** Where a room is, and what happens there at which hour. */
export type Place = { location: Location; profile: Profile; timeZone: string }

export const solarOf = (weather: Weather, atMs: number, location: Location) =>
  weather.solarWm2 ?? estimatedSolarWm2(atMs, location, weather.cloudPct)

export function outsideOf(model: Model, weather: Weather, atMs: number, place: Place): Outside {
  const { location, profile, timeZone } = place
  const sun =
    weather.solarWm2 === null
      ? estimatedFacadeSun(atMs, location, weather.cloudPct)
      : facadeSun(atMs, location, weather.solarWm2)
  return {
    outdoorC: weather.outdoorC,
    windMs: weather.windMs,
    solarGainWm2: solarGainWm2(model, sun),
    peopleWm2: peopleAt(profile, timeZone, atMs),
  }
}
