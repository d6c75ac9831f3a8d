import { DAY_MS } from '@hypocaust/domain'
/** Where the sun stands, and what falls on a wall: enough for a house, not for an almanac. */
export type Place = { latDeg: number; lngDeg: number }
export type SunPosition = { elevationRad: number; azimuthRad: number }

const RAD = Math.PI / 180
const SOLAR_CONSTANT_WM2 = 1361

/** Azimuth from north, clockwise. */
export function sunPosition(nowMs: number, place: Place): SunPosition {
  const daysSince2000 = (nowMs - 946_728_000_000) / DAY_MS
  const anomaly = (357.529 + 0.98560028 * daysSince2000) * RAD
  const longitude = (280.459 + 0.98564736 * daysSince2000 + 1.915 * Math.sin(anomaly)) * RAD
  const declination = Math.asin(0.39779 * Math.sin(longitude))
  const rightAscension = Math.atan2(0.91748 * Math.sin(longitude), Math.cos(longitude))
  const siderealRad = (280.46062 + 360.98564737 * daysSince2000 + place.lngDeg) * RAD
  const hourAngle = siderealRad - rightAscension
  const lat = place.latDeg * RAD
  const sine = Math.sin(lat) * Math.sin(declination) + Math.cos(lat) * Math.cos(declination) * Math.cos(hourAngle)
  const azimuthRad =
    Math.PI +
    Math.atan2(Math.sin(hourAngle), Math.cos(hourAngle) * Math.sin(lat) - Math.tan(declination) * Math.cos(lat))
  return { elevationRad: Math.asin(Math.max(-1, Math.min(1, sine))), azimuthRad }
}

/** Global horizontal irradiance under a share of cloud (Haurwitz clear sky, Kasten and Czeplak cloud). */
export function globalHorizontalWm2(sun: SunPosition, cloudShare: number): number {
  const sine = Math.sin(sun.elevationRad)
  if (sine <= 0.01) return 0
  return 1098 * sine * Math.exp(-0.057 / sine) * (1 - 0.75 * cloudShare ** 3.4)
}

/** On a vertical wall facing `facadeDeg`: beam, half of the sky, and what the ground throws back. */
export function verticalWm2(sun: SunPosition, globalWm2: number, facadeDeg: number): number {
  const sine = Math.sin(sun.elevationRad)
  if (sine <= 0.01 || globalWm2 <= 0) return 0
  const diffuseWm2 = globalWm2 * diffuseShare(globalWm2 / (SOLAR_CONSTANT_WM2 * sine))
  const beamWm2 = Math.min(1000, (globalWm2 - diffuseWm2) / Math.max(sine, 0.05))
  const incidence = Math.cos(sun.elevationRad) * Math.cos(sun.azimuthRad - facadeDeg * RAD)
  return beamWm2 * Math.max(0, incidence) + 0.5 * diffuseWm2 + 0.1 * globalWm2
}

/** Erbs: the cloudier, the more of the light comes from the whole sky. */
function diffuseShare(clearness: number): number {
  if (clearness <= 0.22) return 1 - 0.09 * clearness
  if (clearness > 0.8) return 0.165
  return 0.9511 - 0.1604 * clearness + 4.388 * clearness ** 2 - 16.638 * clearness ** 3 + 12.336 * clearness ** 4
}
