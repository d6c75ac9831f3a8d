import { DAY_MS, nextChangeMs } from '@hypocaust/domain'
import type { Compilable } from 'kysely'
import { statement } from '../../store/statement.ts'
import type { Store } from '../../store/store.ts'
import { scheduleInputsOf } from '../rooms/schedule-inputs.ts'
import { limitTurns } from '../source/power-limit.ts'
import type { ControlInputs } from './inputs.ts'

/** Looked up anew at least this often: a clock that was set back leaves no time far ahead. */
const LOOKED_UP_EVERY_MS = DAY_MS

const setChange = statement((db, { buildingId, atMs }: { buildingId: string; atMs: number }) =>
  db.updateTable('buildings').set({ setpointsChangeAt: atMs }).where('id', '=', buildingId),
)

/** Stores when a setpoint of a building next changes by itself, unless it is looked up anew before that in any case. */
export function noteNextChange(store: Store, inputs: ControlInputs, isRevised: boolean, nowMs: number): Compilable[] {
  const { building, rooms } = inputs
  const isLookedUpLater = building.setpointsChangeAt > nowMs
  if (!isRevised && isLookedUpLater) return []
  const changes = rooms.map((room) => nextChangeMs(scheduleInputsOf(building, room), nowMs))
  const limits = limitTurns(building).filter((turnMs) => turnMs > nowMs)
  const atMs = Math.min(nowMs + LOOKED_UP_EVERY_MS, ...changes, ...limits)
  if (isLookedUpLater && building.setpointsChangeAt <= atMs) return []
  return [setChange.with(store, { buildingId: building.id, atMs })]
}
