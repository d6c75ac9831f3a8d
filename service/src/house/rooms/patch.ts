import { normaliseSensorId, type RoomPatch, steeringChanges } from '@hypocaust/domain'
import type { Updateable } from 'kysely'
import type { RoomTable } from '../../store/tables/rooms.ts'

/** A patch as changes to the stored room, with the sensor by its address. */
export type RoomChanges = Updateable<Omit<RoomTable, 'sensorId'>> & { sensorAddress?: string }

/** Exactly the fields sent, and what follows from hvac_mode. */
export function changesOf(patch: RoomPatch): RoomChanges {
  return {
    ...(patch.name !== undefined && { name: patch.name.trim() }),
    ...(patch.target_temperature !== undefined && { targetC: patch.target_temperature }),
    ...(patch.preset_mode !== undefined && { presetMode: patch.preset_mode }),
    ...(patch.sensor_id !== undefined && { sensorAddress: normaliseSensorId(patch.sensor_id) }),
    ...manualChangesOf(patch),
    ...(endsOverride(patch) && { override: null }),
  }
}

/** The newest change counts, so it ends an override. */
const endsOverride = (patch: RoomPatch): boolean =>
  patch.target_temperature !== undefined || Object.keys(steeringChanges(patch)).length > 0

function manualChangesOf(patch: RoomPatch): Updateable<RoomTable> {
  const { enabled, power } = steeringChanges(patch)
  return {
    ...(enabled !== undefined && { manualEnabled: enabled ? 1 : 0 }),
    ...(power !== undefined && { manualPower: power }),
  }
}
