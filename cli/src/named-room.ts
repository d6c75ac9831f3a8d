import { findRooms, type Store } from '@hypocaust/service'
import { Failure, NotFound } from './failure.ts'
import type { Place } from './holder/session.ts'

/** A room as commands print it, whether found in the database or through the service. */
export interface NamedRoom {
  id: string
  name: string
  building: string
}

export const roomOfPlace = ({ building, room: { id, name } }: Place): NamedRoom => ({
  id,
  name,
  building: building.name,
})

/** By id, or by a name that only one room has, of the building if one is named. */
export async function roomOf(store: Store, name: string, building?: string): Promise<NamedRoom> {
  const rooms = await findRooms(store, name)
  const isThere = (room: NamedRoom) => building === undefined || room.building.toLowerCase() === building.toLowerCase()
  const [found, ...others] = rooms.filter(isThere)
  if (!found) throw new NotFound(`there is no room ${name}${building === undefined ? '' : ` in ${building}`}`)
  if (others.length === 0) return found
  const ids = [found, ...others].map(({ id }) => id).join(', ')
  throw new Failure(`there are several rooms ${name}; name one by its id: ${ids}`)
}
