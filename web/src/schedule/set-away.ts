import type { AppBuilding, NewAway } from '@hypocaust/domain'
import { api } from '../api/http.ts'
import { buildingsKey, queryClient } from '../api/queries.ts'

export async function setAway(buildingId: string, away: NewAway | null): Promise<void> {
  await api<AppBuilding>('PATCH', `/buildings/${buildingId}`, { away })
  await Promise.all([buildingsKey, ['outlook']].map((queryKey) => queryClient.invalidateQueries({ queryKey })))
}
