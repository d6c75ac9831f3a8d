import type { BuildingFlexibility } from '@hypocaust/domain'
import { queryOptions } from '@tanstack/react-query'
import { api } from './http.ts'

/** The service keeps it for as long. */
const KEPT_MS = 300_000

export const flexibilityQuery = (buildingId: string) =>
  queryOptions({
    queryKey: ['flexibility', buildingId],
    queryFn: () => api<BuildingFlexibility>('GET', `/buildings/${buildingId}/flexibility`),
    staleTime: KEPT_MS,
    refetchInterval: KEPT_MS,
  })
