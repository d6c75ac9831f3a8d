/** A pair of twins is judged for this long, and its misses are kept for each stretch of its age. */
export const JUDGED_MS = 24 * 3_600_000
export const AGE_MS = 3 * 3_600_000

/** Whether commanded heat arrives. A suspicion is only reported; `off` means that no heat is assumed. */
export type SourceWatch = {
  kind: 'fine' | 'suspected' | 'off'
  /** Oldest first. */
  twins: Twin[]
  /** The furthest a heated room has lately been below its heated twin, by the age of the twin. */
  missK: number[]
  judgedDays: number
  evidence: SourceEvidence
  /** Half hours in a row with enough of it; weak evidence counts for less than one. */
  heldSlots: number
  /** What the room was like a while ago, when the source was off already. */
  earlier: { airC: number; atMs: number } | null
}

/** The room as it would be from one start on, heated as commanded and not at all. */
export type Twin = {
  startMs: number
  untilMs: number
  heated: number[]
  unheated: number[]
  /** The furthest the room was below the heated one, by age. */
  missK: number[]
  /** Of the last hours, oldest first: how far the room was above the unheated one, and how far the two were apart. */
  recent: { aboveK: number; apartK: number }[]
}

/** `weight`: how far a room that asks for heat misses it; 1 is suspicious in a room alone. */
export type SourceEvidence = { asked: boolean; weight: number }

export const NO_EVIDENCE: SourceEvidence = { asked: false, weight: 0 }

export const unwatched = (): SourceWatch => ({
  kind: 'fine',
  twins: [],
  missK: new Array(JUDGED_MS / AGE_MS).fill(0),
  judgedDays: 0,
  evidence: NO_EVIDENCE,
  heldSlots: 0,
  earlier: null,
})

/** Whether the room gets all the heat its loop gives and stays too cold. */
export type Shortfall = {
  /** Share of the full power, and kelvins below the band, on the mean of the last day. */
  power: number
  belowK: number
  dayC: number | null
  daysC: number | null
  /** Since when it has been short; null while it is not. */
  sinceMs: number | null
}

export const noShortfall = (): Shortfall => ({ power: 0, belowK: 0, dayC: null, daysC: null, sinceMs: null })
