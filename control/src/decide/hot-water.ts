import type { HotWaterOrder } from '@hypocaust/domain'
import { copOf } from '../model/efficiency.ts'
import { type Energy, paidWithin } from '../model/heat-cost.ts'
import { aimsAhead } from '../plan/aim.ts'
import { plannedCosts } from '../plan/planner.ts'
import { sanitised } from '../room/sanitise.ts'
import type { RoomControl } from '../room/state.ts'
import { type BusySpan, isWatched, type StepInput } from '../room/types.ts'
import { DISINFECTED_EVERY_MS, followTank, newTank, undisinfectedSinceMs } from '../tank/follow.ts'
import { capacityKwhK } from '../tank/physics.ts'
import { type Candidate, isTooCold, TankPlan, type TankTask } from '../tank/plan.ts'
import type { Charge, TankSeen, TankSettings, TankState } from '../tank/types.ts'
import { planTask } from './decide.ts'

type HeatedRoom = { areaM2: number; state: RoomControl | null; input: StepInput }

/** As kept between two steps. */
export type HotWaterState = {
  tank: TankState
  plannedMs: number
  /** The next one, or the one that runs. */
  charge: Charge | null
  startedMs: number | null
  /** When the last one ended, and the last that was a disinfection. */
  endedMs: number | null
  triedMs: number | null
  /** Those after it. */
  later: Charge[]
}

export type HotWaterInput = {
  nowMs: number
  settings: TankSettings
  seen: TankSeen
  /** What the source can be asked for. */
  can: { charge: boolean; disinfect: boolean }
  energy: Energy | null
  outdoorAt: (atMs: number) => number
  /** The rooms whose floors get no heat meanwhile, as after their last step. */
  rooms: () => HeatedRoom[]
}

const PLANNED_EVERY_MS = 1_800_000
/** While the tank is too cold. */
const URGENT_EVERY_MS = 300_000
/** A source that has ended a charge below its temperature is not asked again at once: it would not hear a new order. */
const RESTS_MS = 3_600_000
/** From six days after the last disinfection on the next charge is one. */
const DISINFECTS_AFTER_MS = DISINFECTED_EVERY_MS - 24 * 3_600_000
/** Of the floors' loss the exact figure is worked out for so many moments, this far apart. */
const COMPARED = 4
const APART_MS = 3_600_000
/** The water in the heat exchanger is warmer than the tank, that of a floor about this warm. */
const ABOVE_TANK_K = 5
const FLOOR_WATER_C = 33
const NEAR_K = 0.5
/** A charge that takes longer than twice what it should, and this, has failed. */
const PATIENCE_MS = 1_800_000
/** A source that has not begun to make hot water by then has not heard the order. */
const BEGINS_WITHIN_MS = 900_000
const UNSEEN_FROM_C = 25
/** A source that does not reach its disinfection is asked for it once a day. */
const TRIED_EVERY_MS = 24 * 3_600_000
const LOCKED_MS = 3_600_000
const LEAST_SHARE = 0.1
const HOUR_MS = 3_600_000
const AHEAD_H = 48

/** One tick of a tank: what is known of it, and when it is heated next. */
export function stepHotWater(before: HotWaterState | null, input: HotWaterInput): HotWaterState {
  const { nowMs, settings, seen } = input
  const running = before?.startedMs == null ? null : before.charge
  const tank = before
    ? followTank(before.tank, settings, seen, running?.toC ?? null, nowMs)
    : firstSeen(settings, seen, nowMs)
  const past = {
    endedMs: running ? nowMs : (before?.endedMs ?? null),
    triedMs: running?.kind === 'disinfect' ? nowMs : (before?.triedMs ?? null),
  }
  if (!input.can.charge) return { tank, plannedMs: nowMs, charge: null, startedMs: null, ...past, later: [] }
  if (before && running && !isOver(before, running, tank, input)) return { ...before, tank }
  const everyMs = isTooCold({ nowMs, settings, tank }) ? URGENT_EVERY_MS : PLANNED_EVERY_MS
  const isPlanned = before && !running && isWithin(nowMs - before.plannedMs, everyMs)
  const { charge, later, plannedMs } = isPlanned ? before : planCharges(tank, past, input)
  const startedMs = charge && charge.fromMs <= nowMs ? nowMs : null
  return { tank, plannedMs, charge, startedMs, ...past, later }
}

/** What the source is asked for now. */
export const hotWaterOrder = ({ charge, startedMs }: HotWaterState): HotWaterOrder | null =>
  charge && startedMs !== null ? charge.kind : null

/** When the floor gets no heat because of it. */
export function hotWaterBusy(state: HotWaterState, settings: TankSettings, isAsked: boolean): BusySpan[] {
  const { charge, later, tank } = state
  if (isAsked)
    return [...(charge ? [charge] : []), ...later].map(({ fromMs, untilMs }) => ({ fromMs, untilMs, share: 1 }))
  return Array.from({ length: AHEAD_H }, (_, hour) => {
    const fromMs = Math.ceil(tank.atMs / HOUR_MS) * HOUR_MS + hour * HOUR_MS
    return { fromMs, untilMs: fromMs + HOUR_MS, share: tank.busyShare[settings.hourOf(fromMs)] as number }
  }).filter(({ share }) => share > LEAST_SHARE)
}

const isWithin = (ms: number, most: number): boolean => ms >= 0 && ms < most

function firstSeen(settings: TankSettings, seen: TankSeen, nowMs: number): TankState {
  return followTank(newTank(settings, nowMs), settings, seen, null, nowMs)
}

/** It has reached its temperature, the source has ended it by itself, or it has failed. */
function isOver(before: HotWaterState, charge: Charge, tank: TankState, { nowMs, settings, seen }: HotWaterInput) {
  const startedMs = before.startedMs ?? nowMs
  const sinceMs = nowMs - startedMs
  const lastsMs = (fromC: number) => ((charge.toC - fromC) * capacityKwhK(settings) * HOUR_MS) / tank.heatKw
  if (sinceMs < 0 || (seen.isBusy === false && sinceMs > BEGINS_WITHIN_MS)) return true
  // A source that nobody sees ends the charge by itself: it gets the time to heat a tank that is colder than expected.
  if (tank.measuredMs === null && seen.isBusy === null) return sinceMs > lastsMs(UNSEEN_FROM_C)
  const nearK = charge.kind === 'disinfect' ? 0 : NEAR_K
  if (tank.tankC >= charge.toC - nearK && sinceMs > 0) return true
  return sinceMs > 2 * Math.max(charge.untilMs - charge.fromMs, lastsMs(before.tank.tankC)) + PATIENCE_MS
}

type Planned = Pick<HotWaterState, 'plannedMs' | 'charge' | 'later'>

type Past = Pick<HotWaterState, 'endedMs' | 'triedMs'>

function planCharges(tank: TankState, past: Past, input: HotWaterInput): Planned {
  const { nowMs } = input
  const task = tankTask(tank, past, input)
  const plan = new TankPlan(task)
  const { charge } = best(plan, input)
  return { plannedMs: nowMs, charge, later: charge ? plan.after(charge) : [] }
}

function tankTask(tank: TankState, { endedMs, triedMs }: Past, input: HotWaterInput): TankTask {
  const { nowMs, settings, can, energy, outdoorAt } = input
  const isDisinfected =
    settings.disinfectC === null || !can.disinfect || nowMs - undisinfectedSinceMs(tank) < DISINFECTS_AFTER_MS
  const rests = triedMs !== null && isWithin(nowMs - triedMs, TRIED_EVERY_MS)
  const source = energy?.source ?? null
  const costFrom = (atMs: number) => {
    const paid = energy ? Math.max(LEAST_COST, paidWithin(energy, nowMs, atMs, atMs + PLANNED_EVERY_MS)) : 1
    if (source?.kind !== 'heat-pump') return () => paid / (source?.share ?? 1)
    const outdoorC = outdoorAt(atMs)
    return (waterC: number) => paid / copOf(source.quality, outdoorC, waterC + ABOVE_TANK_K)
  }
  const task: TankTask = {
    nowMs,
    settings,
    tank,
    next:
      isDisinfected || rests
        ? { kind: 'charge', latestMs: Number.POSITIVE_INFINITY }
        : { kind: 'disinfect', latestMs: undisinfectedSinceMs(tank) + DISINFECTED_EVERY_MS },
    costFrom,
    mayRun: (atMs) => {
      const isLocked = energy?.grid === 'locked' && atMs - nowMs < LOCKED_MS
      const pauses = endedMs !== null && isWithin(atMs - endedMs, isTooCold(task) ? URGENT_EVERY_MS : RESTS_MS)
      return !isLocked && !pauses
    },
  }
  return task
}

/** Heat is never worth wasting, not even when the grid pays for it. */
const LEAST_COST = 1e-3

/** The cheapest for tank and floors together, of those that are cheapest for the tank. */
function best(plan: TankPlan, { rooms }: HotWaterInput): Candidate {
  const compared: Candidate[] = []
  for (const each of plan.candidates().toSorted((a, b) => a.cost - b.cost)) {
    const isNear = ({ charge }: Candidate) =>
      charge && each.charge && Math.abs(charge.fromMs - each.charge.fromMs) < APART_MS
    if (compared.length < COMPARED && !compared.some(isNear)) compared.push(each)
  }
  if (compared.length === 1) return compared[0] as Candidate
  const floors = rooms().flatMap(floorOf)
  // The plans of rooms count in kWh at the mean cost of heat.
  const floorCost = plan.meanCost(FLOOR_WATER_C - ABOVE_TANK_K)
  const lossOf = ({ charge }: Candidate) =>
    charge ? floorCost * floors.reduce((sum, lossKwh) => sum + lossKwh(charge), 0) : 0
  const [first] = compared.map((each) => ({ each, all: each.cost + lossOf(each) })).toSorted((a, b) => a.all - b.all)
  return (first as { each: Candidate }).each
}

/** By how much the plan of a room becomes worse if it gets no heat during a charge, in kWh of heat; nothing where it has no plan. */
function floorOf({ areaM2, state, input: raw }: HeatedRoom): ((charge: Charge) => number)[] {
  const input = sanitised(raw)
  const isHeated = input.settings.steering.kind === 'automatic' && !isWatched(input) && !input.cooling
  if (!state?.belief || input.floorType === 'electric' || !isHeated || state.brokenMs !== null) return []
  const { belief } = state
  const aims = aimsAhead(input.settings, input.floorType, input.nowMs)
  const costWith = (busy: BusySpan[]) => {
    const { belowBand, rest } = plannedCosts(planTask(state, belief, { ...input, busy }, aims))
    return belowBand + rest
  }
  const undisturbed = costWith([])
  return [
    ({ fromMs, untilMs }) => {
      // What begins at once counts as well.
      const later = Math.max(fromMs, input.nowMs + 1)
      const lost = costWith([{ fromMs: later, untilMs: later + (untilMs - fromMs), share: 1 }]) - undisturbed
      return Number.isFinite(lost) ? areaM2 * Math.max(0, lost) : 0
    },
  ]
}
