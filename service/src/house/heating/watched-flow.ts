import { HOUR_MS } from '@hypocaust/domain'
import { statement } from '../../store/statement.ts'
import type { Store } from '../../store/store.ts'

/** Windows take up to half an hour, and a gateway may be late. */
const LASTS_MS = HOUR_MS

const windowsOf = statement((db, { buildingId, sinceMs }: { buildingId: string; sinceMs: number }) =>
  db
    .selectFrom('rooms')
    .innerJoin('valves', 'valves.roomId', 'rooms.id')
    .innerJoin('valveWindows', (join) =>
      join
        .onRef('valveWindows.gatewayId', '=', 'valves.gatewayId')
        .onRef('valveWindows.channel', '=', 'valves.channel'),
    )
    .select(['rooms.id', 'valves.gatewayId', 'valves.channel', 'windowS', 'openS'])
    .where('rooms.buildingId', '=', buildingId)
    .where('rooms.watchedSince', 'is not', null)
    .where('valveWindows.source', '=', 'watched')
    .where('valveWindows.startedAt', '>', sinceMs)
    .orderBy('valveWindows.startedAt'),
)

/** What other thermostats gave the rooms of a building that are only watched, by room; none where nothing reports it. */
export async function watchedFlow(store: Store, buildingId: string, nowMs: number): Promise<Map<string, number>> {
  const rows = await windowsOf.all(store, { buildingId, sinceMs: nowMs - LASTS_MS })
  const byRoom = Map.groupBy(rows, ({ id }) => id)
  return new Map(
    [...byRoom].map(([id, windows]) => {
      const latest = new Map(windows.map((row) => [`${row.gatewayId}/${row.channel}`, share(row)]))
      return [id, mean([...latest.values()])]
    }),
  )
}

const share = ({ windowS, openS }: { windowS: number; openS: number }): number =>
  windowS > 0 ? Math.min(1, openS / windowS) : 0

const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
