/**
 * When a loop is open. Within each window the loop is open for the asked share of it, and what the minimum times of the
 * actuator make too much or too little is carried into the next window, so that the average is right. Monotonic
 * milliseconds throughout; state in, state out.
 */
export interface Wish {
  power: number
  /** Whole milliseconds: the windows' boundaries must be exact. */
  windowMs: number
  source: 'command' | 'fallback'
  seq: number | null
}

export interface Limits {
  /** Shortest time open, and shortest time closed. */
  minMs: number
  /** A loop not opened for this long is exercised; null for electric mats and when switched off. */
  exerciseAfterMs: number | null
  /** Where in the common rhythm this loop's windows begin, as a share of a window: spreads the openings. */
  phase: number
}

export interface Report {
  source: 'command' | 'fallback' | 'exercise'
  seq: number | null
  startMs: number
  windowMs: number
  openMs: number
}

interface Window {
  startMs: number
  endMs: number
  wish: Wish
  /** Owed from before this window; negative when the loop was open too long. */
  carryMs: number
  askedMs: number
  openMs: number
}

export interface Loop {
  /** What the valve is told. */
  open: boolean
  movedMs: number
  window: Window
  exercise: { startMs: number; openMs: number } | null
  /** Time since the valve last opened fully. */
  idleMs: number
  /** Everything up to here is in the books. */
  bookedMs: number
}

export const EXERCISE_MS = 300_000
const EXERCISE_AGAIN_MS = 3_600_000
const SLACK_MS = 5_000

export function newLoop(wish: Wish, limits: Limits, nowMs: number, idleMs: number): Loop {
  return {
    open: false,
    movedMs: Number.NEGATIVE_INFINITY,
    window: newWindow(wish, limits, nowMs, 0),
    exercise: null,
    idleMs,
    bookedMs: nowMs,
  }
}

/** `wasOpen`: whether the loop really was open since the last step, as far as anybody can tell. */
export function stepLoop(loop: Loop, wish: Wish, limits: Limits, nowMs: number, wasOpen: boolean) {
  const reports: Report[] = []
  let at = loop
  while (nowMs >= at.window.endMs) {
    at = book(at, limits, at.window.endMs, wasOpen)
    reports.push(reportOf(at.window, at.window.endMs))
    at = { ...at, window: newWindow(wish, limits, at.window.endMs, leftOver(at.window, limits)) }
  }
  at = book(at, limits, nowMs, wasOpen)
  if (differs(at.window.wish, wish)) {
    if (nowMs > at.window.startMs) reports.push(reportOf(at.window, nowMs))
    at = { ...at, window: newWindow(wish, limits, nowMs, leftOver(at.window, limits)) }
  } else {
    at = { ...at, window: { ...at.window, wish } }
  }
  if (at.exercise && nowMs - at.exercise.startMs >= EXERCISE_MS) {
    reports.push(exerciseReport(at.exercise, nowMs))
    at = endExercise(at, limits)
  }
  return { loop: move(at, decide(at, limits, nowMs), nowMs), reports }
}

export function wantsExercise(loop: Loop, limits: Limits): boolean {
  return limits.exerciseAfterMs !== null && loop.idleMs >= limits.exerciseAfterMs && !loop.open && !loop.exercise
}

export function startExercise(loop: Loop, nowMs: number): Loop {
  return move({ ...loop, exercise: { startMs: nowMs, openMs: 0 } }, true, nowMs)
}

function decide(loop: Loop, { minMs }: Limits, nowMs: number): boolean {
  if (loop.exercise) return true
  const { wish, endMs, carryMs, askedMs, openMs } = loop.window
  const remainingMs = endMs - nowMs
  const neededMs = carryMs + askedMs + wish.power * remainingMs - openMs
  const settled = nowMs - loop.movedMs >= minMs
  if (!settled) return loop.open
  if (wish.power === 0) return false
  return loop.open ? neededMs > 0 : neededMs >= Math.max(minMs, 1)
}

function book(loop: Loop, { minMs }: Limits, untilMs: number, wasOpen: boolean): Loop {
  const dtMs = untilMs - loop.bookedMs
  const openMs = wasOpen ? dtMs : 0
  const fullyOpen = wasOpen && loop.open && untilMs - loop.movedMs >= Math.min(minMs, EXERCISE_MS)
  const booked = { ...loop, bookedMs: untilMs, idleMs: fullyOpen ? 0 : loop.idleMs + dtMs }
  const window = { ...loop.window, askedMs: loop.window.askedMs + loop.window.wish.power * dtMs }
  if (loop.exercise) return { ...booked, window, exercise: { ...loop.exercise, openMs: loop.exercise.openMs + openMs } }
  return { ...booked, window: { ...window, openMs: window.openMs + openMs } }
}

/** Bounded, so that a relay that was away for a day is not made up for; nothing is owed by or to a room switched off. */
function leftOver({ wish, carryMs, askedMs, openMs }: Window, { minMs }: Limits): number {
  if (wish.power === 0) return 0
  const bound = 2 * minMs + SLACK_MS
  return Math.min(bound, Math.max(-bound, carryMs + askedMs - openMs))
}

function newWindow(wish: Wish, { phase }: Limits, startMs: number, carryMs: number): Window {
  const offsetMs = Math.round(phase * wish.windowMs)
  const endMs = offsetMs + (Math.floor((startMs - offsetMs) / wish.windowMs) + 1) * wish.windowMs
  return { startMs, endMs, wish, carryMs, askedMs: 0, openMs: 0 }
}

const differs = (a: Wish, b: Wish) => a.source !== b.source || a.windowMs !== b.windowMs

function move(loop: Loop, open: boolean, nowMs: number): Loop {
  return open === loop.open ? loop : { ...loop, open, movedMs: nowMs }
}

function endExercise(loop: Loop, { exerciseAfterMs }: Limits): Loop {
  const moved = (loop.exercise?.openMs ?? 0) >= EXERCISE_MS / 2
  const idleMs = moved ? 0 : Math.max(0, (exerciseAfterMs ?? 0) - EXERCISE_AGAIN_MS)
  return { ...loop, exercise: null, idleMs }
}

function reportOf({ wish, startMs, openMs }: Window, endMs: number): Report {
  return { source: wish.source, seq: wish.seq, startMs, windowMs: endMs - startMs, openMs }
}

function exerciseReport({ startMs, openMs }: { startMs: number; openMs: number }, endMs: number): Report {
  return { source: 'exercise', seq: null, startMs, windowMs: endMs - startMs, openMs }
}
