import { HOUR_MS, humidityAt, type MouldRisk, vapourHpa } from '@hypocaust/domain/facts'
import { DAMP_PCT, dryAtC, surfaceC } from './surface.ts'

/** The air of a room and outdoors for a while, from `atMs` on. */
export type AirSample = { atMs: number; hours: number; airC: number; humidityPct: number; outdoorC: number }

/** What is remembered of the coldest surface of a room; plain JSON. */
export type SurfaceRecord = {
  /** The factor it was kept for: with another one it begins anew. */
  factor: number
  untilMs: number
  knownH: number
  /** Outdoors as the wall feels it. */
  outdoorC: number
  /** Means of the last day. */
  vapourHpa: number
  surfacePct: number
  /** Share of the time with a damp surface, as a running mean over days. */
  dampShare: number
}

/** A wall answers to the weather after hours. */
const WALL_H = 12
const DAY_H = 24
/** A surface that stays damp counts as at risk after three days of this mean, one that dries as safe after as many. */
const DAMP_H = 4 * 24
/** Before, too little is known of a room. */
const LEAST_KNOWN_H = 48
/** Half of each day is what DIN-Fachbericht 4108-8 takes for the growth of mould. */
const HIGH_SHARE = 0.5
const RAISED_SHARE = 0.25

export function followSurface(
  record: SurfaceRecord | null,
  samples: AirSample[],
  factor: number,
): SurfaceRecord | null {
  const kept = record?.factor === factor ? record : null
  return samples.reduce<SurfaceRecord | null>((before, sample) => after(before, sample, factor), kept)
}

function after(before: SurfaceRecord | null, sample: AirSample, factor: number): SurfaceRecord {
  const { airC, humidityPct, hours } = sample
  const knownH = (before?.knownH ?? 0) + hours
  // As long as less than the span of a mean is known, it is the plain mean of what is known.
  const mean = (old: number | undefined, value: number, spanH: number): number =>
    old === undefined ? value : old + Math.max(hours / knownH, 1 - Math.exp(-hours / spanH)) * (value - old)
  const outdoorC = mean(before?.outdoorC, sample.outdoorC, WALL_H)
  const hpa = vapourHpa(airC, humidityPct)
  const pct = humidityAt(hpa, surfaceC(airC, outdoorC, factor))
  return {
    factor,
    untilMs: sample.atMs + hours * HOUR_MS,
    knownH,
    outdoorC,
    vapourHpa: mean(before?.vapourHpa, hpa, DAY_H),
    surfacePct: mean(before?.surfacePct, pct, DAY_H),
    dampShare: mean(before?.dampShare, pct > DAMP_PCT ? 1 : 0, DAMP_H),
  }
}

/** The humidity at the coldest surface in each step of a past; null where the step is not known. */
export function surfacePcts(samples: (AirSample | null)[], factor: number): (number | null)[] {
  let record: SurfaceRecord | null = null
  return samples.map((sample) => {
    if (!sample) return null
    record = after(record, sample, factor)
    return humidityAt(vapourHpa(sample.airC, sample.humidityPct), surfaceC(sample.airC, record.outdoorC, factor))
  })
}

/** Null while too little is known of the room. */
export function mouldRisk({ knownH, dampShare }: SurfaceRecord): MouldRisk | null {
  if (knownH < LEAST_KNOWN_H) return null
  if (dampShare >= HIGH_SHARE) return 'high'
  return dampShare >= RAISED_SHARE ? 'raised' : 'low'
}

/** At which temperature the coldest surface would have been dry in the last day; null where nothing is to be done. */
export function warmAgainstMouldC(record: SurfaceRecord): number | null {
  const risk = mouldRisk(record)
  if (risk === null || risk === 'low') return null
  return dryAtC(record.vapourHpa, record.outdoorC, record.factor)
}
