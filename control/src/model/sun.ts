import { type SunPosition, sunPosition } from '@hypocaust/domain/facts'

/** What falls on walls to the east, south and west, from the global horizontal irradiance and the sun's place. */
export type Location = { lat: number; lng: number }
export type FacadeSun = { east: number; south: number; west: number }

const NO_SUN: FacadeSun = { east: 0, south: 0, west: 0 }

/** For sources that tell no irradiance. */
export const estimatedSolarWm2 = (atMs: number, location: Location, cloudPct: number): number =>
  throughClouds(sunPosition(atMs, location), cloudPct)

export const facadeSun = (atMs: number, location: Location, solarWm2: number): FacadeSun =>
  solarWm2 > 0 ? onFacades(sunPosition(atMs, location), solarWm2) : NO_SUN

export function estimatedFacadeSun(atMs: number, location: Location, cloudPct: number): FacadeSun {
  const position = sunPosition(atMs, location)
  const solarWm2 = throughClouds(position, cloudPct)
  return solarWm2 > 0 ? onFacades(position, solarWm2) : NO_SUN
}

/** Clear sky (Haurwitz) dimmed by cloud (Kasten and Czeplak). */
function throughClouds({ elevation }: SunPosition, cloudPct: number): number {
  const sine = Math.sin(elevation)
  if (sine <= 0.01) return 0
  return 1098 * sine * Math.exp(-0.057 / sine) * (1 - 0.75 * (cloudPct / 100) ** 3.4)
}

function onFacades({ elevation, azimuth }: SunPosition, solarWm2: number): FacadeSun {
  // A forecast's hour reaches beyond sunset; a very low sun is taken as a low one rather than divided by zero.
  const sine = Math.max(0.08, Math.sin(elevation))
  const diffuse = solarWm2 * diffuseShare(solarWm2 / (1361 * sine))
  const beam = Math.min(900, (solarWm2 - diffuse) / sine) * Math.cos(Math.max(0, elevation))
  const sky = 0.5 * diffuse + 0.1 * solarWm2
  const on = (facade: number) => sky + beam * Math.max(0, Math.cos(azimuth - facade))
  return { east: on(Math.PI / 2), south: on(Math.PI), west: on(1.5 * Math.PI) }
}

/** Erbs, simplified to three straight pieces. */
function diffuseShare(clearness: number): number {
  if (clearness < 0.25) return 1 - 0.12 * clearness
  if (clearness > 0.75) return 0.2
  return 0.97 - 1.54 * (clearness - 0.25)
}
