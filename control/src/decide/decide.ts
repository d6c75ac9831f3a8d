import { heldPower, PRESET_SHARE } from '@hypocaust/domain'
import { FROST } from '@hypocaust/domain/facts'
import { isIdle } from '../model/idle-hours.ts'
import { holdingPower, isQuickAir, modelOf, nothingLearned, withCoolWater, withWater } from '../model/model.ts'
import { DAYS, HOURS, SIZE, SURFACE, WALL } from '../model/motion.ts'
import type { Belief } from '../model/observer.ts'
import { airC } from '../model/thermal.ts'
import { freeShareWithin } from '../plan/busy.ts'
import { type CoolPlan, makeCoolPlan } from '../plan/cool-plan.ts'
import { fallbackPower } from '../plan/fallback.ts'
import { cappedShare, type Limited, limitFor, meanIfHeated } from '../plan/floor-limit.ts'
import { coldFloorShare, floorReason, plannedMinimum } from '../plan/floor-minimum.ts'
import { mostShareAt, mostShareWithin } from '../plan/grid-limit.ts'
import { checkOutlook, doubtK, expect } from '../plan/outlook.ts'
import { AIR_SHARE, type PlanTask } from '../plan/plan-task.ts'
import { makePlan, type PlannedPath } from '../plan/planner.ts'
import { priceReason } from '../plan/price-reason.ts'
import { blockEndMs, blockS, evenShare, minPulseS, pulse } from '../plan/pulse.ts'
import { coolWaterC } from '../room/cooling.ts'
import { sunnier, weatherAhead } from '../room/forecast.ts'
import { lostAfterS } from '../room/habit.ts'
import { heldC, holdsFloor } from '../room/held.ts'
import { outsideOf, UNKNOWN_WEATHER } from '../room/outside.ts'
import { type Block, isHeldByFeedback, type Outlook, type RoomControl } from '../room/state.ts'
import type { Aim, Cap, Decision, FloorReason, PriceReason, RoomEstimate, Rung, StepInput } from '../room/types.ts'
import { warmestWaterC } from '../room/water.ts'
import { coolFeedback, coolTask, shutNow } from './cool.ts'

export type AimAt = (atMs: number) => Aim
export type Mode = Decision['mode']

/** What a decision is made from. */
type Moment = {
  state: RoomControl
  input: StepInput
  aimAt: AimAt
  rung: Rung
  /** The holder has changed something since the last block. */
  wishChanged: boolean
  caps: Cap[]
}

type Wanted = {
  share: number
  without: Decision['without']
  outlook: Outlook
  price?: PriceReason | null
  floor?: FloorReason | null
  path?: PlannedPath
}

const MEASURED_S = 600
/** A model that has been learned knows sun and people, and the power for such weather does not: it goes on alone. */
const UNLEARNED_MODEL_S = 12 * 3600
const PI_GAIN_PER_K = 0.2

/** The open time of the coming block, and why. Only called when a block begins or the wish has changed. */
export function decideBlock(state: RoomControl, input: StepInput, aimAt: AimAt, mode: Mode, key: number) {
  const { nowMs } = input
  const rung = rungOf(state, nowMs)
  const moment: Moment = { state, input, aimAt, rung, wishChanged: state.block?.key !== key, caps: [] }
  const wanted = wantedIn(moment, mode)
  const endMs = blockEndMs(nowMs, state)
  const lengthS = (endMs - nowMs) / 1000
  const limited = belowFloorLimit(moment, belowGridLimit(moment, mode, wanted), lengthS)
  const heldBackMs = mode === 'heat' && limited.share < SHUT_SHARE ? heldBackSince(moment) : null
  const { openS, owedS } = openTime(moment, mode, limited.share, lengthS)
  const { without, price, floor } = wanted
  const reasons = { ...(price && { price }), ...(floor && { floor }) }
  const block: Block = { startMs: nowMs, endMs, openS, key, without, caps: moment.caps, rung, ...reasons }
  const isHeldBackForLong = heldBackMs !== null && nowMs - heldBackMs > HELD_BACK_MS
  const isBroken = limited.isBroken || isHeldBackForLong || !Number.isFinite(wanted.share + wanted.outlook.feltC)
  return { block, owedS, outlook: wanted.outlook, heldBackMs, isBroken, path: wanted.path ?? null }
}

/** A frozen pipe costs more than a warm floor: against frost the loop is open, whatever else is wanted. */
function wantedIn(moment: Moment, mode: Mode): Wanted {
  const { state } = moment
  if (state.frost) return { share: 1, without: null, outlook: state.outlook }
  if (mode === 'cool') return cooled(moment)
  return mode === 'heat' ? withPreset(moment, byRung(moment)) : byHand(moment)
}

/** The ladder: how far the sensor's silence has led away from measuring. */
export function rungOf(state: RoomControl, nowMs: number): Rung {
  if (!state.belief) return 'learned-power'
  // Only a room whose floor is held is estimated before anything was measured.
  if (state.lastReadingMs === null) return state.brokenMs === null ? 'model-only' : 'learned-power'
  const ageS = (nowMs - state.lastReadingMs) / 1000
  const isLost = ageS > lostAfterS(state.habit)
  const isLearned = state.fit.accepted > 0 && !isHeldByFeedback(state)
  if ((ageS > UNLEARNED_MODEL_S && !isLearned) || (isLost && state.brokenMs !== null)) return 'learned-power'
  if (isLost) return 'model-only'
  if (isHeldByFeedback(state)) return 'pi'
  return ageS > MEASURED_S ? 'predicted' : 'measured'
}

const byHand = ({ state, input }: Moment): Wanted => ({
  share: heldPower(input.settings.steering) ?? 0,
  without: null,
  outlook: state.outlook,
})

/** Less is no opening of a valve, only what is left over from solving the plan. */
const LEAST_COOL_SHARE = 0.02

/** Where its dew point is not known, or too near, nothing is asked for. */
function cooled(moment: Moment): Wanted {
  const { state, input, aimAt, rung, wishChanged, caps } = moment
  const shut = shutNow(state, input)
  const nothing = { share: 0, without: null, outlook: state.outlook }
  if (shut) {
    caps.push(shut)
    return nothing
  }
  if (rung === 'pi') return { ...nothing, share: coolFeedback(input, aimAt(input.nowMs)) }
  const plan = rung === 'measured' || rung === 'predicted' ? coolPlanOf(state, input, aimAt) : null
  if (!plan) return nothing
  const share = plan.power < LEAST_COOL_SHARE ? 0 : plan.power
  return { ...nothing, share, outlook: expect(state.outlook, input.nowMs, plan.outlookC, wishChanged) }
}

/** Null where what it needs is not known. */
export function coolPlanOf(state: RoomControl, input: StepInput, aimAt: AimAt): CoolPlan | null {
  const task = state.belief && coolTask(planTask(state, state.belief, input, aimAt), state, input)
  return task && makeCoolPlan(task)
}

function byRung(moment: Moment): Wanted {
  const { state, rung } = moment
  switch (rung) {
    case 'measured':
    case 'predicted':
    case 'model-only':
      return planned(moment)
    case 'pi':
      return withWarmFloor(moment, feedback(moment))
    case 'learned-power':
      return withWarmFloor(
        moment,
        fallbackPower(state, state.floorType, state.weather?.outdoorC ?? null, moment.input.supply?.setC),
      )
  }
}

/** Without a plan only a floor that is measured is kept warm. */
function withWarmFloor({ state, input }: Moment, share: number): Wanted {
  const most = coldFloorShare(input, state.airing.quickC)
  return { share: Math.max(share, most), without: null, outlook: state.outlook }
}

function planned({ state, input, aimAt, rung, wishChanged }: Moment): Wanted {
  const { belief } = state
  const estimate = estimateOf(state, input)
  if (!belief || !estimate) return { share: 0, without: null, outlook: state.outlook }
  const { nowMs } = input
  const roomC = AIR_SHARE * estimate.airC + (1 - AIR_SHARE) * (belief.mean[WALL] as number)
  const feltC = holdsFloor(input.settings) ? estimate.floorC : roomC
  const checked = rung === 'measured' && !wishChanged ? checkOutlook(state.outlook, nowMs, feltC) : state.outlook
  const task = planTask({ ...state, outlook: checked }, belief, input, aimAt)
  const plan = makePlan(task)
  const outlook = expect(checked, nowMs, plan.outlookC, wishChanged)
  const reasons = { price: priceReason(task, plan), floor: floorReason(input.settings, nowMs, plan) }
  return { share: plan.power, without: plan.without, outlook, ...reasons, path: plan.path }
}

/** What a plan made now is about. */
export function planTask(state: RoomControl, belief: Belief, input: StepInput, aimAt: AimAt): PlanTask {
  const { nowMs, settings, floorProbeC } = input
  const weather = state.weather ?? UNKNOWN_WEATHER
  // Cold water is none that the room will be heated with.
  const setC = input.cooling ? null : input.supply?.setC
  const model = withWater(modelOf(state.floorType, state.learned), setC, weather.outdoorC)
  const silentH = rungOf(state, nowMs) === 'model-only' ? (nowMs - (state.lastReadingMs ?? nowMs)) / 3_600_000 : 0
  const weatherAt = (atMs: number) => weatherAhead(input.forecast, state.forecast, weather, atMs)
  return {
    floorType: state.floorType,
    model,
    belief,
    nowMs,
    blockS: blockS(state),
    outsideAt: (atMs) => outsideOf(model, weatherAt(atMs), atMs, state),
    sunnierAt: (atMs) => outsideOf(model, sunnier(weatherAt(atMs), nowMs, atMs, state.location), atMs, state),
    aimAt,
    mostWithin: mostAhead(state, input),
    maxFloorC: limitFor(settings.maxFloorC, floorProbeC !== null),
    targetOf: settings.targetOf ?? 'air',
    floorMinimum: plannedMinimum(settings, nowMs),
    doubtK: doubtK(state.outlook, silentH),
    strategy: settings.strategy,
    energy: input.energy ?? null,
  }
}

/** In idle hours themselves a plan is made as if heat came: an open valve costs nothing, and shows when it does again. */
function mostAhead({ idle, timeZone }: RoomControl, { nowMs, limits, busy }: StepInput): PlanTask['mostWithin'] {
  const isIdleNow = isIdle(idle, timeZone, nowMs)
  const isIdleIn = (fromMs: number, toMs: number) => !isIdleNow && isIdle(idle, timeZone, (fromMs + toMs) / 2)
  const most = (fromMs: number, toMs: number) =>
    Math.min(mostShareWithin(limits, fromMs, toMs), freeShareWithin(busy, nowMs, fromMs, toMs))
  return (fromMs, toMs) => (isIdleIn(fromMs, toMs) ? 0 : most(fromMs, toMs))
}

/** What plain feedback goes by; null while nothing measures it. */
export const followedC = ({ airing }: RoomControl, { settings, floorProbeC }: StepInput): number | null =>
  holdsFloor(settings) ? floorProbeC : airing.quickC

/** Feed-forward from the book's floor, and plain proportional-integral feedback. */
function feedback({ state, input, aimAt }: Moment): number {
  const { targetC } = aimAt(input.nowMs)
  const outdoorC = state.weather?.outdoorC ?? UNKNOWN_WEATHER.outdoorC
  const errorK = targetC - (followedC(state, input) ?? targetC)
  const model = withWater(modelOf(state.floorType, nothingLearned()), input.supply?.setC, outdoorC)
  const hold = holdingPower(model, holdsFloor(input.settings) ? state.lastAimC : targetC, outdoorC)
  return Math.min(1, Math.max(0, hold + PI_GAIN_PER_K * errorK + state.integral))
}

/** The base warmth of the preset, unless the room is too warm already. */
function withPreset({ state, input, aimAt, caps }: Moment, wanted: Wanted): Wanted {
  const base = PRESET_SHARE[input.settings.presetMode]
  if (base <= wanted.share) return wanted
  const estimate = estimateOf(state, input)
  const { settings, nowMs } = input
  if (estimate && heldC(settings, estimate) > aimAt(nowMs).targetC + settings.bandK) {
    caps.push('above-band')
    return wanted
  }
  caps.push('preset')
  return { ...wanted, share: base }
}

/** Not against frost, and not what the holder sets by hand. */
function belowGridLimit({ state, input, caps }: Moment, mode: Mode, { share, without }: Wanted): number {
  const most = mostShareAt(input.limits, input.nowMs)
  if (mode !== 'heat' || state.frost || most === 1) return share
  // A plan knows of the limit and stays just below it.
  if (share > most || (without && share >= FELT_SHARE * most)) caps.push('grid-limit')
  return Math.min(share, most)
}

const FELT_SHARE = 0.95

/** Only a floor that is measured may hold back heat by plain feedback; against frost it holds back a part. */
function belowFloorLimit({ state, input, caps }: Moment, share: number, lengthS: number): Limited {
  const { floorProbeC, settings } = input
  if (share === 0 || (input.cooling && !state.frost)) return { share, isBroken: false }
  if (floorProbeC !== null && floorProbeC >= settings.maxFloorC) {
    caps.push('floor-limit')
    return { share: state.frost ? FROST.limitedShare : 0, isBroken: false }
  }
  if (!state.belief || state.frost || state.brokenMs !== null) return { share, isBroken: false }
  const weather = state.weather ?? UNKNOWN_WEATHER
  const learned = modelOf(state.floorType, state.learned)
  const model = withWater(learned, warmestWaterC(input.supply, learned, weather.outdoorC), weather.outdoorC)
  const outside = outsideOf(model, weather, input.nowMs, state)
  const limitC = limitFor(settings.maxFloorC, floorProbeC !== null)
  const means = [state.belief.mean, meanIfHeated(state, model, outside)].filter((mean) => mean !== null)
  const limits = means.map((mean) => cappedShare(model, mean, outside, share, lengthS, limitC))
  const allowed = Math.min(...limits.map((limit) => limit.share))
  if (allowed < share) caps.push('floor-limit')
  return { share: allowed, isBroken: limits.some((limit) => limit.isBroken) }
}

/** With the loop shut for so long a floor cools below any limit; a model that denies it is wrong. */
const SHUT_SHARE = 0.1
const HELD_BACK_MS = 6 * 3_600_000
const COLD_K = 1
const AT_LIMIT_K = 1

/** Since when the loop of a cold room has been shut because its floor is estimated to be at its limit. */
function heldBackSince({ state, input, aimAt, rung, caps }: Moment): number | null {
  const { air, floorProbeC, nowMs, settings } = input
  // A sensor that reports only changes is heard all the same while it is as silent as usual.
  const isHeard = air.kind === 'fresh' || (air.kind === 'stale' && rung === 'predicted')
  const isCold = isHeard && air.airC < aimAt(nowMs).lowC - COLD_K
  const isAtLimit = (state.belief?.mean[SURFACE] ?? 0) > limitFor(settings.maxFloorC, false) - AT_LIMIT_K
  if (floorProbeC !== null || holdsFloor(settings) || !isCold || !(isAtLimit || caps.includes('floor-limit')))
    return null
  // A clock that was set back leaves a beginning in the future.
  return Math.min(nowMs, state.heldBackMs ?? nowMs)
}

/** An even share is taken as it is, the gateway saves up what is too short for the valve; else it is saved up here. */
function openTime(moment: Moment, mode: Mode, share: number, lengthS: number) {
  const { state, caps } = moment
  if (mode !== 'heat' || state.frost) return { openS: share * lengthS, owedS: 0 }
  if (caps.includes('preset')) return { openS: share * lengthS, owedS: state.owedS }
  const minS = minPulseS(state.floorType)
  const isCold = share > 0 && isQuickAndCold(moment)
  // Where the air cools within minutes, heat given in advance is gone once the room is cold, and nothing is saved up.
  const wantedS = share * lengthS + (isCold ? Math.max(0, state.owedS) : state.owedS)
  if (isCold && wantedS < minS) return { openS: minS, owedS: wantedS - minS }
  const result = pulse(wantedS, lengthS, minS)
  if (share > 0 && result.openS === 0) caps.push('minimum-pulse')
  return result
}

const isQuickAndCold = ({ state, input, aimAt }: Moment): boolean =>
  !holdsFloor(input.settings) &&
  isQuickAir(state) &&
  state.airing.quickC !== null &&
  state.airing.quickC < aimAt(input.nowMs).lowC

/** What the room is held to be like now. */
export function estimateOf(state: RoomControl, input: StepInput): RoomEstimate | null {
  if (!state.belief) return null
  const learned = modelOf(state.floorType, state.learned)
  const waterC = coolWaterC(input, input.nowMs)
  const model = waterC === null ? learned : withCoolWater(learned, waterC)
  const outside = outsideOf(model, state.weather ?? UNKNOWN_WEATHER, input.nowMs, state)
  const { mean } = state.belief
  const surfaceC = mean[SURFACE] ?? 20
  const disturbanceWm2 = (mean[HOURS] ?? 0) + (mean[DAYS] ?? 0)
  const power = state.block ? evenShare(state.block) : 0
  const air = airC(model, { ...outside, disturbanceWm2 }, surfaceC, mean[WALL] ?? 20, power)
  const known = { airC: air, floorC: surfaceC, floorProbed: input.floorProbeC !== null }
  const isAskedFor = holdsFloor(input.settings) || input.settings.floorTimes !== undefined
  return known.floorProbed || !isAskedFor ? known : { ...known, floorErrorK: floorErrorK(state.belief, air) }
}

/** How far the floor of a model may be from the real one, for each kelvin that it is warmer than the air. */
const MODEL_ERROR = 0.25

/** One standard deviation: of the estimate, and of the model itself. */
const floorErrorK = ({ mean, spread }: Belief, airC: number): number =>
  Math.hypot(Math.sqrt(spread[SURFACE * SIZE + SURFACE] ?? 0), MODEL_ERROR * ((mean[SURFACE] ?? airC) - airC))
