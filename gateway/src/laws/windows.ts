import type { WindowReport } from '@hypocaust/domain'
import { cycleEndMs, cycleMs, mostOwedMs, opensNow, type Rhythm } from './cycle.ts'

/**
 * When a loop is open. Its flow follows the asked power: what it was given too much or too little is owed, so that the
 * average is right. Each window is reported with the flow it had. Monotonic milliseconds throughout; state in, state out.
 */
export interface Duty {
  power: number
  /** Whole milliseconds: the windows' boundaries must be exact. */
  windowMs: number
  source: 'command' | 'fallback' | 'watched'
  seq: number | null
}

export interface Limits {
  rhythm: Rhythm
  /** The relay switches no sooner than this after it has switched; `fullMs` when the loop is not switched off. */
  minMs: number
  fullMs: number
  /** A loop not opened for this long is exercised; null for electric mats and when switched off. */
  exerciseAfterMs: number | null
}

/** What has happened since the last step. */
export interface Happened {
  /** Time of full flow, at most the time passed. */
  flowMs: number
  /** Whether the relay reports open. */
  isOpen: boolean
}

export interface Report {
  source: WindowReport['source']
  seq: number | null
  startMs: number
  windowMs: number
  openMs: number
}

interface Window {
  startMs: number
  endMs: number
  duty: Duty
  flowMs: number
}

export interface Loop {
  /** The command of the valve. */
  open: boolean
  movedMs: number
  /** Flow the loop is behind its power; negative when it is ahead. */
  owedMs: number
  /** When it last had a power above 0. */
  askedMs: number
  window: Window
  exercise: { startMs: number; openMs: number } | null
  /** Time since the valve last opened fully. */
  idleMs: number
  /** Everything up to here is in the books. */
  bookedMs: number
}

export const EXERCISE_MS = 300_000
/** The control asks for nothing between two openings; after so long the room is off, and nothing is owed any more. */
const OFF_AFTER_MS = 7_200_000
const EXERCISE_AGAIN_MS = 3_600_000

export function newLoop(duty: Duty, nowMs: number, kept: { idleMs: number; owedMs?: number; open?: boolean }): Loop {
  return {
    open: kept.open ?? false,
    movedMs: Number.NEGATIVE_INFINITY,
    owedMs: kept.owedMs ?? 0,
    askedMs: kept.owedMs === undefined ? Number.NEGATIVE_INFINITY : nowMs,
    window: newWindow(duty, nowMs),
    exercise: null,
    idleMs: kept.idleMs,
    bookedMs: nowMs,
  }
}

/** Books what has happened, reports the windows that are over, and takes up the duty. */
export function stepLoop(loop: Loop, duty: Duty, limits: Limits, nowMs: number, happened: Happened) {
  const reports: Report[] = []
  const passedMs = nowMs - loop.bookedMs
  const share = passedMs > 0 ? Math.min(1, happened.flowMs / passedMs) : 0
  let at = loop
  while (nowMs >= at.window.endMs) {
    at = book(at, limits, at.window.endMs, share, happened.isOpen)
    reports.push(reportOf(at.window, at.window.endMs))
    at = { ...at, window: newWindow(duty, at.window.endMs) }
  }
  at = book(at, limits, nowMs, share, happened.isOpen)
  if (differs(at.window.duty, duty)) {
    if (nowMs > at.window.startMs) reports.push(reportOf(at.window, nowMs))
    at = { ...at, window: newWindow(duty, nowMs) }
  } else {
    at = { ...at, window: { ...at.window, duty } }
  }
  if (duty.power > 0) at = { ...at, askedMs: nowMs }
  else if (nowMs - at.askedMs > OFF_AFTER_MS) at = { ...at, owedMs: 0 }
  if (at.exercise && nowMs - at.exercise.startMs >= EXERCISE_MS) {
    reports.push(exerciseReport(at.exercise, nowMs))
    at = endExercise(at, limits)
  }
  return { loop: at, reports }
}

/** `tailMs`: flow still to come when the valve closes now. */
export function wantsOpen(loop: Loop, limits: Limits, nowMs: number, tailMs: number): boolean {
  const { power, windowMs } = loop.window.duty
  const { rhythm, minMs, fullMs } = limits
  if (loop.exercise) return true
  const settledMs = nowMs - loop.movedMs
  if (settledMs < (power === 0 ? minMs : fullMs)) return loop.open
  if (power === 0 || power === 1) return power === 1
  const lengthMs = cycleMs(power, windowMs, rhythm)
  const endMs = cycleEndMs(lengthMs, rhythm, nowMs)
  const neededMs = loop.owedMs + power * (endMs - nowMs) - tailMs
  return loop.open ? neededMs > 0 : opensNow(neededMs, lengthMs, endMs, rhythm, nowMs)
}

export function moveLoop(loop: Loop, open: boolean, nowMs: number): Loop {
  return open === loop.open ? loop : { ...loop, open, movedMs: nowMs }
}

export function wantsExercise(loop: Loop, limits: Limits): boolean {
  return limits.exerciseAfterMs !== null && loop.idleMs >= limits.exerciseAfterMs && !loop.open && !loop.exercise
}

export function startExercise(loop: Loop, nowMs: number): Loop {
  return moveLoop({ ...loop, exercise: { startMs: nowMs, openMs: 0 } }, true, nowMs)
}

function book(loop: Loop, { rhythm, minMs }: Limits, untilMs: number, share: number, isOpen: boolean): Loop {
  const dtMs = untilMs - loop.bookedMs
  const { power, windowMs } = loop.window.duty
  const fullyOpen = isOpen && loop.open && untilMs - loop.movedMs >= Math.min(minMs, EXERCISE_MS)
  const booked = { ...loop, bookedMs: untilMs, idleMs: fullyOpen ? 0 : loop.idleMs + dtMs }
  if (loop.exercise) {
    const openMs = loop.exercise.openMs + (isOpen ? dtMs : 0)
    return { ...booked, exercise: { ...loop.exercise, openMs } }
  }
  // Bounded, so that a relay that was away for a day is not made up for.
  const mostMs = mostOwedMs(power, windowMs, rhythm)
  const owedMs = Math.min(mostMs, Math.max(-mostMs, loop.owedMs + (power - share) * dtMs))
  return { ...booked, owedMs, window: { ...loop.window, flowMs: loop.window.flowMs + share * dtMs } }
}

function newWindow(duty: Duty, startMs: number): Window {
  const endMs = (Math.floor(startMs / duty.windowMs) + 1) * duty.windowMs
  return { startMs, endMs, duty, flowMs: 0 }
}

const differs = (a: Duty, b: Duty) => a.source !== b.source || a.windowMs !== b.windowMs

function endExercise(loop: Loop, { exerciseAfterMs }: Limits): Loop {
  const moved = (loop.exercise?.openMs ?? 0) >= EXERCISE_MS / 2
  const idleMs = moved ? 0 : Math.max(0, (exerciseAfterMs ?? 0) - EXERCISE_AGAIN_MS)
  return { ...loop, exercise: null, idleMs }
}

function reportOf({ duty, startMs, flowMs }: Window, endMs: number): Report {
  return { source: duty.source, seq: duty.seq, startMs, windowMs: endMs - startMs, openMs: flowMs }
}

function exerciseReport({ startMs, openMs }: { startMs: number; openMs: number }, endMs: number): Report {
  return { source: 'exercise', seq: null, startMs, windowMs: endMs - startMs, openMs }
}
