import type { AppRoom, NewRoom } from '@hypocaust/domain'
import { api } from '../api/http.ts'
import { buildingsKey, queryClient, sensorsQuery } from '../api/queries.ts'

/** One after the other, so that they keep their order; those before one that is refused are there. */
export async function addRooms(buildingId: string, rooms: NewRoom[]): Promise<void> {
  try {
    for (const room of rooms) await api<AppRoom>('POST', `/buildings/${buildingId}/rooms`, room)
  } finally {
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: buildingsKey }),
      queryClient.invalidateQueries({ queryKey: sensorsQuery(buildingId).queryKey }),
    ])
  }
}
