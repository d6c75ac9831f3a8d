import type { RoomControl } from '@hypocaust/control'
import type { FloorType } from '@hypocaust/domain'
import { HOUR_MS, hold } from '../../control/test/room.ts'

/** A room that has reported for an hour, up to now, that it is colder than its target. */
export const coolRoom = (floorType: FloorType, nowMs: number): RoomControl =>
  hold(1, () => ({ floorType, air: { kind: 'fresh', airC: 18, ageS: 0 } }), null, nowMs - HOUR_MS).state
