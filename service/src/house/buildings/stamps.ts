import { statement } from '../../store/statement.ts'
import type { Store } from '../../store/store.ts'
import type { RoomsRevision } from '../revisions.ts'

/** What is shown of a building changes with one of these, or by time alone. */
interface Stamped extends RoomsRevision {
  /** The newest heartbeat. */
  lastSeenAt: number | null
  /** The weather's. */
  updatedAt: number | null
}

export const stampOf = ({ revisedAt, liveRevision, lastSeenAt, updatedAt }: Stamped): string =>
  [revisedAt, liveRevision, lastSeenAt, updatedAt].join('.')

const stamped = statement((db, { ids }: { ids: unknown }, { isIn }) =>
  db
    .selectFrom('buildings')
    .leftJoin('weather', 'weather.buildingId', 'buildings.id')
    .select(['buildings.id', 'buildings.revisedAt', 'buildings.liveRevision', 'weather.updatedAt'])
    .select((eb) =>
      eb
        .selectFrom('gateways')
        .whereRef('gateways.buildingId', '=', 'buildings.id')
        .select((inner) => inner.fn.max('gateways.lastSeenAt').as('newest'))
        .as('lastSeenAt'),
    )
    .where(isIn('buildings.id', ids)),
)

/** Of all these buildings, by one look. */
export async function stampsOf(store: Store, buildingIds: string[]): Promise<Map<string, string>> {
  const rows = await stamped.all(store, { ids: store.statements.list(new Set(buildingIds)) })
  return new Map(rows.map((row) => [row.id, stampOf(row)]))
}
