import type { FloorTime } from '../facts/floor-times.ts'
import type { Programme, Weekday } from '../facts/programme.ts'
import type { Steering } from '../facts/steering.ts'

/** Another target, a fixed power, or off, for a while. */
export type Override = { untilMs: number; setAtMs: number } & (
  | { kind: 'target'; targetC: number }
  | { kind: 'manual'; power: number }
  | { kind: 'off' }
)

/** Nobody is in, and the room may cool. One without an end ends at infinity. */
export type Absence = { fromMs: number; untilMs: number; setAtMs: number; targetC: number }

/**
 * Nobody who uses the room has been home for long enough: it may cool to `targetC`, as far as it can be warm again soon
 * enough. It ends unless people are reported to be away again before that.
 */
export type Vacancy = { fromMs: number; untilMs: number; targetC: number; mostK: number }

/**
 * What an event of a calendar asks of a room: to cool, to be held at its target, or to follow the plan of a weekday on a
 * date.
 */
export type CalendarWish = { fromMs: number; untilMs: number } & (
  | { kind: 'away'; targetC: number }
  | { kind: 'comfort' }
  | { kind: 'day'; date: string; follows: Weekday }
)

/** A target that was set while something else had the room: it holds until a step, or while the absence lasts. */
export type TargetHold = { setAtMs: number } & ({ kind: 'step'; untilMs: number } | { kind: 'away' })

/** All that people have said about the warmth of a room. */
export type ScheduleInputs = {
  targetC: number
  /** Null or absent where the target is only the base of the programme. */
  hold?: TargetHold | null
  steering: Steering
  programme: Programme | null
  override: Override | null
  away: Absence | null
  /** Null or absent where somebody may be home, or where nothing follows from it. */
  vacancy?: Vacancy | null
  /** Absent where the floor has no minimum. */
  floorTimes?: FloorTime[]
  /** What calendars ask of the room, the first of several counts; null or absent where none does. */
  calendar?: CalendarWish[] | null
  timeZone: string
}

export const SETPOINT_REASONS = [
  'target',
  'programme',
  'away',
  'calendar',
  'presence',
  'override',
  'manual',
  'off',
  'frost',
] as const
export type SetpointReason = (typeof SETPOINT_REASONS)[number]

/** What a moment asks for. Under manual power and off, `setpointC` is what the heating control would aim at. */
export type Setpoint = {
  setpointC: number
  reason: SetpointReason
  steering: Steering
  /** Nobody is thought to be in a room that is lowered. */
  isLowered: boolean
}

/** A setpoint from one moment to another. */
export type ScheduledSetpoint = Setpoint & { fromMs: number; untilMs: number }
