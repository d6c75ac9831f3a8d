import { type Suspect, seemSwapped } from '@hypocaust/control'
import { DAY_MS } from '@hypocaust/domain'
import { slotsOf } from '../../house/heating/slots.ts'
import type { Store } from '../../store/store.ts'
import type { RoomFacts } from './facts.ts'

const LOOKED_BACK_MS = 3 * DAY_MS
/** Of swapped rooms one is far too cold and the other far too warm, so the days of other rooms are not read. */
const FAR_K = 1

type Place = { lat: number; lng: number }

/** Pairs of rooms that answer to each other's heat, in the order of the rooms. */
export async function swappedAmong(
  store: Store,
  rooms: RoomFacts[],
  place: Place,
  nowMs: number,
): Promise<[RoomFacts, RoomFacts][]> {
  const cold = rooms.filter((room) => farFromBand(room) === 'below')
  const warm = rooms.filter((room) => farFromBand(room) === 'above')
  if (cold.length === 0 || warm.length === 0) return []
  const suspects = new Map<RoomFacts, Suspect>()
  for (const room of [...cold, ...warm])
    suspects.set(room, { floorType: room.floorType, slots: await slotsOf(store, room.id, nowMs - LOOKED_BACK_MS) })
  const areSwapped = (one: RoomFacts, other: RoomFacts) =>
    seemSwapped(suspects.get(one) as Suspect, suspects.get(other) as Suspect, place)
  return cold.flatMap((one) =>
    warm.filter((other) => areSwapped(one, other)).map((other) => inOrder(rooms, one, other)),
  )
}

function farFromBand({ decisions, watchedSince }: RoomFacts): 'below' | 'above' | null {
  const latest = decisions.at(-1)
  if (latest?.mode !== 'heat' || latest.air === null || watchedSince !== null) return null
  if (latest.air.airC < latest.aim.lowC - FAR_K) return 'below'
  return latest.air.airC > latest.aim.highC + FAR_K ? 'above' : null
}

const inOrder = (rooms: RoomFacts[], one: RoomFacts, other: RoomFacts): [RoomFacts, RoomFacts] =>
  rooms.indexOf(one) < rooms.indexOf(other) ? [one, other] : [other, one]
