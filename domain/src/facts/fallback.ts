import { WINDOW_S } from './floors.ts'

const WINDOWS_WITHOUT_COMMAND = 3
/** Of a channel without a room, and of a gateway that knows no channel yet. */
export const SHORTEST_WINDOW_S = WINDOW_S.dry

/**
 * How long a gateway follows its last command before it heats with its fallback power: three windows, of its slowest
 * floor, because one command names all its channels.
 */
export const fallbackAfterS = (windowsS: number[]): number =>
  WINDOWS_WITHOUT_COMMAND * Math.max(SHORTEST_WINDOW_S, ...windowsS)
