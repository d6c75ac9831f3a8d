import type { KnownRoom } from './explained.ts'
import type { Energy } from './heat-cost.ts'
import type { History, RoomSettings } from './types.ts'
import { replayRoom } from './what-if.ts'

/** Shares of the heat that the room took: 0.03 is 3 % less; below zero it would have taken more. */
export type Saving = { share: number; error: number }

/** In simulated houses the replay was wrong by up to a third of the saving, or by a percentage point. */
const ERROR_OF_SAVING = 0.25
const LEAST_ERROR = 0.007

/** What other settings would have saved in the recorded days; null where less than a day is recorded or nothing was heated. */
export function savingBy(
  room: KnownRoom,
  history: History,
  settings: { own: RoomSettings; other: RoomSettings },
  energy: Energy | null = null,
): Saving | null {
  const own = replayRoom(room, history, settings.own, energy)
  const other = replayRoom(room, history, settings.other, energy)
  if (!own || !other || own.heatKwhM2 <= 0) return null
  const share = 1 - other.heatKwhM2 / own.heatKwhM2
  return { share, error: errorOfSaving(share) }
}

/** Of a share that a replay has saved. */
export const errorOfSaving = (share: number): number => LEAST_ERROR + ERROR_OF_SAVING * Math.abs(share)
