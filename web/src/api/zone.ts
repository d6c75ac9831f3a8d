import { useQuery } from '@tanstack/react-query'
import { BROWSER_ZONE, type Zone } from '../i18n/formats.ts'
import { overviewQuery } from './queries.ts'

/** Of times that belong to no single building: the zone of all the reader's buildings where they share one. */
export function useCommonZone(): Zone {
  const zones = useZones()
  return zones.length === 1 ? zones[0] : BROWSER_ZONE
}

/** Of the reader's buildings, each once. */
export function useZones(): string[] {
  const buildings = useQuery(overviewQuery).data ?? []
  return [...new Set(buildings.map(({ timezone }) => timezone))]
}
