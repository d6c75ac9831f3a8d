import { DAY_MS, HOUR_MS } from '@hypocaust/domain'
import { smoothNoise } from './random.ts'
import { globalHorizontalWm2, type Place, sunPosition } from './sun.ts'

export type Weather = {
  outdoorC: number
  cloudPct: number
  windMs: number
  windDeg: number
  /** Global horizontal. */
  solarWm2: number
}

/** A drop of the outdoor temperature and its return. */
type ColdSnap = { startMs: number; fallS: number; dropK: number; lastsS: number }

export type Climate = {
  seed: number
  place: Place
  /** Mean of the year and half its swing; a swing of zero holds a season still. */
  meanC: number
  seasonSwingK: number
  /** Above zero the sky is clearer than cloudy. */
  clearness: number
  coldSnap?: ColdSnap
  /** Which errors the forecasts of this weather have; those of 0 without it. */
  forecastDraw?: number
}

/** The weather of any instant, from the climate alone: no memory, so a year can be asked backwards. */
export function weatherAt(climate: Climate, nowMs: number): Weather {
  return weatherWithCloud(climate, nowMs, cloudShareAt(climate, nowMs), 0)
}

/** What a forecast issued at `issuedMs` says of `nowMs`: right about now, and wronger the further ahead. */
export function forecastAt(climate: Climate, issuedMs: number, nowMs: number): Weather {
  const run = Math.floor(issuedMs / (6 * HOUR_MS))
  const aheadH = Math.max(0, nowMs - issuedMs) / HOUR_MS
  const spreadK = Math.min(1.6, 0.25 + 0.05 * aheadH)
  const errorSeed = climate.seed * 31 + run * 2 + 1 + 100_000 * (climate.forecastDraw ?? 0)
  const cloudError = Math.min(0.35, 0.05 + 0.015 * aheadH) * smoothNoise(errorSeed + 1, nowMs / (5 * HOUR_MS))
  const cloud = Math.min(1, Math.max(0, cloudShareAt(climate, nowMs) + cloudError))
  return weatherWithCloud(climate, nowMs, cloud, spreadK * smoothNoise(errorSeed, nowMs / (9 * HOUR_MS)))
}

function weatherWithCloud(climate: Climate, nowMs: number, cloud: number, errorK: number): Weather {
  const { seed, place } = climate
  const sun = sunPosition(nowMs, place)
  const localHour = ((nowMs + (place.lngDeg / 15) * HOUR_MS) % DAY_MS) / HOUR_MS
  const dayOfYear = ((nowMs / DAY_MS) % 365.2425) - 19
  const seasonC = climate.meanC - climate.seasonSwingK * Math.cos((2 * Math.PI * dayOfYear) / 365.2425)
  const highSun = Math.max(0, Math.sin(sunPosition(noonOf(nowMs, place), place).elevationRad))
  const swingK = (1.2 + 5 * highSun) * (1 - 0.6 * cloud)
  const diurnalK = swingK * Math.cos((2 * Math.PI * (localHour - 14.5)) / 24)
  const spellK =
    3.2 * smoothNoise(seed + 11, nowMs / (3.1 * DAY_MS)) + 0.8 * smoothNoise(seed + 12, nowMs / (9 * HOUR_MS))
  return {
    outdoorC: seasonC + diurnalK + spellK - snapK(climate.coldSnap, nowMs) + errorK,
    cloudPct: 100 * cloud,
    windMs: Math.min(22, 3.2 * Math.exp(0.5 * smoothNoise(seed + 13, nowMs / (11 * HOUR_MS)))),
    windDeg: (((225 + 70 * smoothNoise(seed + 14, nowMs / (1.7 * DAY_MS))) % 360) + 360) % 360,
    solarWm2: globalHorizontalWm2(sun, cloud),
  }
}

function cloudShareAt(climate: Climate, nowMs: number): number {
  const drift = 1.6 * smoothNoise(climate.seed + 15, nowMs / (1.4 * DAY_MS))
  const passing = 0.9 * smoothNoise(climate.seed + 16, nowMs / (4 * HOUR_MS))
  return 1 / (1 + Math.exp(2 * climate.clearness - 1.3 * (drift + passing)))
}

function snapK(snap: ColdSnap | undefined, nowMs: number): number {
  if (!snap) return 0
  const sinceS = (nowMs - snap.startMs) / 1000
  const fall = Math.min(1, Math.max(0, sinceS / snap.fallS))
  const rise = Math.min(1, Math.max(0, (sinceS - snap.lastsS) / snap.fallS))
  return snap.dropK * (fall - rise)
}

const noonOf = (nowMs: number, place: Place) => Math.floor(nowMs / DAY_MS) * DAY_MS + (12 - place.lngDeg / 15) * HOUR_MS
