import { type StepInput, type StepResult, type SupplySetpoint, supplyFor } from '@hypocaust/control'
import type { Compilable } from 'kysely'
import { statement } from '../../store/statement.ts'
import type { Store } from '../../store/store.ts'
import { circuitOfRoom } from '../source/circuits.ts'
import { isSupplyDue, supplyLimitsOf, supplySetpointOf } from '../source/supply.ts'
import type { ControlledBuilding, ControlledValve } from './controlled-building.ts'

interface Stepped {
  room: { id: string }
  input: StepInput
  step: StepResult
}

/** Every half hour, where the rooms of a building decide the supply temperature. */
export function supplyWrites(
  store: Store,
  { building, valves }: { building: ControlledBuilding; valves: readonly ControlledValve[] },
  stepped: readonly Stepped[],
  nowMs: number,
): Compilable[] {
  const limits = supplyLimitsOf(building)
  const before = supplySetpointOf(building, nowMs)
  if (!limits || !isSupplyDue(before, nowMs)) return []
  const rooms = stepped.map(({ room, input, step }) => ({
    ...{ id: room.id, state: step.state, input },
    circuit: circuitOfRoom(valves.filter(({ roomId }) => roomId === room.id)),
  }))
  const setpoint: SupplySetpoint = supplyFor(rooms, limits, before, nowMs)
  return [setSupply.with(store, { buildingId: building.id, supplySetpoint: JSON.stringify(setpoint) })]
}

const setSupply = statement((db, { buildingId, supplySetpoint }: { buildingId: string; supplySetpoint: string }) =>
  db.updateTable('buildings').set({ supplySetpoint }).where('id', '=', buildingId),
)
