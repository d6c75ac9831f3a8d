import { SENSED } from '../model/motion.ts'
import { type Belief, firstBelief } from '../model/observer.ts'
import { JUDGED_MS, NO_EVIDENCE, type SourceEvidence, type SourceWatch, type Twin } from '../room/source-state.ts'
import { SLOT_S } from '../room/state.ts'
import type { Slot } from '../room/types.ts'
import { beginTwin, followsHeated, noted, rounded, type Shown, weigh } from './twins.ts'

/** Pairs of twins begin this far apart, so that one of them began before any failure. */
const BEGIN_EVERY_MS = 3 * 3_600_000
const FORGOTTEN_AFTER_DAYS = 20
/** For so many half hours clear evidence has to hold, and weak evidence for longer. */
const SUSPECTED_SLOTS = 2
const CONFIRMED_SLOTS = 6
const WEAK_WEIGHT = 0.9
/** Of a house whose rooms all miss their heat at once, each room has to show less. */
const HOUSE_WEIGHT = 0.65
const HOUSE_EACH_WEIGHT = 0.35
/** Without heat a room falls by more than this in a day; a house that does not needs no heat. */
const FALL_K = 0.7

/** Half an hour on for a twin. */
export type Advance = (mean: number[], isHeated: boolean) => number[]

export type Watched = {
  watch: SourceWatch
  belief: Belief
  /** The heat was there all the time: the times set aside are worth learning from. */
  isMistaken: boolean
}

/**
 * Follows, half hour by half hour, whether commanded heat arrives: pairs of twins of the room, one heated as commanded
 * and one not at all. Suspicious is a room that misses its heated twin by more than it ever did while heat was there.
 */
export function watchSource(
  before: SourceWatch,
  belief: Belief,
  slot: Slot,
  errorK: number,
  advance: Advance,
  others: SourceEvidence[],
): Watched {
  const twins = before.twins
    .filter(({ untilMs }) => untilMs === slot.endMs - SLOT_S * 1000)
    .map((twin) => moved(twin, slot, advance))
  if (slot.airC === null) return { watch: { ...before, twins }, belief, isMistaken: false }
  const shown = { nowMs: slot.endMs, airC: slot.airC, errorK }
  const watch = { ...before, twins: twins.map((twin) => noted(twin, shown)), judgedDays: before.judgedDays + 1 / 48 }
  const judged = before.kind === 'off' ? whileOff(watch, shown) : whileOn(watch, shown, others)
  const changed = changedBelief(before, judged, belief, slot.airC)
  const running = changed ? { ...judged.watch, twins: [] } : retired(judged.watch, slot.endMs)
  return {
    watch: begun(running, changed ?? belief, slot.endMs),
    belief: changed ?? belief,
    isMistaken: judged.isMistaken,
  }
}

const moved = (twin: Twin, slot: Slot, advance: Advance): Twin => ({
  ...twin,
  untilMs: slot.endMs,
  heated: advance(twin.heated, true).map(rounded),
  unheated: advance(twin.unheated, false).map(rounded),
})

type Judged = { watch: SourceWatch; followed: number[] | null; isMistaken: boolean }

function whileOn(watch: SourceWatch, shown: Shown, others: SourceEvidence[]): Judged {
  let strongest: { twin: Twin; weight: number } | null = null
  let asked = false
  for (const twin of watch.twins) {
    const evidence = weigh(watch, twin, shown)
    asked ||= evidence.asked
    if (!strongest || evidence.weight > strongest.weight) strongest = { twin, weight: evidence.weight }
  }
  const evidence = { asked, weight: rounded(strongest?.weight ?? 0) }
  const isHouse = houseIsCold(evidence, others)
  const heldSlots = rounded(heldBy(watch.heldSlots, evidence.weight, isHouse))
  const kind = verdict(heldSlots)
  const earlier = kind === 'off' ? { airC: shown.airC, atMs: shown.nowMs } : null
  const next = { ...watch, kind, evidence, heldSlots, earlier }
  return { watch: next, followed: strongest?.twin.unheated ?? null, isMistaken: false }
}

function heldBy(slots: number, weight: number, isHouse: boolean): number {
  if (isHouse) return slots + 1
  return weight >= 1 ? slots + Math.min(1, weight - WEAK_WEIGHT) : 0
}

function verdict(heldSlots: number): SourceWatch['kind'] {
  if (heldSlots >= CONFIRMED_SLOTS) return 'off'
  return heldSlots >= SUSPECTED_SLOTS ? 'suspected' : 'fine'
}

/** A failed source is missed at once by all rooms that ask for heat. */
function houseIsCold(own: SourceEvidence, others: SourceEvidence[]): boolean {
  const asking = [own, ...others].filter(({ asked }) => asked).map(({ weight }) => Math.min(1.5, weight))
  if (asking.length < 2 || !own.asked) return false
  const mean = asking.reduce((sum, weight) => sum + weight, 0) / asking.length
  return mean >= HOUSE_WEIGHT && Math.min(...asking) >= HOUSE_EACH_WEIGHT
}

function whileOff(watch: SourceWatch, shown: Shown): Judged {
  const { nowMs, airC } = shown
  const back = watch.twins.find((twin) => followsHeated(watch, twin, shown))
  if (back) return { watch: fineAgain(watch), followed: back.heated, isMistaken: false }
  const { earlier } = watch
  if (!earlier || Math.abs(nowMs - earlier.atMs) < JUDGED_MS) return { watch, followed: null, isMistaken: false }
  // Once the source is held to be off, the disturbances stand in for the heat, and twins differ no more from the room. A
  // room that keeps its temperature all the same is heated.
  if (airC > earlier.airC - FALL_K) return { watch: fineAgain(watch), followed: null, isMistaken: true }
  return { watch: { ...watch, earlier: { airC, atMs: nowMs } }, followed: null, isMistaken: false }
}

const fineAgain = (watch: SourceWatch): SourceWatch => ({
  ...watch,
  kind: 'fine',
  evidence: NO_EVIDENCE,
  heldSlots: 0,
  earlier: null,
})

/** When the verdict changes, the belief is that of the twin the room turned out to follow. */
function changedBelief(
  before: SourceWatch,
  { watch, followed, isMistaken }: Judged,
  belief: Belief,
  airC: number,
): Belief | null {
  if (isMistaken) return firstBelief(airC)
  if ((watch.kind === 'off') === (before.kind === 'off') || !followed) return null
  return { ...belief, mean: followed.map((value, i) => (i === SENSED ? (belief.mean[SENSED] as number) : value)) }
}

/** A pair that ends without a suspicion shows what a heated room may miss. */
function retired(watch: SourceWatch, nowMs: number): SourceWatch {
  const isOver = ({ startMs }: Twin) => nowMs - startMs >= JUDGED_MS
  const over = watch.twins.filter(isOver)
  if (over.length === 0) return watch
  const kept = Math.exp(-(over.length * BEGIN_EVERY_MS) / (FORGOTTEN_AFTER_DAYS * 86_400_000))
  const missK = watch.missK.map((miss, i) => rounded(Math.max(kept * miss, ...over.map((twin) => twin.missK[i] ?? 0))))
  const twins = watch.twins.filter((twin) => !isOver(twin))
  return watch.kind === 'fine' ? { ...watch, twins, missK } : { ...watch, twins }
}

function begun(watch: SourceWatch, { mean }: Belief, nowMs: number): SourceWatch {
  const last = watch.twins.at(-1)
  if (last && nowMs - last.startMs < BEGIN_EVERY_MS) return watch
  return { ...watch, twins: [...watch.twins, beginTwin(mean, nowMs)] }
}
