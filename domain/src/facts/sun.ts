type Place = { lat: number; lng: number }

const RAD = Math.PI / 180

/** In radians; the azimuth from north, clockwise. */
export type SunPosition = { elevation: number; azimuth: number }

export function sunPosition(atMs: number, { lat, lng }: Place): SunPosition {
  const days = atMs / 86_400_000 - 10_957.5
  const anomaly = (357.53 + 0.9856003 * days) * RAD
  const ecliptic = (280.46 + 0.9856474 * days + 1.915 * Math.sin(anomaly)) * RAD
  const declination = Math.asin(0.39778 * Math.sin(ecliptic))
  const ascension = Math.atan2(0.91748 * Math.sin(ecliptic), Math.cos(ecliptic))
  const hourAngle = (280.4606 + 360.9856474 * days + lng) * RAD - ascension
  const phi = lat * RAD
  const sine = Math.sin(phi) * Math.sin(declination) + Math.cos(phi) * Math.cos(declination) * Math.cos(hourAngle)
  const x = Math.cos(hourAngle) * Math.sin(phi) - Math.tan(declination) * Math.cos(phi)
  return {
    elevation: Math.asin(Math.max(-1, Math.min(1, sine))),
    azimuth: Math.PI + Math.atan2(Math.sin(hourAngle), x),
  }
}

/** Its upper edge, lifted by the air, stands above the horizon. */
const SUNRISE_RAD = -0.833 * RAD

export const isDay = (atMs: number, place: Place): boolean => sunPosition(atMs, place).elevation > SUNRISE_RAD
