import type { Energy } from '../model/heat-cost.ts'
import { modelOf } from '../model/model.ts'
import type { History, RoomSettings } from '../room/types.ts'
import type { KnownRoom } from './explained.ts'
import { longerNights } from './longer-nights.ts'
import { replayRoom } from './what-if.ts'

/** Shares of the heat that the room took: 0.03 is 3 % less; below zero it would have taken more. */
export type Saving = { share: number; error: number }

/** What two usual changes would have saved; null where the change is none, as of a night that there is not. */
export type RoomSavings = { halfDegree: Saving | null; hourOfNight: Saving | null }

export const HALF_DEGREE_K = 0.5

/** In simulated houses the replay was wrong by up to a third of the saving, or by a percentage point. */
const ERROR_OF_SAVING = 0.25
const LEAST_ERROR = 0.007

/** Of the recorded days: half a degree less, and every setback an hour earlier. */
export function savingsOf(
  room: KnownRoom,
  history: History,
  own: RoomSettings,
  energy: Energy | null = null,
): RoomSavings {
  const night = longerNights(own.programme)
  const [halfDegree = null, hourOfNight = null] = savingsBy(
    room,
    history,
    own,
    [{ ...own, targetC: own.targetC - HALF_DEGREE_K }, ...(night ? [{ ...own, programme: night }] : [])],
    energy,
  )
  return { halfDegree, hourOfNight }
}

/** What other settings would have saved in the recorded days; null where less than a day is recorded or nothing was heated. */
export const savingBy = (
  room: KnownRoom,
  history: History,
  { own, other }: { own: RoomSettings; other: RoomSettings },
  energy: Energy | null = null,
): Saving | null => savingsBy(room, history, own, [other], energy)[0] ?? null

/**
 * A room that alone is cooler takes heat from the rooms beside it, which saves the house nothing: so they are taken to
 * change as it does, and no heat flows between them.
 */
function savingsBy(
  room: KnownRoom,
  history: History,
  own: RoomSettings,
  others: RoomSettings[],
  energy: Energy | null,
): (Saving | null)[] {
  const alone = { ...modelOf(room.floorType, room.learned), neighbourWk: 0 }
  const heatWith = (settings: RoomSettings) => replayRoom(room, history, settings, energy, alone)?.heatKwhM2
  const ownKwhM2 = heatWith(own)
  if (!ownKwhM2) return []
  return others.map((other) => {
    const otherKwhM2 = heatWith(other)
    if (otherKwhM2 === undefined) return null
    const share = 1 - otherKwhM2 / ownKwhM2
    return { share, error: errorOfSaving(share) }
  })
}

/** Of a share that a replay has saved. */
export const errorOfSaving = (share: number): number => LEAST_ERROR + ERROR_OF_SAVING * Math.abs(share)
