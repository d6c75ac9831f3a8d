import {
  type AppRoom,
  type ScheduledSetpoint,
  type ScheduleInputs,
  setpointsFrom,
  timestampOf,
} from '@hypocaust/domain'

/** What a room is heated towards at a moment, and what comes next. */
export const scheduleAt = (inputs: ScheduleInputs, atMs: number): AppRoom['schedule'] => {
  const { now, next } = setpointsFrom(inputs, atMs)
  return scheduleView(now, next)
}

export const scheduleView = (now: ScheduledSetpoint, next: ScheduledSetpoint | null): AppRoom['schedule'] => ({
  setpoint: now.setpointC,
  reason: now.reason,
  until: next && timestampOf(now.untilMs),
  next: next && { at: timestampOf(next.fromMs), setpoint: next.setpointC },
})
