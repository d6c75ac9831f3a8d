import { setpointAt } from '@hypocaust/domain'
import { efficiencyOf, type HeatSource } from '../model/efficiency.ts'
import { aimsAhead } from '../plan/aim.ts'
import type { PlanTask } from '../plan/plan-task.ts'
import { type PlannedComfort, plannedComfort } from '../plan/planned-comfort.ts'
import type { PlannedPath } from '../plan/planner.ts'
import { sanitised } from '../room/sanitise.ts'
import type { RoomControl } from '../room/state.ts'
import type { StepInput } from '../room/types.ts'
import { planTask, rungOf } from './decide.ts'
import type { LimitedRoom } from './grid-shares.ts'

/** Whether it is known that the heat is made from electricity. */
export const isElectric = (source: HeatSource | null): source is HeatSource =>
  source?.kind === 'heat-pump' || source?.kind === 'electric'

/** A room whose plan moves its valve, and other plans for it. */
export type PlannedRoom = {
  id: string
  input: StepInput
  maxFloorC: number
  planWith: (changes: Partial<StepInput>) => PlannedComfort
  /** What the source takes for the heat of a path, from a moment of it to another. */
  paidKwh: (path: PlannedPath, fromS: number, untilS: number) => number
}

/** Of the rooms that the source heats: a mat beside a heat pump takes its electricity itself. */
export function plannedRooms(rooms: LimitedRoom[], source: HeatSource, nowMs: number): PlannedRoom[] {
  return rooms.flatMap(({ id, areaM2, state, input: raw }) => {
    const input = sanitised(raw)
    const isHeated = source.kind === 'electric' || input.floorType !== 'electric'
    if (!isHeated || !state?.belief || !isPlanned(state, input)) return []
    const { belief } = state
    const aims = aimsAhead(input.settings, input.floorType, nowMs)
    const taskWith = (changes: Partial<StepInput>): PlanTask => planTask(state, belief, { ...input, ...changes }, aims)
    const task = taskWith({})
    return {
      ...{ id, input, maxFloorC: task.maxFloorC },
      planWith: (changes) => plannedComfort(taskWith(changes)),
      paidKwh: (path, fromS, untilS) => areaM2 * paidKwhM2(path, task, source, fromS, untilS),
    }
  })
}

/** Nothing else decides about the valve: neither a person, nor frost, an open window, a lock or the season. */
function isPlanned(state: RoomControl, input: StepInput): boolean {
  const { settings, nowMs, unreached, window, energy, cooling, floorType } = input
  const rung = rungOf(state, nowMs)
  const isOpen = window === 'open' || (state.airing.openSinceMs !== null && !window)
  const isLocked = energy?.grid === 'locked' && floorType !== 'electric'
  const isSteered = setpointAt(settings, nowMs).steering.kind === 'automatic' && !unreached && !state.frost
  return isSteered && !isOpen && !isLocked && !cooling && (rung === 'measured' || rung === 'predicted')
}

function paidKwhM2(
  { endS, heatKwhM2 }: PlannedPath,
  { model, nowMs, outsideAt }: PlanTask,
  source: HeatSource,
  fromS: number,
  untilS: number,
): number {
  return heatKwhM2.reduce((sum, heat, k) => {
    const [startS, stopS] = [endS[k - 1] ?? 0, endS[k] as number]
    const withinS = Math.min(stopS, untilS) - Math.max(startS, fromS)
    if (withinS <= 0) return sum
    const { outdoorC } = outsideAt(nowMs + 500 * (startS + stopS))
    return sum + ((withinS / (stopS - startS)) * heat) / efficiencyOf(source, model, outdoorC)
  }, 0)
}
