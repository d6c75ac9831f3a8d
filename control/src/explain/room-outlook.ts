import { MINUTE_MS, type ScheduledSetpoint, scheduleOf, setpointAt, setpointsFrom } from '@hypocaust/domain'
import { type AimAt, estimateOf, planTask } from '../decide/decide.ts'
import { stepRoom } from '../decide/step.ts'
import { REACHED_WITHIN_K } from '../heat/what-if.ts'
import { aimOf, aimsAhead } from '../plan/aim.ts'
import { doubtK, OUTLOOK_S } from '../plan/outlook.ts'
import { type PlannedPath, planPath } from '../plan/planner.ts'
import { sanitised } from '../room/sanitise.ts'
import type { RoomControl } from '../room/state.ts'
import type { Aim, Decision, StepInput, Unreached } from '../room/types.ts'

/** Nobody needs to know it by the minute, and an answer that is polled should not change all the time. */
const ROUNDED_TO_MS = 5 * MINUTE_MS
/** This share of the extra heat may flow before heating is said to have begun. */
const BEGUN_SHARE = 0.05
const MOST_ERROR_K = 1.5
/** A room that is this close is not late. */
const IN_TIME_K = 0.3

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
  /** The setpoint changes before. */
  | 'ends-before'
  /** Also with the valve fully open. */
  | 'too-little-heat'

export type Reach =
  | { kind: 'reached' }
  | { kind: 'expected'; atMs: number; heatKwhM2: number }
  | { kind: 'no'; why: WhyNot }

/** A higher setpoint ahead, and from when the floor is heated for it. */
export type WarmUp = {
  atMs: number
  setpointC: number
  /** The air at that moment, as the plan expects it: what may be promised. */
  expectedC: number
  /** When the plan reaches the setpoint; null where it does not within its horizon. */
  reachedMs: number | null
  /** Null while no extra heat is planned for it. */
  heatsFromMs: number | null
  isInTime: boolean
  heatKwhM2: number
}

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
  /** Empty where the control does not move the valve: nothing is promised there. */
  plan: PlannedStep[]
}

/** A pure function of the law: the same for the website, `/v1` and the explanation. */
export function roomOutlook(previous: RoomControl | null, raw: StepInput): RoomOutlook {
  const input = sanitised(raw)
  const { settings, nowMs } = input
  const { now: setpoint, next } = setpointsFrom(settings, nowMs)
  const { state, decision } = stepRoom(previous, raw)
  const path = pathOf(state, input, aimsAhead(settings, input.floorType, nowMs))
  const isFollowed = setpoint.steering.kind === 'automatic' && !input.unreached
  return {
    decision,
    setpoint,
    aim: decision.aim,
    next,
    reach: reachOf(input, decision, setpoint, path),
    warmUp: isFollowed && path ? warmUpAhead(state, input, path) : null,
    plan: isFollowed && path ? plannedSteps(state, input, path) : [],
  }
}

function plannedSteps(state: RoomControl, { settings, nowMs }: StepInput, path: PlannedPath): PlannedStep[] {
  return path.endS.map((endS, k) => {
    const { steering, setpointC } = setpointAt(settings, nowMs + endS * 1000 - 1)
    return {
      atMs: nowMs + endS * 1000,
      setpointC: steering.kind === 'automatic' ? setpointC : null,
      airC: path.airC[k] as number,
      errorK: expectedErrorK(state, endS),
      share: path.share[k] as number,
    }
  })
}

/** Expectations are checked after three hours; errors that add up by chance grow with the root of the time. */
const expectedErrorK = ({ outlook }: RoomControl, aheadS: number): number =>
  Math.min(MOST_ERROR_K, doubtK(outlook, 0) * Math.sqrt(aheadS / OUTLOOK_S))

/** From when the floor is heated to be warm by a moment, coming from one setpoint and going to a higher one. */
export function previewWarmUp(
  previous: RoomControl | null,
  raw: StepInput,
  step: { atMs: number; fromC: number; toC: number },
): WarmUp | null {
  const input = sanitised(raw)
  const { state } = stepRoom(previous, raw)
  const from = aimTowards(step.fromC, input, true)
  const to = aimTowards(step.toC, input, false)
  return warmUpFor(
    state,
    input,
    { atMs: step.atMs, setpointC: step.toC },
    {
      rising: (atMs) => (atMs < step.atMs ? from : to),
      level: () => from,
    },
  )
}

function aimTowards(setpointC: number, { settings }: StepInput, isLowered: boolean): Aim {
  const reason = isLowered ? 'programme' : 'target'
  return aimOf({ setpointC, reason, steering: { kind: 'automatic' }, isLowered }, settings.bandK)
}

const pathOf = (state: RoomControl, input: StepInput, aimAt: AimAt): PlannedPath | null =>
  state.belief && planPath(planTask(state, state.belief, input, aimAt))

function reachOf(input: StepInput, decision: Decision, setpoint: ScheduledSetpoint, path: PlannedPath | null): Reach {
  const { steering, setpointC, untilMs } = setpoint
  if (steering.kind !== 'automatic') return { kind: 'no', why: steering.kind }
  const goalC = goalOf(setpointC, input)
  const airC = input.air.kind === 'fresh' ? input.air.airC : decision.estimate?.airC
  if (airC === undefined || !path) return { kind: 'no', why: 'no-reading' }
  if (airC >= goalC) return { kind: 'reached' }
  if (input.unreached) return { kind: 'no', why: whyUnreached(input.unreached) }
  if (decision.caps.includes('open-window')) return { kind: 'no', why: 'open-window' }
  const k = path.airC.findIndex((each) => each >= goalC)
  const atMs = input.nowMs + (path.endS[k] ?? 0) * 1000
  if (k >= 0 && atMs <= untilMs)
    return { kind: 'expected', atMs: rounded(atMs), heatKwhM2: heatUpTo(path.heatKwhM2, k) }
  return { kind: 'no', why: whyNot(input, path, untilMs) }
}

const whyUnreached = ({ kind }: Unreached): WhyNot => (kind === 'watched-unseen' ? 'watched' : kind)

/** A setpoint that is lowered soon is given up; one that stays is missed for want of heat. */
function whyNot({ nowMs }: StepInput, path: PlannedPath, untilMs: number): WhyNot {
  return untilMs < endMs(path, nowMs) ? 'ends-before' : 'too-little-heat'
}

const endMs = ({ endS }: PlannedPath, nowMs: number): number => nowMs + (endS.at(-1) ?? 0) * 1000

const goalOf = (setpointC: number, { settings }: StepInput): number =>
  setpointC - (settings.strategy === 'saving' ? settings.bandK : REACHED_WITHIN_K)

export type Promised = Pick<WarmUp, 'atMs' | 'setpointC' | 'expectedC'>

/** What the outlook promises for a rise within the span given, after a step: one plan instead of the outlook's three. */
export function promiseWithin(
  state: RoomControl,
  raw: StepInput,
  span: { fromMs: number; toMs: number },
): Promised | null {
  const input = sanitised(raw)
  const { settings, nowMs } = input
  const isFollowed = setpointAt(settings, nowMs).steering.kind === 'automatic' && !input.unreached
  const { rise } = riseAhead(input, span.toMs) ?? {}
  if (!isFollowed || !rise || rise.fromMs < span.fromMs) return null
  const path = pathOf(state, input, aimsAhead(settings, input.floorType, nowMs))
  const estimate = estimateOf(state, input)
  if (!path || !estimate || rise.fromMs > endMs(path, nowMs)) return null
  const expectedC = airAt(path, estimate.airC, (rise.fromMs - nowMs) / 1000)
  return { atMs: rise.fromMs, setpointC: rise.setpointC, expectedC }
}

/** A rise after a lower setpoint is no news yet: what comes first is said first. */
function riseAhead({ settings, nowMs }: StepInput, untilMs: number) {
  const [before, rise] = scheduleOf(settings, nowMs, untilMs, 2)
  const isRise = before && rise?.steering.kind === 'automatic' && rise.setpointC > before.setpointC
  return isRise ? { before, rise } : null
}

function warmUpAhead(state: RoomControl, input: StepInput, path: PlannedPath): WarmUp | null {
  const { settings, nowMs } = input
  const ahead = riseAhead(input, endMs(path, nowMs))
  if (!ahead) return null
  const { before, rise } = ahead
  const rising = aimsAhead(settings, input.floorType, nowMs)
  const level = aimOf(before, settings.bandK)
  return warmUpFor(
    state,
    input,
    { atMs: rise.fromMs, setpointC: rise.setpointC },
    {
      rising,
      level: (atMs) => (atMs < rise.fromMs ? rising(atMs) : level),
    },
  )
}

/** The heat of a rise is what a plan without it would not give. */
function warmUpFor(
  state: RoomControl,
  input: StepInput,
  { atMs, setpointC }: { atMs: number; setpointC: number },
  aims: { rising: AimAt; level: AimAt },
): WarmUp | null {
  const rising = pathOf(state, input, aims.rising)
  const level = pathOf(state, input, aims.level)
  if (!rising || !level) return null
  const { endS, airC } = rising
  const riseAt = endS.findIndex((endS) => input.nowMs + endS * 1000 >= atMs)
  const estimate = estimateOf(state, input)
  if (riseAt < 0 || atMs <= input.nowMs || !estimate) return null
  const expectedC = airAt(rising, estimate.airC, (atMs - input.nowMs) / 1000)
  const goalC = goalOf(setpointC, input)
  const reached = airC.findIndex((each, k) => k >= riseAt && each >= goalC)
  const extraKwhM2 = rising.heatKwhM2
    .slice(0, riseAt + 1)
    .map((heat, k) => Math.max(0, heat - (level.heatKwhM2[k] as number)))
  const heatKwhM2 = heatUpTo(extraKwhM2, riseAt)
  const begins = extraKwhM2.findIndex((_, k) => heatUpTo(extraKwhM2, k) > BEGUN_SHARE * heatKwhM2)
  return {
    atMs,
    setpointC,
    heatsFromMs: begins < 0 ? null : rounded(input.nowMs + (endS[begins - 1] ?? 0) * 1000),
    expectedC,
    reachedMs: expectedC >= goalC ? atMs : reached < 0 ? null : rounded(input.nowMs + (endS[reached] as number) * 1000),
    isInTime: expectedC >= Math.min(goalC, setpointC - IN_TIME_K),
    heatKwhM2,
  }
}

/** Between the ends of two steps the air is taken to change evenly. */
function airAt({ endS, airC }: PlannedPath, airNowC: number, atS: number): number {
  const k = endS.findIndex((end) => end >= atS)
  const [fromS, toS] = [endS[k - 1] ?? 0, endS[k] as number]
  const [fromC, toC] = [airC[k - 1] ?? airNowC, airC[k] as number]
  return fromC + ((toC - fromC) * (atS - fromS)) / (toS - fromS)
}

const heatUpTo = (heatKwhM2: number[], k: number): number =>
  heatKwhM2.slice(0, k + 1).reduce((sum, heat) => sum + heat, 0)

const rounded = (ms: number): number => Math.round(ms / ROUNDED_TO_MS) * ROUNDED_TO_MS
