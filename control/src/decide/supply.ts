import { HOUR_MS } from '@hypocaust/domain'
import { type Model, modelOf, nothingLearned, supplyC, withWater } from '../model/model.ts'
import { aimsAhead } from '../plan/aim.ts'
import type { PlanTask } from '../plan/plan-task.ts'
import { plannedCosts } from '../plan/planner.ts'
import { UNKNOWN_WEATHER } from '../room/outside.ts'
import { sanitised } from '../room/sanitise.ts'
import { confidenceOf, type RoomControl } from '../room/state.ts'
import { isWatched, type StepInput } from '../room/types.ts'
import { planTask, rungOf } from './decide.ts'

/** What water the heat source may be asked for. */
export type SupplyLimits = { leastC: number; mostC: number }

/** Loops behind a mixer of their own. */
export type Circuit = SupplyLimits & { id: string }

/** A room as after its last step. Without a circuit it gets the water of the source as it is. */
export type SuppliedRoom = { id: string; state: RoomControl | null; input: StepInput; circuit?: Circuit | null }

/** What water is asked for, and by which room; `curve`: that room is not known well enough yet. */
type WaterSetpoint = {
  setC: number
  reason: { kind: 'room' | 'curve'; roomId: string } | { kind: 'no-demand' }
}

/** What the heat source is asked for, and the mixers of the circuits. */
export type SupplySetpoint = WaterSetpoint & {
  atMs: number
  /** The warmest water that the other rooms need, where the one that decides needs warmer. */
  othersC?: number
  circuits?: Record<string, WaterSetpoint>
}

/** What time below the comfort band may cost more with colder water, over the two days of a plan: a quarter of a K·h. */
const BELOW_BAND_KWH_M2 = 0.005
/** Floors that heat for longer lose more, and use cheap hours less. Water that is 1 K colder saves 2 to 3 % of a heat
 * pump's electricity. */
const MORE_COST_PER_K = 0.02
/** A plan with less heat is one without. */
const NO_HEAT_KWH_M2 = 0.005
/** For what no plan foresees. */
const MARGIN_K = 1
const STEP_K = 0.5
/** Water that rises faster makes a heat pump run at full speed, water that falls faster stops it. */
const RISE_K_PER_H = 4
const FALL_K_PER_H = 2
const SEARCHES = 6

/** How often it is looked for: plans are made as often. */
export const SUPPLY_EVERY_S = 1800

/**
 * The coldest water with which the plan of every room stays as good as with the warmest: for each circuit, and for the
 * source that of the room which needs the warmest.
 */
export function supplyFor(
  rooms: SuppliedRoom[],
  limits: SupplyLimits,
  before: SupplySetpoint | null,
  nowMs: number,
): SupplySetpoint {
  const hours = before ? Math.max(0, nowMs - before.atMs) / HOUR_MS : Number.POSITIVE_INFINITY
  const needs = rooms.flatMap((room) => needOf(room, within(room.circuit ?? limits, limits)))
  const circuits = Object.fromEntries(
    rooms.flatMap(({ circuit }) => {
      if (!circuit) return []
      const own = needs.filter((need) => need.circuitId === circuit.id)
      const last = before?.circuits?.[circuit.id] ?? before
      return [[circuit.id, setpointFor(warmest(own), within(circuit, limits), last, hours)]]
    }),
  )
  const need = warmest(needs)
  const next = warmest(needs.filter(({ reason }) => reason.roomId !== need?.reason.roomId))
  const othersC = next ? upToStep(next.c) : Number.POSITIVE_INFINITY
  return {
    ...setpointFor(need, limits, before, hours),
    atMs: nowMs,
    ...(need && othersC < upToStep(need.c) && { othersC }),
    ...(Object.keys(circuits).length > 0 && { circuits }),
  }
}

/** A mixer makes no warmer water than it gets, but colder water than the source may make. */
const within = ({ leastC, mostC }: SupplyLimits, source: SupplyLimits): SupplyLimits => {
  const most = Math.min(mostC, source.mostC)
  return { leastC: Math.min(most, leastC), mostC: most }
}

const warmest = (needs: Need[]): Need | null =>
  needs.reduce<Need | null>((most, each) => (most && most.c >= each.c ? most : each), null)

const setpointFor = (
  need: Need | null,
  limits: SupplyLimits,
  before: WaterSetpoint | null,
  hours: number,
): WaterSetpoint => ({
  setC: steadied(need?.c ?? limits.leastC, limits, before, hours),
  reason: need?.reason ?? { kind: 'no-demand' },
})

type Need = {
  c: number
  circuitId: string | undefined
  reason: Exclude<WaterSetpoint['reason'], { kind: 'no-demand' }>
}

function needOf({ id, state, input: raw, circuit }: SuppliedRoom, limits: SupplyLimits): Need[] {
  const circuitId = circuit?.id
  const input = sanitised(raw)
  const outdoorC = (input.weather ?? state?.weather ?? UNKNOWN_WEATHER).outdoorC
  const book = modelOf(input.floorType, nothingLearned())
  const bookC = supplyC(book, outdoorC)
  const { steering } = input.settings
  if (bookC === null || (input.unreached && !isWatched(input)) || steering.kind === 'off') return []
  // Another thermostat and a power set by hand take what the curve gives.
  if (!state?.belief || !isKnown(state, input) || steering.kind === 'manual' || isWatched(input))
    return [{ c: Math.min(bookC, limits.mostC), circuitId, reason: { kind: 'curve', roomId: id } }]
  const task = planTask(state, state.belief, input, aimsAhead(input.settings, input.floorType, input.nowMs))
  const neededC = coldestC(task, modelOf(state.floorType, state.learned), outdoorC, limits)
  return neededC === null
    ? []
    : [{ c: Math.min(neededC + MARGIN_K, limits.mostC), circuitId, reason: { kind: 'room', roomId: id } }]
}

/** A room that is measured and whose answer to heat has been learned. */
function isKnown(state: RoomControl, { nowMs }: StepInput): boolean {
  const rung = rungOf(state, nowMs)
  return (rung === 'measured' || rung === 'predicted') && confidenceOf(state) > 0
}

/** Null where the room needs no heat at all. */
function coldestC(task: PlanTask, model: Model, outdoorC: number, { leastC, mostC }: SupplyLimits): number | null {
  const costsWith = (waterC: number) => plannedCosts({ ...task, model: withWater(model, waterC, outdoorC) })
  const best = costsWith(mostC)
  if (best.bought < NO_HEAT_KWH_M2) return null
  const isEnough = (waterC: number) => {
    const { belowBand, rest } = costsWith(waterC)
    const worth = MORE_COST_PER_K * (mostC - waterC) * best.bought
    return belowBand <= best.belowBand + BELOW_BAND_KWH_M2 && rest <= best.rest + worth
  }
  if (isEnough(leastC)) return leastC
  let low = leastC
  let high = mostC
  for (let i = 0; i < SEARCHES; i++) {
    const middle = (low + high) / 2
    if (isEnough(middle)) high = middle
    else low = middle
  }
  return high
}

/** Within the limits, in steps of half a kelvin, and not faster than the source can follow. */
function steadied(wantedC: number, { leastC, mostC }: SupplyLimits, before: WaterSetpoint | null, hours: number) {
  const fromC = before?.setC ?? wantedC
  const ratedC = Math.min(fromC + RISE_K_PER_H * hours, Math.max(fromC - FALL_K_PER_H * hours, wantedC))
  return Math.min(mostC, Math.max(leastC, upToStep(ratedC)))
}

const upToStep = (c: number): number => Math.ceil(c / STEP_K) * STEP_K
