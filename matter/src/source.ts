import type { Building, Room, RoomPatch } from '@hypocaust/domain'

/** A room, and what acts in it now: at night and during an override that is not what was set. */
export interface RoomNow extends Room {
  now: { setpoint: number; mode: Room['hvac_mode']; overrideUntil: string | null }
}

/** What a controller can choose for a room besides a temperature. */
export type RoomPreset = 'comfort' | 'boost'

/** Where the rooms of one building are looked at and changed. */
export interface RoomsSource {
  /** The building as it is now; undefined when there is none any more. */
  look(): Promise<{ building: Pick<Building, 'name' | 'available'>; rooms: RoomNow[] } | undefined>
  /** A temperature as it is dialled on a thermostat. On disk when it returns; a refusal throws. */
  dial(roomId: string, celsius: number): Promise<unknown>
  /** The target at once, a boost, or null for what holds without either. The same. */
  preset(roomId: string, preset: RoomPreset | null): Promise<unknown>
  /** The same. */
  patch(roomId: string, patch: RoomPatch): Promise<unknown>
}
