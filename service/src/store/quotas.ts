import type { Compilable } from 'kysely'
import { type Quotas, quotaReached } from '../base/quotas.ts'
import type { Limit } from './batch.ts'
import { statement } from './statement.ts'
import { isStoreError, type Store, type StoreError, type WriteResult } from './store.ts'

/** What a batch adds to, and by which quota there may only be so many afterwards. */
export interface Counted {
  quota: keyof Quotas
  ownerId: string
  /** A select of one number. */
  count: Compilable
}

/** The database counts in the same transaction: of many requests at the same moment, none gets beyond the quota. */
export async function batchWithin(
  store: Store,
  quotas: Quotas,
  queries: Compilable[],
  counted: Counted[],
  limits: Limit[] = [],
): Promise<WriteResult[]> {
  try {
    return await store.batch(queries, [...limitsOf(quotas, counted), ...limits])
  } catch (error) {
    refuseBeyond(quotas, error)
    throw error
  }
}

/** As a batch takes them, without those that have no end. */
export const limitsOf = (quotas: Quotas, counted: Counted[]): Limit[] =>
  counted
    .map(({ quota, ownerId, count }) => ({ ownerId, count, most: quotas[quota], name: quota }))
    .filter(({ most }) => Number.isFinite(most))

/** Names the setting, where a batch was refused by one of these limits. */
export function refuseBeyond(quotas: Quotas, error: unknown): void {
  if (!isStoreError(error, 'limit')) return
  const { message } = error as StoreError
  if (message in quotas) throw quotaReached(quotas, message as keyof Quotas)
}

type CountedTable = 'rooms' | 'gateways' | 'sensors'

const countIn = (table: CountedTable) =>
  statement((db, { buildingId }: { buildingId: string }) =>
    db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll().as('count'))
      .where('buildingId', '=', buildingId),
  )

const COUNTS = { rooms: countIn('rooms'), gateways: countIn('gateways'), sensors: countIn('sensors') }

export const ofBuilding = (store: Store, table: CountedTable, buildingId: string): Counted => ({
  quota: `max_${table}_per_building`,
  ownerId: buildingId,
  count: COUNTS[table].with(store, { buildingId }),
})

export const buildingsOfAccount = ({ db }: Store, accountId: string): Counted => ({
  quota: 'max_buildings_per_account',
  ownerId: accountId,
  count: db
    .selectFrom('buildings')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('accountId', '=', accountId),
})

export const usableKeysOfAccount = ({ db }: Store, accountId: string, nowMs: number): Counted => ({
  quota: 'max_keys_per_account',
  ownerId: accountId,
  count: db
    .selectFrom('apiKeys')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('accountId', '=', accountId)
    .where('revokedAt', 'is', null)
    .where((eb) => eb.or([eb('expiresAt', 'is', null), eb(eb.fn.coalesce('grantEndsAt', 'expiresAt'), '>', nowMs)])),
})
