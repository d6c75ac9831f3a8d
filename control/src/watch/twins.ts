import { SENSED } from '../model/motion.ts'
import {
  AGE_MS,
  JUDGED_MS,
  NO_EVIDENCE,
  type SourceEvidence,
  type SourceWatch,
  type Twin,
} from '../room/source-state.ts'

const AGES = JUDGED_MS / AGE_MS
/** Twins nearer than this show nothing. */
const APART_K = 0.4
/** A room much below both twins does not miss heat: a window is open. */
const WINDOW_SHARE = -0.5
const RECENT_SLOTS = 7
const PARTED_K = 0.25
const WARMING_SLOTS = 2
const WARMING_K = 0.5
/** A room goes with its heated twin when it is in the upper half. */
const HEATED_SHARE = 0.5
/** What any model may miss without a suspicion, more with the age of the twins. */
const LEAST_MISS_K = 0.25
const LEAST_MISS_K_PER_H = 0.02
const MISS_FACTOR = 1.3
const ERROR_FACTOR = 2
/** Until a room is known, much more. */
const UNKNOWN_MISS_K = 0.5
const UNKNOWN_MISS_K_PER_H = 0.08
const KNOWN_AFTER_DAYS = 3

/** What the room shows at the end of a half hour; `errorK` is how wrong predictions of four hours typically are. */
export type Shown = { nowMs: number; airC: number; errorK: number }

export const rounded = (value: number) => Math.round(value * 1e3) / 1e3 + 0

export function beginTwin(mean: number[], nowMs: number): Twin {
  const start = mean.map(rounded)
  return { startMs: nowMs, untilMs: nowMs, heated: start, unheated: start, missK: [], recent: [] }
}

/** How far the room misses its heated twin, as a share of what is suspicious at this age. */
export function weigh(watch: SourceWatch, twin: Twin, { nowMs, airC, errorK }: Shown): SourceEvidence {
  const { heatedC, apartK, share } = placeOf(twin, airC)
  if (apartK < APART_K) return NO_EVIDENCE
  const limit = unheatedShare(errorK)
  const isUnheated = share <= limit && share >= WINDOW_SHARE && isWithoutAnswer(twin, limit) && !isWarming(twin)
  return { asked: true, weight: isUnheated ? (heatedC - airC) / suspiciousK(watch, nowMs - twin.startMs, errorK) : 0 }
}

/** The twins are further apart than the model may be wrong, and the room goes with the heated one. */
export function followsHeated(watch: SourceWatch, twin: Twin, { nowMs, airC, errorK }: Shown): boolean {
  const { apartK, share } = placeOf(twin, airC)
  const isApart = apartK >= suspiciousK(watch, nowMs - twin.startMs, errorK)
  return isApart && share > HEATED_SHARE && (answerOf(twin.recent) ?? 0) > HEATED_SHARE
}

function placeOf({ heated, unheated }: Twin, airC: number) {
  const heatedC = heated[SENSED] as number
  const unheatedC = unheated[SENSED] as number
  const apartK = heatedC - unheatedC
  return { heatedC, unheatedC, apartK, share: (airC - unheatedC) / apartK }
}

/** How far towards the heated twin a room without heat may be: less far, the less is known of its answer to heat. */
const unheatedShare = (errorK: number) => Math.min(0.4, Math.max(0.1, 0.45 - errorK))

/** The twins have parted further in the last hours, and the room has not gone with the heated one. */
function isWithoutAnswer({ recent }: Twin, limit: number): boolean {
  const answer = answerOf(recent)
  return answer !== null && recent.length >= RECENT_SLOTS && answer <= limit
}

/** In the last hour the room has left its unheated twin: heat is back, whatever was missed before. */
function isWarming({ recent }: Twin): boolean {
  const [before, last] = [recent.at(-1 - WARMING_SLOTS), recent.at(-1)]
  return before !== undefined && last !== undefined && last.aboveK - before.aboveK > WARMING_K
}

/** Which share of the recent parting of the twins the room went with the heated one; null when they hardly parted. */
function answerOf(recent: Twin['recent']): number | null {
  const [first, last] = [recent[0], recent.at(-1)]
  if (!first || !last || last.apartK - first.apartK < PARTED_K) return null
  return (last.aboveK - first.aboveK) / (last.apartK - first.apartK)
}

function suspiciousK({ missK, judgedDays }: SourceWatch, ageMs: number, errorK: number): number {
  const ageH = ageMs / 3_600_000
  const unknownK = (UNKNOWN_MISS_K + UNKNOWN_MISS_K_PER_H * ageH) * Math.exp(-judgedDays / KNOWN_AFTER_DAYS)
  const knownK = Math.max(MISS_FACTOR * (missK[ageIndex(ageMs)] ?? 0), ERROR_FACTOR * errorK)
  return LEAST_MISS_K + LEAST_MISS_K_PER_H * ageH + knownK + unknownK
}

const ageIndex = (ageMs: number) => Math.min(AGES - 1, Math.max(0, Math.ceil(ageMs / AGE_MS) - 1))

/** The twin with what the room shows noted on it. */
export function noted(twin: Twin, { nowMs, airC }: Shown): Twin {
  const { heatedC, unheatedC, apartK } = placeOf(twin, airC)
  const index = ageIndex(nowMs - twin.startMs)
  const missK = [...twin.missK]
  for (let i = missK.length; i <= index; i++) missK.push(0)
  missK[index] = rounded(Math.max(missK[index] ?? 0, heatedC - airC))
  const now = { aboveK: rounded(airC - unheatedC), apartK: rounded(apartK) }
  return { ...twin, missK, recent: [...twin.recent.slice(1 - RECENT_SLOTS), now] }
}
