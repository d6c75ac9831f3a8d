import type { BusySpan } from '../room/types.ts'

/**
 * The share of a span in which the heat source heats the floor. What it does now is left out: an open valve costs nothing,
 * and takes what is left in the source as soon as the hot water is done.
 */
export function freeShareWithin(busy: BusySpan[] | undefined, nowMs: number, fromMs: number, toMs: number): number {
  const busyMs = (busy ?? [])
    .filter((span) => span.fromMs > nowMs)
    .reduce(
      (sum, span) => sum + span.share * Math.max(0, Math.min(span.untilMs, toMs) - Math.max(span.fromMs, fromMs)),
      0,
    )
  return Math.max(0, 1 - busyMs / (toMs - fromMs))
}
