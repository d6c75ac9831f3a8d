import type { AppBuilding, AppRoom } from '@hypocaust/domain'
import { skipToken, useQuery } from '@tanstack/react-query'
import {
  buildingQuery,
  buildingsKey,
  buildingWithRoomQuery,
  isWholeBuilding,
  overviewQuery,
  queryClient,
} from './queries.ts'

/** Undefined while it is loading, null where there is none for the reader. */
type Sought<T> = T | null | undefined

export function useBuilding(buildingId: string): Sought<AppBuilding> {
  return found(useQuery(buildingQuery(buildingId)).data)
}

/** A room and its building: one seen before shows at once, also without a connection. */
export function useRoomPlace(roomId: string): Sought<{ building: AppBuilding; room: AppRoom }> {
  const overview = useQuery(overviewQuery).data
  const buildingId = knownWith(roomId) ?? (overview?.length === 1 ? overview[0]?.id : undefined)
  const known = useQuery({ ...buildingQuery(buildingId ?? ''), enabled: buildingId !== undefined }).data
  const lookUp = buildingWithRoomQuery(roomId)
  const isToBeLookedUp = buildingId === undefined && overview !== undefined
  const lookedUp = useQuery({ ...lookUp, queryFn: isToBeLookedUp ? lookUp.queryFn : skipToken }).data
  const building = found(buildingId === undefined ? lookedUp : known)
  if (!building) return building
  const room = building.rooms.find(({ id }) => id === roomId)
  return room ? { building, room } : null
}

const found = (buildings: AppBuilding[] | undefined): Sought<AppBuilding> => buildings && (buildings[0] ?? null)

function knownWith(roomId: string): string | undefined {
  return queryClient
    .getQueriesData<AppBuilding[]>({ queryKey: buildingsKey, predicate: isWholeBuilding })
    .flatMap(([, buildings]) => buildings ?? [])
    .find(({ rooms }) => rooms.some(({ id }) => id === roomId))?.id
}
