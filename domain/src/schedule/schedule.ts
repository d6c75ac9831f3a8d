import { AWAY_C } from '../facts/limits.ts'
import type { Steering } from '../facts/steering.ts'
import { DAY_MS } from '../facts/time.ts'
import { calendarAwayUntilMs, calendarWishAt, datedProgramme, nextCalendarChangeMs } from './calendar.ts'
import { nextStepMs, setbackAt } from './programme-steps.ts'
import type { Absence, Override, ScheduledSetpoint, ScheduleInputs, Setpoint, TargetHold } from './types.ts'

/** However far it is lowered, no room is planned colder than an empty building. */
const LEAST_C = AWAY_C.minimum
/** Further than any override or absence ends, and a week of programme behind it. */
const FURTHEST_MS = 376 * DAY_MS
const AUTOMATIC: Steering = { kind: 'automatic' }

/**
 * The one rule of what counts: an override, then manual power or off, then a target that was set for now, then an absence,
 * then a calendar, then the programme; both lowered while nobody is home.
 */
export function setpointAt(inputs: ScheduleInputs, atMs: number): Setpoint {
  const override = overrideAt(inputs, atMs)
  if (override?.kind === 'target')
    return { setpointC: override.targetC, reason: 'override', steering: AUTOMATIC, isLowered: false }
  const automatic = automaticAt(inputs, atMs)
  const steering = override ? steeringOfOverride(override) : inputs.steering
  return steering.kind === 'automatic' ? automatic : { ...automatic, reason: steering.kind, steering }
}

/** How long a target that is set now holds; null where nothing has the room elsewhere. */
export function holdFrom(inputs: ScheduleInputs, nowMs: number): TargetHold | null {
  const { setpointC, reason } = automaticAt({ ...inputs, hold: null }, nowMs)
  if (setpointC === inputs.targetC) return null
  const { vacancy } = inputs
  // It is the newest wish, also where a clock that was set back leaves an absence that was set in the future.
  const setAtMs = Math.max(nowMs, inputs.away?.setAtMs ?? nowMs)
  if (reason === 'calendar') return { kind: 'step', untilMs: calendarAwayUntilMs(inputs, nowMs), setAtMs }
  return reason === 'away'
    ? { kind: 'away', setAtMs }
    : {
        kind: 'step',
        untilMs: Math.min(
          nextProgrammeStepMs(inputs, nowMs),
          reason === 'presence' && vacancy ? vacancy.untilMs : Number.POSITIVE_INFINITY,
        ),
        setAtMs,
      }
}

/** Of a hold and an absence at the same time, the one that was set later. */
export function isHeld({ hold, away }: ScheduleInputs, atMs: number): boolean {
  if (!hold) return false
  const isIn = away !== null && isAway(away, atMs)
  if (hold.kind === 'away') return isIn && away.setAtMs <= hold.setAtMs
  // One that was set in the same moment began afterwards: in an absence the hold would be of the other kind.
  return atMs < hold.untilMs && !(isIn && away.setAtMs >= hold.setAtMs)
}

/** The setpoint at a moment, and the next one that differs; null where nothing changes it. */
export function setpointsFrom(
  inputs: ScheduleInputs,
  atMs: number,
): { now: ScheduledSetpoint; next: ScheduledSetpoint | null } {
  const [now, next = null] = scheduleOf(inputs, atMs, atMs + FURTHEST_MS, 2) as [ScheduledSetpoint]
  // That nobody has been reported for a day is no plan: the next report moves it on.
  const isLapse = now.reason === 'presence' && now.untilMs === inputs.vacancy?.untilMs
  return { now, next: isLapse ? null : next }
}

/** What the setpoint is from a moment on, for as long as asked for; neighbours always differ. */
export function scheduleOf(
  inputs: ScheduleInputs,
  fromMs: number,
  toMs: number,
  most = Number.POSITIVE_INFINITY,
): ScheduledSetpoint[] {
  const schedule: ScheduledSetpoint[] = []
  for (let atMs = fromMs; atMs < toMs; ) {
    const setpoint = setpointAt(inputs, atMs)
    const last = schedule.at(-1)
    const untilMs = Math.min(toMs, nextChangeMs(inputs, atMs))
    if (last && isSame(last, setpoint)) last.untilMs = untilMs
    else if (schedule.length === most) return schedule
    else schedule.push({ ...setpoint, fromMs: atMs, untilMs })
    atMs = untilMs
  }
  return schedule
}

/** Of an override and an absence at the same time, the one that was set later. */
function overrideAt({ override, away }: ScheduleInputs, atMs: number): Override | null {
  if (!override || atMs >= override.untilMs) return null
  return away && isAway(away, atMs) && away.setAtMs > override.setAtMs ? null : override
}

function automaticAt(inputs: ScheduleInputs, atMs: number): Setpoint {
  const { targetC, away } = inputs
  if (isHeld(inputs, atMs)) return { setpointC: targetC, reason: 'target', steering: AUTOMATIC, isLowered: false }
  if (away && isAway(away, atMs))
    return { setpointC: Math.min(targetC, away.targetC), reason: 'away', steering: AUTOMATIC, isLowered: true }
  return whileVacant(inputs, plannedAt(inputs, atMs), atMs)
}

/** Where a calendar asks for nothing else than the programme, it is the programme. */
function plannedAt(inputs: ScheduleInputs, atMs: number): Setpoint {
  const planned = programmedAt({ ...inputs, programme: datedProgramme(inputs) }, atMs)
  const wish = calendarWishAt(inputs, atMs)
  if (wish?.kind === 'away' && wish.targetC < planned.setpointC)
    return { ...planned, setpointC: wish.targetC, reason: 'calendar', isLowered: true }
  if (wish?.kind === 'comfort' && inputs.targetC > planned.setpointC)
    return { ...planned, setpointC: inputs.targetC, reason: 'calendar', isLowered: false }
  return planned
}

function programmedAt({ targetC, programme, timeZone }: ScheduleInputs, atMs: number): Setpoint {
  const setbackK = programme ? setbackAt(programme, timeZone, atMs) : 0
  if (setbackK === 0) return { setpointC: targetC, reason: 'target', steering: AUTOMATIC, isLowered: false }
  const setpointC = Math.max(LEAST_C, targetC - setbackK)
  return { setpointC, reason: 'programme', steering: AUTOMATIC, isLowered: true }
}

/** Never lower than it can be warmed from again in time, and never higher than planned. */
function whileVacant({ vacancy }: ScheduleInputs, planned: Setpoint, atMs: number): Setpoint {
  if (!vacancy || atMs < vacancy.fromMs || atMs >= vacancy.untilMs) return planned
  const setpointC = Math.max(vacancy.targetC, planned.setpointC - vacancy.mostK)
  return setpointC < planned.setpointC ? { ...planned, setpointC, reason: 'presence', isLowered: true } : planned
}

export const isAway = ({ fromMs, untilMs }: Pick<Absence, 'fromMs' | 'untilMs'>, atMs: number): boolean =>
  atMs >= fromMs && atMs < untilMs

function steeringOfOverride(override: Override): Steering {
  if (override.kind === 'manual' && override.power > 0) return { kind: 'manual', power: override.power }
  return { kind: 'off' }
}

/** When a setpoint may next change by itself; infinity where nothing is planned. */
export function nextChangeMs(inputs: ScheduleInputs, atMs: number): number {
  const { override, away, hold, vacancy } = inputs
  const held = hold?.kind === 'step' ? hold.untilMs : undefined
  const ofAbsences = [away?.fromMs, away?.untilMs, vacancy?.fromMs, vacancy?.untilMs]
  const ends = [override?.untilMs, ...ofAbsences, held].filter((ms) => ms !== undefined && ms > atMs)
  return Math.min(nextProgrammeStepMs(inputs, atMs), nextCalendarChangeMs(inputs, atMs), ...(ends as number[]))
}

function nextProgrammeStepMs(inputs: ScheduleInputs, atMs: number): number {
  const programme = datedProgramme(inputs)
  return programme ? nextStepMs(programme, inputs.timeZone, atMs) : Number.POSITIVE_INFINITY
}

/** What a programme asks for makes no difference to a room that is off or under manual power. */
const isSame = (a: Setpoint, b: Setpoint): boolean =>
  JSON.stringify(a.steering) === JSON.stringify(b.steering) &&
  (a.steering.kind !== 'automatic' || (a.setpointC === b.setpointC && a.reason === b.reason))
