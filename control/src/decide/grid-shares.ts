import { heldPower, setpointAt } from '@hypocaust/domain'
import { efficiencyOf, type HeatSource, PRIOR_QUALITY } from '../model/efficiency.ts'
import { heatWm2, type Model, modelOf, withWater } from '../model/model.ts'
import { PIPE, SENSED } from '../model/motion.ts'
import { aimsAhead } from '../plan/aim.ts'
import { fallbackPower } from '../plan/fallback.ts'
import { type PlannedPath, planPath } from '../plan/planner.ts'
import { UNKNOWN_WEATHER } from '../room/outside.ts'
import { sanitised } from '../room/sanitise.ts'
import type { RoomControl } from '../room/state.ts'
import type { StepInput } from '../room/types.ts'
import { planTask, rungOf } from './decide.ts'

/** What the heat source of a building may take from the grid, in W, from a moment to another. */
export type PowerLimit = { fromMs: number; untilMs: number; powerW: number }

/** A room as after its last step. */
export type LimitedRoom = { id: string; areaM2: number; state: RoomControl | null; input: StepInput }

/** Its shares are worked out anew as often as plans are made. */
export const GRID_SHARES_EVERY_S = 1800
/** A room whose plan needs no heat may still get this share, should it turn out otherwise. */
const LEAST_SHARE = 0.05
/** A floor before it has been measured. */
const UNKNOWN_FLOOR = { pipeC: 25, airC: 20 }

/**
 * The share of its full power that each room may take while the grid limits the heat source. What is left is divided by
 * need: by what the plan of each room would take in that time without a limit. Null where the limit is not on what
 * heats the rooms. Rooms that nobody steers are left out, and what they take is taken off.
 */
export function gridShares(
  rooms: LimitedRoom[],
  limit: PowerLimit,
  source: HeatSource | null,
  nowMs: number,
): Record<string, number> | null {
  const maker = source ?? { kind: 'heat-pump' as const, quality: PRIOR_QUALITY }
  if (maker.kind === 'boiler' || maker.kind === 'district') return null
  const needs = rooms
    .filter(({ input }) => maker.kind === 'electric' || input.floorType !== 'electric')
    .map((room) => needOf(room, limit, maker, nowMs))
  const fixedW = sum(needs.map(({ isSteered, fullW, share }) => (isSteered ? 0 : fullW * share)))
  const neededW = sum(needs.map(({ isSteered, fullW, share }) => (isSteered ? fullW * share : 0)))
  const factor = neededW > 0 ? Math.max(0, limit.powerW - fixedW) / neededW : 0
  const shares = needs
    .filter(({ isSteered }) => isSteered)
    .map(({ id, share }): [string, number] => [id, Math.min(1, factor * share)])
  return shares.every(([, share]) => Number.isFinite(share)) ? Object.fromEntries(shares) : null
}

type Need = { id: string; isSteered: boolean; share: number; fullW: number }

function needOf(room: LimitedRoom, limit: PowerLimit, source: HeatSource, nowMs: number): Need {
  const { id, areaM2, state } = room
  const input = sanitised({ ...room.input, limits: [] })
  const outdoorC = (input.weather ?? state?.weather ?? UNKNOWN_WEATHER).outdoorC
  const model = withWater(modelOf(input.floorType, state?.learned ?? []), input.supply?.setC, outdoorC)
  const fullW = (areaM2 * fullWm2(model, state, outdoorC)) / efficiencyOf(source, model, outdoorC)
  const held = heldPower(setpointAt(input.settings, nowMs).steering)
  if (held !== undefined || input.unreached)
    return { id, isSteered: false, fullW, share: input.unreached ? drawnUnsteered(input.unreached) : (held ?? 0) }
  return { id, isSteered: true, fullW, share: Math.max(LEAST_SHARE, wantedShare(state, input, limit, nowMs)) }
}

const drawnUnsteered = (unreached: NonNullable<StepInput['unreached']>): number =>
  'power' in unreached ? unreached.power : 0

const fullWm2 = (model: Model, state: RoomControl | null, outdoorC: number): number => {
  const mean = state?.belief?.mean
  const warmed = mean ? { pipeC: mean[PIPE] as number, airC: mean[SENSED] as number } : UNKNOWN_FLOOR
  return heatWm2(model, outdoorC, warmed, 1)
}

/** The mean share in the time of the limit, of a plan that does not know of it. */
function wantedShare(state: RoomControl | null, input: StepInput, limit: PowerLimit, nowMs: number): number {
  const rung = state ? rungOf(state, input.nowMs) : 'learned-power'
  if (!state?.belief || rung === 'learned-power' || rung === 'pi')
    return fallbackPower(state, input.floorType, input.weather?.outdoorC ?? null, input.supply?.setC)
  const aims = aimsAhead(input.settings, input.floorType, input.nowMs)
  return meanWithin(planPath(planTask(state, state.belief, input, aims)), limit, nowMs)
}

function meanWithin({ endS, share }: PlannedPath, { fromMs, untilMs }: PowerLimit, nowMs: number): number {
  const [fromS, untilS] = [Math.max(0, (fromMs - nowMs) / 1000), (untilMs - nowMs) / 1000]
  const seconds = endS.map((end, k) => Math.max(0, Math.min(end, untilS) - Math.max(endS[k - 1] ?? 0, fromS)))
  const all = sum(seconds)
  return all > 0 ? sum(seconds.map((each, k) => each * (share[k] as number))) / all : 0
}

const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0)
