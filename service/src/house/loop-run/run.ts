import type { Finding, Opening } from '@hypocaust/control'
import { DAY_MS, type LoopsHeld, type Override } from '@hypocaust/domain'
import type { ScreedRun } from './screed-run.ts'

/** A valve of a gateway, by its channel. */
export interface Loop {
  gatewayId: string
  channel: number
}

/** One loop's turn: it waits, is open since `openedMs`, or was closed again. */
export interface Trial extends Loop {
  openedMs: number | null
  closedMs: number | null
  power: number
  finding: Finding | null
}

const END_REASONS = ['finished', 'stopped', 'cold', 'hot', 'floor_limit'] as const
export type EndReason = (typeof END_REASONS)[number]

/** A loop opened for some minutes, or the search for the room of every loop. */
export interface TrialRun {
  kind: 'test' | 'find'
  startedMs: number
  /** Since when all loops have done what the trials say. */
  sinceMs: number
  /** When the service last looked after it. */
  lookedMs: number
  /** The end of a test. */
  untilMs: number | null
  trials: Trial[]
  ended: { atMs: number; because: EndReason } | null
}

/** What holds loops of a building. It is stored with the building as JSON. */
export type LoopRun = TrialRun | ScreedRun

export const runOf = (text: string | null): LoopRun | null => (text === null ? null : (JSON.parse(text) as LoopRun))

export const isSameLoop = (a: Loop, b: Loop): boolean => a.gatewayId === b.gatewayId && a.channel === b.channel

export const openTrial = ({ trials }: TrialRun): Trial | undefined =>
  trials.find(({ openedMs, closedMs }) => openedMs !== null && closedMs === null)

export const openingOf = ({ openedMs, closedMs, power }: Trial, nowMs: number): Opening => ({
  fromMs: openedMs ?? nowMs,
  toMs: closedMs ?? nowMs,
  power,
})

/**
 * The share for which a loop is held open instead of what the control decides; null where the control decides. A test
 * holds its own loop, a search all loops of the building, the heat-up of a screed the loops of its rooms. Beyond the end nothing is held, also before anybody has noted
 * the end.
 */
export function heldShare(run: LoopRun | null, loop: Loop, nowMs: number): number | null {
  if (!run || run.ended || isPast(run, nowMs)) return null
  if (run.kind === 'screed') return run.loops.some((each) => isSameLoop(each, loop)) ? Number(!run.isShut) : null
  const current = openTrial(run)
  if (current && isSameLoop(current, loop)) return current.power
  return run.kind === 'find' ? 0 : null
}

/** Whether a test is over, also where nobody has noted that yet. */
export const isPast = (run: LoopRun, nowMs: number): boolean =>
  run.kind !== 'screed' && run.untilMs !== null && nowMs >= run.untilMs

/** The mean of a room's loops, if one of them is held: its other loops are closed meanwhile. */
export function heldRoomShare(run: LoopRun | null, loops: Loop[], nowMs: number): number | null {
  const held = loops.map((loop) => heldShare(run, loop, nowMs))
  if (held.every((share) => share === null)) return null
  return held.reduce((sum: number, share) => sum + (share ?? 0), 0) / held.length
}

/** What holds the loops of a room now, if anything does. A room that is only watched is left alone. */
export function loopsHeld(
  run: LoopRun | null,
  { watchedSince }: { watchedSince: number | null },
  loops: Loop[],
  nowMs: number,
): LoopsHeld | null {
  if (!run || watchedSince !== null || heldRoomShare(run, loops, nowMs) === null) return null
  return kindOf(run)
}

const KINDS = { test: 'loop-test', find: 'loop-search', screed: 'screed-heating' } as const
export const kindOf = ({ kind }: LoopRun): LoopsHeld => KINDS[kind]

/** Held loops as an override, so that the control still guards the floor and against frost, and knows what flows. */
export function heldOverride(run: LoopRun | null, loops: Loop[], nowMs: number): Override | null {
  const share = heldRoomShare(run, loops, nowMs)
  if (run === null || share === null) return null
  const endsMs = run.kind === 'screed' ? null : run.untilMs
  const span = { untilMs: endsMs ?? nowMs + LONGEST_RUN_MS, setAtMs: nowMs }
  return share > 0 ? { kind: 'manual', power: share, ...span } : { kind: 'off', ...span }
}

/** Longer than any search: the end of one is noted, not waited for. */
const LONGEST_RUN_MS = 30 * DAY_MS
