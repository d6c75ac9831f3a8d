import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool, sql } from 'kysely'
import type { MaybePromise } from '../../base/at-once.ts'
import { isActive } from '../../house/membership.ts'
import { MicroBatch } from '../../store/micro-batch.ts'
import { keyWindow, type RunningWindow } from '../../store/rate-windows.ts'
import { statement } from '../../store/statement.ts'
import type { Store } from '../../store/store.ts'
import type { Tables } from '../../store/tables.ts'
import { CALLER_KEY_COLUMNS } from './columns.ts'

/** A key by its hash, and a building it names. */
interface LookUp {
  hash: string
  buildingId: string
  nowMs: number
}

export interface ApiCallerRow
  extends Row<typeof callers>,
    Partial<Pick<Row<typeof callersBatched>, 'used' | 'endsAt'>> {}

type Row<S extends { all(...args: never[]): Promise<unknown[]> }> = Awaited<ReturnType<S['all']>>[number]

/** The key with what its holder is in the building, and the building's revision; null where the holder is nothing there. */
export function lookUpCaller(store: Store, lookUp: LookUp): MaybePromise<ApiCallerRow | undefined> {
  return store.isShared ? batchFor(store).ask(lookUp) : callers.first(store, lookUp)
}

/** Of the reads of the key, where processes share it and one runs. */
export const windowIn = ({ used, endsAt }: ApiCallerRow): RunningWindow | undefined =>
  used == null || endsAt == null ? undefined : { used, endsAtMs: endsAt }

type OnMembers = (eb: ExpressionBuilder<Tables, 'members'>) => Expression<SqlBool>

/** Of a key as it is kept; of an app where it is granted something, here or in a building that has left. */
const reachOfKey = sql<string | null>`case when api_keys.client_id is null then api_keys.buildings else (
  select coalesce('["' || string_agg(building_id, '","' order by building_id) || '"]', '[]')
  from (select building_id from oauth_buildings where key_id = api_keys.id
    union select building_id from moved_grants where key_id = api_keys.id) as granted) end`

const callersNaming = (db: Kysely<Tables>, nowMs: number, isNamed: OnMembers) =>
  db
    .selectFrom('apiKeys')
    .leftJoin('members', (join) =>
      join.onRef('members.accountId', '=', 'apiKeys.accountId').on(isNamed).on(isActive(nowMs)),
    )
    .leftJoin('buildings', 'buildings.id', 'members.buildingId')
    .leftJoin('oauthBuildings', (join) =>
      join.onRef('oauthBuildings.keyId', '=', 'apiKeys.id').onRef('oauthBuildings.buildingId', '=', 'buildings.id'),
    )
    .select(CALLER_KEY_COLUMNS.map((name) => `apiKeys.${name}` as const))
    .select([reachOfKey.as('buildings'), 'oauthBuildings.permission as granted'])
    .select(['buildings.id as buildingId', 'buildings.revisedAt', 'buildings.liveRevision'])
    .select(['members.role', 'members.rooms'])

const callers = statement((db, { hash, buildingId, nowMs }: LookUp) =>
  callersNaming(db, nowMs, (eb) => eb('members.buildingId', '=', buildingId)).where('apiKeys.hash', '=', hash),
)

interface BatchedLookUp {
  hashes: unknown
  buildingIds: unknown
  nowMs: number
}

const ANY_KEY = '*'
const [BEFORE_ID, AFTER_ID] = keyWindow(ANY_KEY, 'read').split(ANY_KEY)
const READ_WINDOW = sql<string>`${sql.lit(BEFORE_ID)} || ${sql.ref('apiKeys.id')} || ${sql.lit(AFTER_ID)}`

/** With the key's window of reads, which processes share where they share the database. */
const callersBatched = statement((db, { hashes, buildingIds, nowMs }: BatchedLookUp, { isIn }) =>
  callersNaming(db, nowMs, () => isIn('members.building_id', buildingIds))
    .leftJoin('rateWindows', (join) =>
      join.on('rateWindows.name', '=', READ_WINDOW).on('rateWindows.endsAt', '>', nowMs),
    )
    .select(['apiKeys.hash', 'rateWindows.used', 'rateWindows.endsAt'])
    .where(isIn('api_keys.hash', hashes)),
)

/** Where each question takes a while, those of one moment are one. */
const batches = new WeakMap<Store, MicroBatch<LookUp, ApiCallerRow | undefined>>()

function batchFor(store: Store): MicroBatch<LookUp, ApiCallerRow | undefined> {
  const known = batches.get(store)
  if (known) return known
  const made = new MicroBatch((all: LookUp[]) => lookUpAll(store, all))
  batches.set(store, made)
  return made
}

async function lookUpAll(store: Store, all: LookUp[]): Promise<(ApiCallerRow | undefined)[]> {
  const { list } = store.statements
  const hashes = list(new Set(all.map(({ hash }) => hash)))
  const buildingIds = list(new Set(all.map(({ buildingId }) => buildingId)))
  const nowMs = Math.max(...all.map((lookUp) => lookUp.nowMs))
  const rows = Map.groupBy(await callersBatched.all(store, { hashes, buildingIds, nowMs }), ({ hash }) => hash)
  return all.map(({ hash, buildingId }) => {
    const found = rows.get(hash)
    const [key] = found ?? []
    return found?.find((row) => row.buildingId === buildingId) ?? (key && { ...key, buildingId: null })
  })
}
