import { normaliseSensorId, type RoomPatch } from '@hypocaust/domain'
import type { Updateable } from 'kysely'
import type { RoomTable } from '../../store/tables.ts'

/** A patch as changes to the stored room: exactly the fields sent, and what follows from hvac_mode. */
export function changesOf(patch: RoomPatch): Updateable<RoomTable> {
  return {
    ...(patch.name !== undefined && { name: patch.name.trim() }),
    ...(patch.target_temperature !== undefined && { targetC: patch.target_temperature }),
    ...(patch.preset_mode !== undefined && { presetMode: patch.preset_mode }),
    ...(patch.sensor_id !== undefined && { sensorId: normaliseSensorId(patch.sensor_id) }),
    ...manualChangesOf(patch),
  }
}

function manualChangesOf({ hvac_mode, manual_power }: RoomPatch): Updateable<RoomTable> {
  switch (hvac_mode) {
    case 'off':
      return { manualEnabled: 1, manualPower: 0 }
    case 'heat':
      return { manualEnabled: 0 }
    default:
      return {
        ...(manual_power?.enabled !== undefined && { manualEnabled: manual_power.enabled ? 1 : 0 }),
        ...(manual_power?.power !== undefined && { manualPower: manual_power.power }),
      }
  }
}
