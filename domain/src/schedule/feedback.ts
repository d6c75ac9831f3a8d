import type { Feeling } from '../facts/feelings.ts'
import { FEEDBACK, MAX_TARGET_C, MIN_TARGET_C } from '../facts/limits.ts'
import { HOUR_MS } from '../facts/time.ts'
import { scheduleOf, setpointAt } from './schedule.ts'
import type { Override, ScheduleInputs } from './types.ts'

/** One press, with what the room was heated towards and how warm it was. */
export type Press = { atMs: number; feeling: Feeling; setpointC: number; temperatureC: number | null }

/** Which way a room has to go. */
export const signOf = (feeling: Feeling): 1 | -1 => (feeling === 'too_cold' ? 1 : -1)

/**
 * The override that helps now, by the setpoint and by what is measured. It ends as soon as the plan itself asks for as
 * much: a press never takes a room the other way. Null where the room is off or under manual power.
 */
export function helpOf(
  inputs: ScheduleInputs,
  feeling: Feeling,
  temperatureC: number | null,
  nowMs: number,
): Override | null {
  const { setpointC, steering } = setpointAt(inputs, nowMs)
  if (steering.kind !== 'automatic') return null
  const plan = { ...inputs, override: null }
  const plannedC = setpointAt(plan, nowMs).setpointC
  const sign = signOf(feeling)
  const further = (a: number, b: number) => (sign > 0 ? Math.max(a, b) : Math.min(a, b))
  const nearer = (a: number, b: number) => (sign > 0 ? Math.min(a, b) : Math.max(a, b))
  const furthestC = (sign > 0 ? inputs.targetC : plannedC) + sign * FEEDBACK.mostKelvin
  const feltC = further(setpointC, temperatureC ?? setpointC)
  const helpingC = further(nearer(feltC + sign * FEEDBACK.kelvin, furthestC), further(setpointC, plannedC))
  const targetC = Math.min(MAX_TARGET_C, Math.max(MIN_TARGET_C, Math.round(10 * helpingC) / 10))
  const lastMs = Math.max(nowMs + FEEDBACK.hours * HOUR_MS, activeEndMs(inputs, nowMs))
  const meeting = scheduleOf(plan, nowMs, lastMs).find(
    (later) => later.fromMs > nowMs && sign * (later.setpointC - targetC) >= 0,
  )
  return { kind: 'target', targetC, untilMs: meeting?.fromMs ?? lastMs, setAtMs: nowMs }
}

/** An override that a person set for longer keeps its end. */
const activeEndMs = ({ override }: ScheduleInputs, nowMs: number): number =>
  override && override.untilMs > nowMs ? override.untilMs : nowMs
