import { type ScheduledSetpoint, setpointAt, setpointsFrom } from '@hypocaust/domain'
import { expectedOf, pathNow, rounded, warmUpBetween } from '../decide/expected.ts'
import { stepRoom } from '../decide/step.ts'
import { reachedAtC } from '../plan/aim.ts'
import { doubtK, OUTLOOK_S } from '../plan/outlook.ts'
import { heldC, holdsFloor, measuredC } from '../room/held.ts'
import { sanitised } from '../room/sanitise.ts'
import type { Expected, RoomControl, WarmUp } from '../room/state.ts'
import type { Aim, Decision, StepInput, Unreached } from '../room/types.ts'

const MOST_ERROR_K = 1.5

export type WhyNot =
  | 'off'
  | 'manual'
  | 'no-valve'
  | 'no-gateway'
  | 'gateway-lost'
  /** Another thermostat heats the room. */
  | 'watched'
  | 'open-window'
  | 'no-reading'
  /** The building cools. */
  | 'cooling'
  /** The setpoint changes before. */
  | 'ends-before'
  /** Also with the valve fully open. */
  | 'too-little-heat'

export type Reach =
  | { kind: 'reached' }
  | { kind: 'expected'; atMs: number; heatKwhM2: number }
  | { kind: 'no'; why: WhyNot }

/** What the plan expects, step by step; each step ends at its moment. */
export type PlannedStep = {
  atMs: number
  setpointC: number | null
  airC: number
  /** How far the room may be from that, by what was wrong lately. */
  errorK: number
  share: number
}

/** What a room is heated towards, why, until when, and what comes of it. */
export type RoomOutlook = {
  decision: Decision
  setpoint: ScheduledSetpoint
  /** As in the decision: frost protection shows here. */
  aim: Aim
  next: ScheduledSetpoint | null
  reach: Reach
  /** Where the next setpoint is higher, within the horizon of the plan. */
  warmUp: WarmUp | null
}

/** A pure function of the law: the same for the website, `/v1` and the explanation. */
export function roomOutlook(previous: RoomControl | null, raw: StepInput): RoomOutlook {
  const input = sanitised(raw)
  const { now: setpoint, next } = setpointsFrom(input.settings, input.nowMs)
  const { state, decision } = stepRoom(previous, raw)
  if (decision.mode === 'cool') return coolOutlook(input, decision, setpoint)
  const expected = isAutomatic(setpoint) ? expectedNow(state, input) : null
  return {
    decision,
    setpoint,
    aim: decision.aim,
    next,
    reach: reachOf(input, decision, setpoint, expected),
    warmUp: input.unreached ? null : (expected?.warmUp ?? null),
  }
}

/** A floor cools as far as the dew point allows: no time is promised, and no rise. */
function coolOutlook({ air }: StepInput, decision: Decision, setpoint: ScheduledSetpoint): RoomOutlook {
  const { aim } = decision
  const airC = air.kind === 'fresh' ? air.airC : decision.estimate?.airC
  const isReached = airC !== undefined && airC <= aim.highC
  const reach: Reach = isReached
    ? { kind: 'reached' }
    : { kind: 'no', why: airC === undefined ? 'no-reading' : 'cooling' }
  return { decision, setpoint: { ...setpoint, setpointC: aim.targetC }, aim, next: null, reach, warmUp: null }
}

/** By the plan that moves the valve; only where there is none for this setpoint, by one made now. */
function expectedNow(state: RoomControl, input: StepInput): Expected | null {
  const expected = state.block?.expected
  if (expected && input.nowMs < expected.untilMs) return expected
  const path = pathNow(state, input)
  return path && expectedOf(state, input, path)
}

const isAutomatic = ({ steering }: Pick<ScheduledSetpoint, 'steering'>): boolean => steering.kind === 'automatic'

/** The coming two days as a plan made now expects them. Empty where the control does not move the valve: nothing is promised there. */
export function roomPlan(previous: RoomControl | null, raw: StepInput): PlannedStep[] {
  const input = sanitised(raw)
  const { settings, nowMs, unreached } = input
  if (unreached || !isAutomatic(setpointAt(settings, nowMs))) return []
  const { state, decision } = stepRoom(previous, raw)
  // What is planned there is coolness, and the chart is about heat.
  if (decision.mode === 'cool') return []
  const path = pathNow(state, input)
  return (path?.endS ?? []).map((endS, k) => {
    const setpoint = setpointAt(settings, nowMs + endS * 1000 - 1)
    return {
      atMs: nowMs + endS * 1000,
      setpointC: isAutomatic(setpoint) ? setpoint.setpointC : null,
      airC: path?.airC[k] as number,
      errorK: expectedErrorK(state, endS),
      share: path?.share[k] as number,
    }
  })
}

/** Expectations are checked after three hours; errors that add up by chance grow with the root of the time. */
const expectedErrorK = ({ outlook }: RoomControl, aheadS: number): number =>
  Math.min(MOST_ERROR_K, doubtK(outlook, 0) * Math.sqrt(aheadS / OUTLOOK_S))

/** From when the floor would be heated to be warm by a moment, coming from one setpoint and going to a higher one. */
export function previewWarmUp(
  previous: RoomControl | null,
  raw: StepInput,
  step: { atMs: number; fromC: number; toC: number },
): WarmUp | null {
  return holdsFloor(raw.settings) ? null : warmUpBetween(stepRoom(previous, raw).state, sanitised(raw), step)
}

function reachOf(input: StepInput, decision: Decision, setpoint: ScheduledSetpoint, expected: Expected | null): Reach {
  const { steering, setpointC, untilMs } = setpoint
  if (steering.kind !== 'automatic') return { kind: 'no', why: steering.kind }
  const nowC = measuredC(input) ?? (decision.estimate ? heldC(input.settings, decision.estimate) : undefined)
  if (nowC === undefined || !expected) return { kind: 'no', why: 'no-reading' }
  if (nowC >= reachedAtC(setpointC, input.settings)) return { kind: 'reached' }
  if (input.unreached) return { kind: 'no', why: whyUnreached(input.unreached) }
  if (decision.caps.includes('open-window')) return { kind: 'no', why: 'open-window' }
  const { reached, endMs } = expected
  if (reached && reached.atMs <= untilMs)
    return { kind: 'expected', atMs: rounded(Math.max(input.nowMs, reached.atMs)), heatKwhM2: reached.heatKwhM2 }
  // A setpoint that is lowered soon is given up; one that stays is missed for want of heat.
  return { kind: 'no', why: untilMs < endMs ? 'ends-before' : 'too-little-heat' }
}

const whyUnreached = ({ kind }: Unreached): WhyNot => (kind === 'watched-unseen' ? 'watched' : kind)
