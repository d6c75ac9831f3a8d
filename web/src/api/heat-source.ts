import type { HeatSourceNow } from '@hypocaust/domain'
import { queryOptions } from '@tanstack/react-query'
import { api } from './http.ts'

/** What is known of the heat source of a building at this moment. */
export const heatSourceQuery = (buildingId: string) =>
  queryOptions({
    queryKey: ['heat-source', buildingId],
    queryFn: () => api<HeatSourceNow>('GET', `/buildings/${buildingId}/heat-source`),
    refetchInterval: 60_000,
  })
