import { randomUUIDv7 } from 'node:crypto'
import { DAY_MS, type Key, MINUTE_MS, type Permission, timestampOf } from '@hypocaust/domain'
import type { Selectable } from 'kysely'
import { after, type MaybePromise } from '../../base/at-once.ts'
import type { Clock } from '../../base/clock.ts'
import { NO_QUOTAS } from '../../base/quotas.ts'
import { hashSecret, hintOf, isWellFormed, newSecret } from '../../base/secret.ts'
import type { RoomsRevision } from '../../house/revisions.ts'
import { batchWithin, usableKeysOfAccount } from '../../store/quotas.ts'
import { statement } from '../../store/statement.ts'
import type { Store } from '../../store/store.ts'
import type { ApiKeyTable } from '../../store/tables.ts'

export type ApiKey = Omit<Selectable<ApiKeyTable>, 'hash'>

export interface NewApiKey {
  accountId: string
  name: string
  permission: Permission
  expiresAt: number | null
}

/** "Last used" is kept to a few minutes: polling must not write at every request. */
const LAST_USED_STEP_MS = 5 * MINUTE_MS

const COLUMNS = [
  'id',
  'accountId',
  'name',
  'hint',
  'permission',
  'createdAt',
  'lastUsedAt',
  'expiresAt',
  'revokedAt',
] as const

/** The key's value is in the answer and nowhere else: only its hash is stored. */
export async function createKey(
  store: Store,
  clock: Clock,
  key: NewApiKey,
  quotas = NO_QUOTAS,
): Promise<{ id: string; value: string }> {
  const id = randomUUIDv7()
  const value = newSecret('hyp_')
  const nowMs = clock.now()
  const row = {
    id,
    ...key,
    hash: hashSecret(value),
    hint: hintOf('hyp_', value),
    createdAt: nowMs,
    lastUsedAt: null,
    revokedAt: null,
  }
  const keys = usableKeysOfAccount(store, key.accountId, nowMs)
  await batchWithin(store, quotas, [store.db.insertInto('apiKeys').values(row)], [keys])
  return { id, value }
}

export function listKeys(store: Store, accountId: string): Promise<ApiKey[]> {
  return store.db.selectFrom('apiKeys').select(COLUMNS).where('accountId', '=', accountId).orderBy('id').execute()
}

/** False when there is no such key (of that account, where one is named). Revoking twice keeps the first time. */
export async function revokeKey(
  store: Store,
  clock: Clock,
  { id, accountId }: { id: string; accountId?: string },
): Promise<boolean> {
  const result = await store.db
    .updateTable('apiKeys')
    .set((eb) => ({ revokedAt: eb.fn.coalesce('revokedAt', eb.val(clock.now())) }))
    .where('id', '=', id)
    .$if(accountId !== undefined, (query) => query.where('accountId', '=', accountId ?? ''))
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Keys that ended so many days ago, revoked or expired, are no longer listed. */
export async function forgetEndedKeys({ db }: Store, nowMs: number, days: number): Promise<void> {
  const untilMs = nowMs - days * DAY_MS
  await db
    .deleteFrom('apiKeys')
    .where((eb) => eb.or([eb('revokedAt', '<', untilMs), eb('expiresAt', '<', untilMs)]))
    .execute()
}

/** A building the key can reach, and of which revision its rooms are. */
export interface ReachedBuilding extends RoomsRevision {
  id: string
}

export interface Asker {
  key: ApiKey
  /** The building that was named, unless there is none such for this key. */
  building: ReachedBuilding | undefined
}

const askers = statement((db, { hash, buildingId }: { hash: string; buildingId: string }) =>
  db
    .selectFrom('apiKeys')
    .leftJoin('buildings', (join) =>
      join.onRef('buildings.accountId', '=', 'apiKeys.accountId').on('buildings.id', '=', buildingId),
    )
    .select(COLUMNS.map((name) => `apiKeys.${name}` as const))
    .select(['buildings.id as buildingId', 'buildings.revisedAt', 'buildings.liveRevision'])
    .where('apiKeys.hash', '=', hash),
)

/**
 * The key behind the value, or undefined for any reason at all: the caller learns nothing from which. In the same look
 * the building it asks for, so that a poll needs no other.
 */
export function authenticate(
  store: Store,
  clock: Clock,
  value: string,
  buildingId = '',
): MaybePromise<Asker | undefined> {
  if (!isWellFormed('hyp_', value)) return undefined
  return after(askers.first(store, { hash: hashSecret(value), buildingId }), (found) => {
    if (!found || !isUsable(found, clock.now())) return undefined
    const { buildingId: id, revisedAt, liveRevision, ...key } = found
    const building =
      id === null || revisedAt === null || liveRevision === null ? undefined : { id, revisedAt, liveRevision }
    return { key, building }
  })
}

/** False while its last use is known to a few minutes. */
export const isUseNews = ({ lastUsedAt }: ApiKey, nowMs: number): boolean =>
  lastUsedAt === null || nowMs - lastUsedAt >= LAST_USED_STEP_MS

export async function noteUse(store: Store, clock: Clock, key: ApiKey): Promise<void> {
  const nowMs = clock.now()
  if (!isUseNews(key, nowMs)) return
  await store.db
    .updateTable('apiKeys')
    .set({ lastUsedAt: nowMs })
    .where('id', '=', key.id)
    .where((eb) => eb.or([eb('lastUsedAt', 'is', null), eb('lastUsedAt', '<', nowMs - LAST_USED_STEP_MS)]))
    .execute()
}

export const keyView = (key: ApiKey): Key => ({
  id: key.id,
  name: key.name,
  permission: key.permission,
  expires_at: key.expiresAt === null ? null : timestampOf(key.expiresAt),
})

function isUsable(key: ApiKey, nowMs: number): boolean {
  return key.revokedAt === null && (key.expiresAt === null || key.expiresAt > nowMs)
}
