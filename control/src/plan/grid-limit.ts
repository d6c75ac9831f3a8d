import type { GridLimit } from '../room/types.ts'

/** The share of full power that a room may take at a moment. */
export const mostShareAt = (limits: GridLimit[] | undefined, atMs: number): number =>
  (limits ?? []).reduce(
    (most, { fromMs, untilMs, share }) => (atMs >= fromMs && atMs < untilMs ? Math.min(most, share) : most),
    1,
  )

/** The same over a span of time; of several limits the strictest. */
export const mostShareWithin = (limits: GridLimit[] | undefined, spanFromMs: number, spanToMs: number): number =>
  (limits ?? []).reduce((most, { fromMs, untilMs, share }) => {
    const limitedMs = Math.max(0, Math.min(untilMs, spanToMs) - Math.max(fromMs, spanFromMs))
    return Math.min(most, 1 - ((1 - share) * limitedMs) / (spanToMs - spanFromMs))
  }, 1)

/** Those that are not over, each with whether it has begun: a decision is made anew when that changes. */
export const limitsAhead = (limits: GridLimit[] | undefined, nowMs: number): (GridLimit & { isNow: boolean })[] =>
  (limits ?? []).filter(({ untilMs }) => untilMs > nowMs).map((limit) => ({ ...limit, isNow: limit.fromMs <= nowMs }))
