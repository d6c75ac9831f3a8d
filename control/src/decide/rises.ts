import { HOUR_MS, MINUTE_MS, type ScheduledSetpoint, scheduleOf, setpointAt } from '@hypocaust/domain'
import type { PlannedPath } from '../plan/planner.ts'
import type { Rise, RoomControl, WarmUp } from '../room/state.ts'
import type { RoomSettings, StepInput } from '../room/types.ts'

/** What is expected later than this before a rise says little: the room is nearly there. */
const LEAST_LEAD_MS = 2 * HOUR_MS
const LATE_MS = 15 * MINUTE_MS
const WEIGHT = 0.2
const MOST_K = 1
/** A delay is made up for within this time, and before it the room is not yet late. */
const NEAR_MS = HOUR_MS

/** The next setpoint, where it is higher than the present one. A rise after a lower setpoint is no news yet. */
export function riseAhead(settings: RoomSettings, nowMs: number, endMs: number): ScheduledSetpoint | null {
  const [before, rise] = scheduleOf(settings, nowMs, endMs, 2)
  return before && rise?.steering.kind === 'automatic' && rise.setpointC > before.setpointC ? rise : null
}

/** At a rise: how much warmer the room is than was expected hours before, as a mean of the latest rises. */
export function checkRise(rise: Rise, input: StepInput): Rise {
  const { air, settings, nowMs, unreached } = input
  if (rise.dueMs === 0 || nowMs < rise.dueMs) return rise
  const { steering, setpointC } = setpointAt(settings, nowMs)
  const isAsPlanned = steering.kind === 'automatic' && setpointC === rise.setpointC && !unreached && !input.cooling
  const over = { ...rise, dueMs: 0 }
  if (!isAsPlanned || nowMs - rise.dueMs > LATE_MS) return over
  if (air.kind !== 'fresh') return rise
  const warmerK = Math.max(-MOST_K, Math.min(MOST_K, air.airC - rise.expectedC))
  return { ...over, warmerK: rise.warmerK + WEIGHT * (warmerK - rise.warmerK) }
}

/** Keeps what the plan itself expects of a rise that is hours ahead. */
export function noteRise(rise: Rise, warmUp: WarmUp | null, nowMs: number): Rise {
  if (!warmUp || warmUp.atMs - nowMs < LEAST_LEAD_MS) return rise
  const { atMs: dueMs, setpointC, expectedC } = warmUp
  return { ...rise, dueMs, setpointC, expectedC: expectedC - latenessK(rise) }
}

/** Never warmer than the plan: what is promised errs on the side of caution. */
const latenessK = ({ warmerK }: Rise): number => Math.min(0, warmerK)

/** A path as rooms have come to their rises of late: colder around this one where they were late. */
export function asRisen(
  { rise }: RoomControl,
  nowMs: number,
  riseMs: number | undefined,
  path: PlannedPath,
): PlannedPath {
  const lateK = latenessK(rise)
  if (riseMs === undefined || lateK === 0) return path
  const share = Math.min(1, Math.max(0, riseMs - nowMs) / NEAR_MS)
  const nearness = (atMs: number) => Math.max(0, 1 - Math.abs(atMs - riseMs) / NEAR_MS)
  const airC = path.airC.map((airC, k) => airC + lateK * share * nearness(nowMs + (path.endS[k] as number) * 1000))
  return { ...path, airC }
}
