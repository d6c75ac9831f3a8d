import type { Building, Room, RoomPatch } from '@hypocaust/domain'

/** Where the rooms of one building are looked at and changed. */
export interface RoomsSource {
  /** The building as it is now; undefined when there is none any more. */
  look(): Promise<{ building: Pick<Building, 'name' | 'available'>; rooms: Room[] } | undefined>
  /** On disk when it returns; a refusal throws. */
  patch(roomId: string, patch: RoomPatch): Promise<unknown>
}
