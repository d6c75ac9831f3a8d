import { HOUR_MS, MINUTE_MS, timestampOf } from '@hypocaust/domain'
import { hoursOf, SCREED_LONGEST_MIN, SCREED_TOLERANCE_K, type ScreedTrouble } from '@hypocaust/domain/facts'
import { AHEAD_MS } from '../../base/clock.ts'
import { type Sample, type ScreedRun, screedSetC, stepAt } from '../loop-run/screed-run.ts'
import type { Entry, EntryOf } from './entries.ts'

/** What the gateways of the building report now. */
export interface Seen {
  /** Whether every gateway with a loop of the programme reports. */
  isReached: boolean
  /** As the manifolds of the programme measure it; null where none does. */
  water: { leastC: number; mostC: number } | null
  lock: 'hot_water' | 'flow_temperature' | null
}

/** Longer between two looks, and the service was away. */
const LONGEST_PAUSE_MS = 5 * MINUTE_MS
const SAMPLE_MS = 30 * MINUTE_MS
/** Water so much above the warmest of the programme harms the screed: the loops are closed. */
const TOO_HOT_K = 5
/** They open again when it has become so much colder. */
const COOLED_K = 3

type Advanced = { run: ScreedRun; entries: Entry[] }

/** A programme one look further, and what its record says of that. */
export function advanceScreed(before: ScreedRun, seen: Seen, nowMs: number): Advanced {
  const isTooSoon = nowMs <= before.lookedMs && before.lookedMs - nowMs <= AHEAD_MS
  if (before.ended || isTooSoon) return { run: before, entries: [] }
  const entries: Entry[] = []
  const say = (entry: EntryOf, atMs = nowMs) => entries.push({ at: timestampOf(atMs), ...entry } as Entry)
  let run = acrossPause(before, nowMs, say)
  run = judged(run, seen, nowMs, say)
  run = counted(run, nowMs - before.lookedMs, nowMs)
  run = sampled(run, seen, nowMs, say)
  run = { ...run, lookedMs: nowMs }
  if (stepAt(run) !== stepAt(before)) say(stepEntry(run))
  return run.heldMs < hoursOf(run.steps) * HOUR_MS
    ? { run, entries }
    : withEnd({ run, entries }, 'finished', null, nowMs)
}

/** The end, with everything that is still to be said. */
export function endScreed(before: ScreedRun, seen: Seen, by: string, nowMs: number): Advanced {
  const advanced = advanceScreed(before, seen, nowMs)
  return advanced.run.ended ? advanced : withEnd(advanced, 'stopped', by, nowMs)
}

type Say = (entry: EntryOf, atMs?: number) => void

export const stepEntry = (run: ScreedRun): EntryOf & { kind: 'step' } => {
  const step = stepAt(run)
  return { kind: 'step', step, supply_c: run.steps[step]?.supply_c ?? 0, hours: run.steps[step]?.hours ?? 0 }
}

export const emptySample = (fromMs: number): Sample => ({
  fromMs,
  readings: 0,
  sumC: 0,
  leastC: Number.MAX_VALUE,
  mostC: -Number.MAX_VALUE,
})

/** What was measured up to the last look, and the time of which nothing is known; also where the clock was set back. */
function acrossPause(run: ScreedRun, nowMs: number, say: Say): ScreedRun {
  const pauseMs = nowMs - run.lookedMs
  if (pauseMs >= 0 && pauseMs <= LONGEST_PAUSE_MS) return run
  saySample(run, run.lookedMs, say)
  say({ kind: 'gap', from: timestampOf(run.lookedMs) })
  const stoodSinceMs = Math.min(nowMs, run.stoodSinceMs ?? run.lookedMs)
  const trouble = run.trouble && { ...run.trouble, sinceMs: Math.min(nowMs, run.trouble.sinceMs) }
  return { ...run, sample: emptySample(nowMs), stoodSinceMs, trouble }
}

/** What is wrong now, and whether it is something else than before. */
function judged(run: ScreedRun, seen: Seen, nowMs: number, say: Say): ScreedRun {
  const setC = screedSetC(run, nowMs)
  const kind = troubleOf(run, seen, setC)
  const water = waterOf(seen)
  const worstC = water && worstOf(water, setC)
  const differenceK = worstC === null ? 0 : Math.abs(worstC - setC)
  const isShut = water === null ? run.isShut : isTooHot(run, water.mostC)
  if (kind === run.trouble?.kind)
    return {
      ...run,
      isShut,
      trouble: run.trouble && { ...run.trouble, worstK: Math.max(run.trouble.worstK, differenceK) },
    }
  if (run.trouble) sayEnd(run.trouble, nowMs, say)
  if (kind) say({ kind: 'deviation', because: kind, set: setC, measured: worstC === null ? null : tenth(worstC) })
  return { ...run, isShut, trouble: kind && { kind, sinceMs: nowMs, worstK: differenceK } }
}

function troubleOf(run: ScreedRun, { isReached, water, lock }: Seen, setC: number): ScreedTrouble | null {
  if (!isReached) return 'gateway_silent'
  if (lock === 'hot_water') return 'hot_water'
  if (lock === 'flow_temperature') return 'flow_limit'
  if (water === null) return 'not_measured'
  if (isTooHot(run, water.mostC)) return 'too_hot'
  if (water.mostC > setC + SCREED_TOLERANCE_K) return 'too_warm'
  return water.leastC < setC - SCREED_TOLERANCE_K ? 'too_cold' : null
}

/** Whatever else is wrong: a manifold that is heard may have too hot water while another one is silent. */
function isTooHot({ steps, isShut }: ScreedRun, waterC: number): boolean {
  const hotC = Math.max(...steps.map(({ supply_c }) => supply_c)) + TOO_HOT_K
  return waterC > (isShut ? hotC - COOLED_K : hotC)
}

type Water = NonNullable<Seen['water']>

/** Of the coldest and the warmest water the one that is further from what is asked for. */
const worstOf = ({ leastC, mostC }: Water, setC: number): number => (mostC - setC >= setC - leastC ? mostC : leastC)

/** While the loops are locked the water at the probe is not that of the floor. */
const waterOf = ({ water, lock }: Seen): Water | null => (lock === null ? water : null)

/** Only time with the water that is asked for counts, and short pauses for hot water. */
function counted(run: ScreedRun, passedMs: number, nowMs: number): ScreedRun {
  const { trouble } = run
  const isShortPause = trouble?.kind === 'hot_water' && nowMs - trouble.sinceMs <= SCREED_LONGEST_MIN * MINUTE_MS
  if (trouble !== null && !isShortPause) return { ...run, stoodSinceMs: run.stoodSinceMs ?? trouble.sinceMs }
  if (run.stoodSinceMs === null) return { ...run, heldMs: run.heldMs + passedMs }
  return run
}

/** The water so far, written down every half hour; and what an interruption that is over means for the programme. */
function sampled(run: ScreedRun, seen: Seen, nowMs: number, say: Say): ScreedRun {
  const { sample } = run
  const water = waterOf(seen)
  const taken: Sample =
    water === null
      ? sample
      : {
          ...sample,
          readings: sample.readings + 1,
          sumC: sample.sumC + (water.leastC + water.mostC) / 2,
          leastC: Math.min(sample.leastC, water.leastC),
          mostC: Math.max(sample.mostC, water.mostC),
        }
  const isDue = nowMs - sample.fromMs >= SAMPLE_MS
  if (isDue) saySample({ ...run, sample: taken }, nowMs, say)
  return resumed({ ...run, sample: isDue ? emptySample(nowMs) : taken }, nowMs, say)
}

function resumed(run: ScreedRun, nowMs: number, say: Say): ScreedRun {
  if (run.stoodSinceMs === null || run.trouble !== null) return run
  const stoodMs = nowMs - run.stoodSinceMs
  const isLong = run.restartAfterMs !== null && stoodMs > run.restartAfterMs
  if (isLong) say({ kind: 'restarted', stood_minutes: minutes(stoodMs) })
  return { ...run, stoodSinceMs: null, ...(isLong && { heldMs: 0 }) }
}

function withEnd(
  { run, entries }: Advanced,
  because: 'finished' | 'stopped',
  by: string | null,
  nowMs: number,
): Advanced {
  const at = timestampOf(nowMs)
  const rest: Entry[] = []
  const say: Say = (entry) => rest.push({ at, ...entry } as Entry)
  if (run.trouble) sayEnd(run.trouble, nowMs, say)
  if (nowMs > run.sample.fromMs) saySample(run, nowMs, say)
  say({ kind: 'ended', because, held_hours: tenth(run.heldMs / HOUR_MS), by })
  return {
    run: { ...run, lookedMs: nowMs, trouble: null, ended: { atMs: nowMs, because } },
    entries: [...entries, ...rest],
  }
}

function saySample(run: ScreedRun, untilMs: number, say: Say): void {
  const { fromMs, readings, sumC, leastC, mostC } = run.sample
  if (untilMs <= fromMs) return
  const water = readings > 0 ? { mean: tenth(sumC / readings), least: tenth(leastC), most: tenth(mostC) } : NO_WATER
  say({ kind: 'measured', from: timestampOf(fromMs), set: screedSetC(run, untilMs), ...water, readings }, untilMs)
}

const NO_WATER = { mean: null, least: null, most: null }

function sayEnd({ kind, sinceMs, worstK }: NonNullable<ScreedRun['trouble']>, nowMs: number, say: Say): void {
  const lastedMin = minutes(nowMs - sinceMs)
  say({
    kind: 'deviation_ended',
    because: kind,
    since: timestampOf(sinceMs),
    minutes: lastedMin,
    worst_k: tenth(worstK),
    is_long: lastedMin > SCREED_LONGEST_MIN,
  })
}

const minutes = (ms: number): number => Math.round(ms / MINUTE_MS)
const tenth = (value: number): number => Math.round(value * 10) / 10
