import { WINDOW_S } from './floors.ts'
import { heldPower, type Steering } from './steering.ts'

const WINDOWS_WITHOUT_COMMAND = 3
/** Of a channel without a room, and of a gateway that knows no channel yet. */
export const SHORTEST_WINDOW_S = WINDOW_S.dry

/**
 * How long a gateway follows its last command before it heats with its fallback power: three windows, of its slowest
 * floor, because one command names all its channels.
 */
export const fallbackAfterS = (windowsS: number[]): number =>
  WINDOWS_WITHOUT_COMMAND * Math.max(SHORTEST_WINDOW_S, ...windowsS)

/** What a gateway keeps for a room: an off room stays off, manual power stays, any other gets what it has needed lately. */
export const keptFallback = (steering: Steering, learned: number): number => heldPower(steering) ?? learned

/** What a gateway gives a room while the service cannot reach it: its last command until that expires, then its fallback. */
export const powerByContract = (room: {
  silentS: number
  fallbackAfterS: number
  commanded: number
  fallback: number
}): number => (room.silentS <= room.fallbackAfterS ? room.commanded : room.fallback)
