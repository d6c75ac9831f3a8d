import { MINUTE_MS, setpointsFrom } from '@hypocaust/domain'
import { aimOf, aimsAhead, reachedAtC } from '../plan/aim.ts'
import { type PlannedPath, planPath } from '../plan/planner.ts'
import { holdsFloor } from '../room/held.ts'
import type { Expected, RoomControl, WarmUp } from '../room/state.ts'
import type { StepInput } from '../room/types.ts'
import { asSensed } from './as-sensed.ts'
import { type AimAt, estimateOf, planTask } from './decide.ts'
import { asRisen, riseAhead } from './rises.ts'

/** Nobody needs to know it by the minute, and an answer that is polled should not change all the time. */
const ROUNDED_TO_MS = 5 * MINUTE_MS
/** This share of the extra heat may flow before heating is said to have begun. */
const BEGUN_SHARE = 0.05
/** A room that is this close is not late. */
const IN_TIME_K = 0.3

/** What a plan that was made now says about the present setpoint, and about a higher one ahead. */
export function expectedOf(state: RoomControl, input: StepInput, path: PlannedPath): Expected {
  const { settings, nowMs } = input
  const { setpointC, untilMs } = setpointsFrom(settings, nowMs).now
  const goalC = reachedAtC(setpointC, settings)
  const k = path.airC.findIndex((each) => each >= goalC)
  return {
    untilMs,
    endMs: endMs(path, nowMs),
    reached: k < 0 ? null : { atMs: nowMs + (path.endS[k] as number) * 1000, heatKwhM2: heatUpTo(path.heatKwhM2, k) },
    warmUp: holdsFloor(settings) ? null : warmUpAhead(state, input, path),
  }
}

/** The plan as it would be made now; null where nothing is known of the room. */
export function pathNow(state: RoomControl, input: StepInput): PlannedPath | null {
  const path = pathOf(state, input, aimsAhead(input.settings, input.floorType, input.nowMs))
  return path && asPromised(state, input, path)
}

/** A plan with the air as people may be promised it: as the sensor will show it, and as late as the latest rises were. */
export function asPromised(state: RoomControl, input: StepInput, path: PlannedPath): PlannedPath {
  const { settings, nowMs } = input
  const rise = riseAhead(settings, nowMs, endMs(path, nowMs))
  return asRisen(state, nowMs, rise?.fromMs, asSensed(state, input, path))
}

const pathOf = (state: RoomControl, input: StepInput, aimAt: AimAt): PlannedPath | null =>
  state.belief && planPath(planTask(state, state.belief, input, aimAt))

const endMs = ({ endS }: PlannedPath, nowMs: number): number => nowMs + (endS.at(-1) ?? 0) * 1000

function warmUpAhead(state: RoomControl, input: StepInput, rising: PlannedPath): WarmUp | null {
  const { settings, nowMs } = input
  const rise = riseAhead(settings, nowMs, endMs(rising, nowMs))
  if (!rise) return null
  const aimAt = aimsAhead(settings, input.floorType, nowMs)
  const level = aimOf(setpointsFrom(settings, nowMs).now, settings.bandK)
  return warmUpFor(state, input, { atMs: rise.fromMs, setpointC: rise.setpointC }, rising, (atMs) =>
    atMs < rise.fromMs ? aimAt(atMs) : level,
  )
}

/** From when the floor is heated to be warm by a moment, coming from one setpoint and going to a higher one. */
export function warmUpBetween(
  state: RoomControl,
  input: StepInput,
  step: { atMs: number; fromC: number; toC: number },
): WarmUp | null {
  const aimFor = (setpointC: number, isLowered: boolean) =>
    aimOf(
      { setpointC, reason: isLowered ? 'programme' : 'target', steering: { kind: 'automatic' }, isLowered },
      input.settings.bandK,
    )
  const [from, to] = [aimFor(step.fromC, true), aimFor(step.toC, false)]
  const rising = pathOf(state, input, (atMs) => (atMs < step.atMs ? from : to))
  if (!rising) return null
  const promised = asRisen(state, input.nowMs, step.atMs, asSensed(state, input, rising))
  return warmUpFor(state, input, { atMs: step.atMs, setpointC: step.toC }, promised, () => from)
}

/** The heat of a rise is what a plan without it would not give. */
function warmUpFor(
  state: RoomControl,
  input: StepInput,
  { atMs, setpointC }: { atMs: number; setpointC: number },
  rising: PlannedPath,
  levelAt: AimAt,
): WarmUp | null {
  const { endS, airC } = rising
  const riseAt = endS.findIndex((endS) => input.nowMs + endS * 1000 >= atMs)
  const level = pathOf(state, input, levelAt)
  const estimate = estimateOf(state, input)
  if (riseAt < 0 || atMs <= input.nowMs || !level || !estimate) return null
  const expectedC = airAt(rising, estimate.airC, (atMs - input.nowMs) / 1000)
  const goalC = reachedAtC(setpointC, input.settings)
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

export const rounded = (ms: number): number => Math.round(ms / ROUNDED_TO_MS) * ROUNDED_TO_MS
