import type { AppBuilding, AppOverridePut, AppRoom } from '@hypocaust/domain'
import { api } from '../api/http.ts'
import { buildingsKey, queryClient } from '../api/queries.ts'
import { settled } from '../api/room-changes.ts'

/** Manual power ends by itself after this, unless another end is chosen. */
export const MANUAL_HOURS = 3

type Place = { roomId: string } | { buildingId: string }

/** For a room or a building; null ends it. Returns the rooms as they are then. */
export async function putOverride(place: Place, override: AppOverridePut | null): Promise<AppRoom[]> {
  if ('roomId' in place) await settled(place.roomId)
  const path = 'roomId' in place ? `/rooms/${place.roomId}` : `/buildings/${place.buildingId}`
  const changed = await api<AppRoom | AppBuilding>(
    override ? 'PUT' : 'DELETE',
    `${path}/override`,
    override ?? undefined,
  )
  await refreshRooms()
  return 'rooms' in changed ? changed.rooms : [changed]
}

/** What the pages of a room show, after a change of what it is heated towards. */
export async function refreshRooms(): Promise<void> {
  await Promise.all(
    [buildingsKey, ['outlook'], ['explanation']].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
  )
}
