import { randomUUIDv7 } from 'node:crypto'
import { DAY_MS, type Key, MINUTE_MS, type Permission, timestampOf } from '@hypocaust/domain'
import type { ExpressionBuilder, Selectable } from 'kysely'
import type { Logger } from 'pino'
import { after, type MaybePromise } from '../../base/at-once.ts'
import type { Clock } from '../../base/clock.ts'
import { errors } from '../../base/errors.ts'
import { NO_QUOTAS } from '../../base/quotas.ts'
import { hashSecret, hintOf, isWellFormed, newSecret } from '../../base/secret.ts'
import { buildingsOf } from '../../house/buildings/buildings.ts'
import type { Membership } from '../../house/membership.ts'
import type { RoomsRevision } from '../../house/revisions.ts'
import { batchWithin, usableKeysOfAccount } from '../../store/quotas.ts'
import type { RunningWindow } from '../../store/rate-windows.ts'
import type { Store } from '../../store/store.ts'
import type { ApiKeyTable } from '../../store/tables/people.ts'
import type { Tables } from '../../store/tables.ts'
import { type ApiCallerRow, lookUpCaller, windowIn } from './api-callers.ts'
import { type CALLER_KEY_COLUMNS, KEY_COLUMNS } from './columns.ts'
import { recordKey } from './record-key.ts'

export type ApiKey = Omit<Selectable<ApiKeyTable>, 'hash' | 'clientId' | 'grantEndsAt'>
export type CallerKey = Pick<Selectable<ApiKeyTable>, (typeof CALLER_KEY_COLUMNS)[number] | 'buildings'>

interface NewApiKey {
  accountId: string
  name: string
  permission: Permission
  expiresAt: number | null
  /** Left out, it reaches all buildings of its holder, also later ones. */
  buildingIds?: string[] | undefined
  /** Whether it also opens the settings of the heating control. */
  control?: boolean | undefined
}

/** "Last used" is kept to a few minutes: polling must not write at every request. */
const LAST_USED_STEP_MS = 5 * MINUTE_MS

/** So many ended keys of an account stay listed: making and revoking keys in a loop fills no disk. */
export const MOST_ENDED_KEYS = 200

/** The key's value is in the answer and nowhere else: only its hash is stored. */
export async function createKey(
  store: Store,
  clock: Clock,
  { buildingIds, control = false, ...key }: NewApiKey,
  quotas = NO_QUOTAS,
): Promise<{ id: string; value: string }> {
  const id = randomUUIDv7()
  const value = newSecret('hyp_')
  const nowMs = clock.now()
  if (buildingIds) await refuseForeign(store, key.accountId, buildingIds, nowMs)
  const row = {
    id,
    ...key,
    control: control ? (1 as const) : (0 as const),
    buildings: buildingIds === undefined ? null : JSON.stringify(buildingIds),
    hash: hashSecret(value),
    hint: hintOf('hyp_', value),
    createdAt: nowMs,
    lastUsedAt: null,
    revokedAt: null,
  }
  const keys = usableKeysOfAccount(store, key.accountId, nowMs)
  const insertion = store.db.insertInto('apiKeys').values(row)
  const entries = recordKey(store, nowMs, id, 'created')
  await batchWithin(store, quotas, [insertion, ...entries, oldestEndedRemoved(store, key.accountId, nowMs)], [keys])
  return { id, value }
}

function oldestEndedRemoved({ db }: Store, accountId: string, nowMs: number) {
  const newest = db
    .selectFrom('apiKeys')
    .select('id')
    .where('accountId', '=', accountId)
    .where(isEndedAt(nowMs))
    .orderBy('id', 'desc')
    .limit(MOST_ENDED_KEYS)
  return db
    .deleteFrom('apiKeys')
    .where('accountId', '=', accountId)
    .where(isEndedAt(nowMs))
    .where('id', 'not in', newest)
}

const isEndedAt = (nowMs: number) => (eb: ExpressionBuilder<Tables, 'apiKeys'>) =>
  eb.or([eb('revokedAt', 'is not', null), eb(endOf(eb), '<=', nowMs)])

/** Of what an app was granted, not the end of its access token. */
const endOf = ({ fn, ref }: ExpressionBuilder<Tables, 'apiKeys'>) => fn.coalesce('grantEndsAt', ref('expiresAt'))

/** A key is limited to buildings that its holder can see. */
async function refuseForeign(store: Store, accountId: string, wanted: string[], nowMs: number): Promise<void> {
  if (wanted.length === 0) throw errors.invalidValue('building_ids: a limited key needs at least one building.')
  const own = await buildingsOf(store, accountId, nowMs)
  const foreign = wanted.find((buildingId) => !own.some(({ id }) => id === buildingId))
  if (foreign !== undefined) throw errors.noSuchBuilding(foreign)
}

export function listKeys(store: Store, accountId: string): Promise<ApiKey[]> {
  return store.db
    .selectFrom('apiKeys')
    .select(KEY_COLUMNS)
    .where('accountId', '=', accountId)
    .where('clientId', 'is', null)
    .orderBy('id')
    .execute()
}

/** False when there is no such key (of that account, where one is named). Revoking twice keeps the first time. */
export async function revokeKey(
  store: Store,
  clock: Clock,
  { id, accountId }: { id: string; accountId?: string },
): Promise<boolean> {
  const nowMs = clock.now()
  const isOwn = store.db
    .selectFrom('apiKeys')
    .select('id')
    .where('id', '=', id)
    .$if(accountId !== undefined, (query) => query.where('accountId', '=', accountId ?? ''))
  if (!(await isOwn.executeTakeFirst())) return false
  await store.batch([
    ...recordKey(store, nowMs, id, 'revoked'),
    store.db
      .updateTable('apiKeys')
      .set((eb) => ({ revokedAt: eb.fn.coalesce('revokedAt', eb.val(nowMs)) }))
      .where('id', '=', id),
  ])
  return true
}

/** Keys that ended so many days ago, revoked or expired, are no longer listed. */
export async function forgetEndedKeys({ db }: Store, nowMs: number, days: number): Promise<void> {
  const untilMs = nowMs - days * DAY_MS
  await db
    .deleteFrom('apiKeys')
    .where((eb) => eb.or([eb('revokedAt', '<', untilMs), eb(endOf(eb), '<', untilMs)]))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('members')
            .innerJoin('buildingMoves', 'buildingMoves.buildingId', 'members.buildingId')
            .select('members.buildingId')
            .whereRef('members.accountId', '=', 'apiKeys.accountId')
            .where('stage', '<>', 'moved'),
        ),
      ),
    )
    .execute()
}

/** A building the key can reach, of which revision its rooms are, and what the key's holder is in it. */
export interface ReachedBuilding extends RoomsRevision {
  id: string
  membership: Membership
}

/** Named in the path of a request. */
export interface NamedBuilding extends ReachedBuilding {
  /** Of the key; of an app, what it was granted in this building. */
  permission: Permission
}

interface ApiCaller {
  key: CallerKey
  /** The building that was named, unless there is none such for this key. */
  building: NamedBuilding | undefined
  /** What the key has used of its reads, where processes share the count and it runs. */
  readWindow: RunningWindow | undefined
}

/**
 * The key behind the value, or undefined for any reason at all: the caller learns nothing from which. In the same look
 * the building it asks for, so that a poll needs no other.
 */
export function authenticate(
  store: Store,
  clock: Clock,
  value: string,
  buildingId = '',
): MaybePromise<ApiCaller | undefined> {
  if (!isKey(value)) return undefined
  const nowMs = clock.now()
  return after(
    lookUpCaller(store, { hash: hashSecret(value), buildingId, nowMs }),
    (found) => found && callerOf(found, nowMs),
  )
}

/** A key, or the access token of an app. */
const isKey = (value: string): boolean => isWellFormed('hyp_', value) || isWellFormed('hypa_', value)

/** Undefined where the key is not usable. */
function callerOf(found: ApiCallerRow, nowMs: number): ApiCaller | undefined {
  if (!isUsable(found, nowMs)) return undefined
  const { buildingId: id, revisedAt, liveRevision, role, rooms, granted } = found
  const isReached = id !== null && revisedAt !== null && liveRevision !== null && role !== null && reaches(found, id)
  const building = isReached
    ? { id, revisedAt, liveRevision, membership: { role, rooms }, permission: granted ?? found.permission }
    : undefined
  return { key: found, building, readWindow: windowIn(found) }
}

/** Whether the key is not limited to other buildings. Whether its holder can reach it is another question. */
export const reaches = ({ buildings }: Pick<ApiKey, 'buildings'>, buildingId: string): boolean =>
  buildings === null || (JSON.parse(buildings) as string[]).includes(buildingId)

/** False while its last use is known to a few minutes. */
const isUseNews = ({ lastUsedAt }: CallerKey, nowMs: number): boolean =>
  lastUsedAt === null || nowMs - lastUsedAt >= LAST_USED_STEP_MS

/** Beside the request, which does not wait for it; returns the key with its last use as it is known then. */
export function noteUse(store: Store, clock: Clock, key: CallerKey, logger: Pick<Logger, 'warn'>): CallerKey {
  const nowMs = clock.now()
  if (!isUseNews(key, nowMs)) return key
  writeUse(store, key, nowMs).catch((err) => logger.warn({ err }, 'last use of a key not noted'))
  return { ...key, lastUsedAt: nowMs }
}

async function writeUse(store: Store, key: CallerKey, nowMs: number): Promise<void> {
  await store.db
    .updateTable('apiKeys')
    .set({ lastUsedAt: nowMs })
    .where('id', '=', key.id)
    .where((eb) => eb.or([eb('lastUsedAt', 'is', null), eb('lastUsedAt', '<', nowMs - LAST_USED_STEP_MS)]))
    .execute()
}

export const keyView = (key: Omit<CallerKey, 'clientId'>): Key => ({
  id: key.id,
  name: key.name,
  permission: key.permission,
  expires_at: key.expiresAt === null ? null : timestampOf(key.expiresAt),
})

/** What an app was granted ends with the last membership by which it was. */
function isUsable(key: CallerKey, nowMs: number): boolean {
  if (key.clientId !== null && key.buildings === '[]') return false
  return key.revokedAt === null && (key.expiresAt === null || key.expiresAt > nowMs)
}
