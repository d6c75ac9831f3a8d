import { randomUUIDv7, timingSafeEqual } from 'node:crypto'
import { slugOf, UUID_PATTERN } from '@hypocaust/domain'
import { sql } from 'kysely'
import type { Clock } from '../../base/clock.ts'
import { NO_QUOTAS } from '../../base/quotas.ts'
import { hashSecret, isWellFormed } from '../../base/secret.ts'
import { batchWithin, ofBuilding } from '../../store/quotas.ts'
import { statement } from '../../store/statement.ts'
import { isStoreError, type Store } from '../../store/store.ts'
import { recordAddedGateway, recordOfGateway, recordRemovedGateways } from '../change-log/record-things.ts'
import { recordingValves } from '../change-log/record-valves.ts'
import { raiseRevision } from '../revisions.ts'
import { newGatewayToken } from './token.ts'

export interface GatewayRow {
  id: string
  name: string
  building: string
  buildingId: string
  lastSeenAt: number | null
  version: string | null
  channels: number | null
  buffered: number | null
}

type AddGatewayResult = { kind: 'added'; id: string } | { kind: 'no_building' } | { kind: 'taken' }

/** Without a token yet: pairing gives it one. */
export async function addGateway(
  store: Store,
  clock: Clock,
  gateway: { buildingId: string; name: string },
  quotas = NO_QUOTAS,
): Promise<AddGatewayResult> {
  const { buildingId, name } = gateway
  const id = randomUUIDv7()
  const createdAt = clock.now()
  try {
    const writes = [
      // By this the running service sees that a gateway is waiting for its configuration and command.
      raiseRevision.with(store, { buildingId, nowMs: createdAt }),
      store.db
        .insertInto('gateways')
        .values({ id, buildingId, key: slugOf(name) || 'unnamed', name, tokenHash: '', createdAt }),
      recordAddedGateway(store, createdAt, { buildingId, id, name }),
    ]
    await batchWithin(store, quotas, writes, [ofBuilding(store, 'gateways', buildingId)])
    return { kind: 'added', id }
  } catch (error) {
    if (isStoreError(error, 'foreign_key')) return { kind: 'no_building' }
    if (isStoreError(error, 'unique')) return { kind: 'taken' }
    throw error
  }
}

/** Which gateways to list: those to which all of it applies. */
export interface GatewayFilter {
  id?: string
  buildingId?: string
  version?: string
  /** Moments of the last heartbeat. */
  seenSince?: number
  seenBefore?: number
  /** That never reported. */
  isUnseen?: boolean
  /** In the order of ids, those after this one. */
  after?: string
  limit?: number
}

export function listGateways({ db }: Store, filter: GatewayFilter = {}): Promise<GatewayRow[]> {
  const { id, buildingId, version, seenSince, seenBefore, isUnseen, after, limit } = filter
  return db
    .selectFrom('gateways')
    .innerJoin('buildings', 'buildings.id', 'gateways.buildingId')
    .select([
      'gateways.id',
      'gateways.name',
      'buildings.name as building',
      'gateways.buildingId',
      'gateways.lastSeenAt',
      'gateways.version',
      'gateways.channels',
      'gateways.buffered',
    ])
    .$if(id !== undefined, (query) => query.where('gateways.id', '=', id ?? ''))
    .$if(buildingId !== undefined, (query) => query.where('gateways.buildingId', '=', buildingId ?? ''))
    .$if(version !== undefined, (query) => query.where('gateways.version', '=', version ?? ''))
    .$if(seenSince !== undefined, (query) => query.where('gateways.lastSeenAt', '>=', seenSince ?? 0))
    .$if(seenBefore !== undefined, (query) => query.where('gateways.lastSeenAt', '<', seenBefore ?? 0))
    .$if(isUnseen === true, (query) => query.where('gateways.lastSeenAt', 'is', null))
    .$if(after !== undefined, (query) => query.where('gateways.id', '>', after ?? ''))
    .orderBy('gateways.id')
    .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
    .execute()
}

/** False when there is no such gateway. */
export async function removeGateway(store: Store, clock: Clock, id: string): Promise<boolean> {
  const gateway = await findGateway(store, id)
  if (!gateway) return false
  const { buildingId } = gateway
  const nowMs = clock.now()
  const results = await store.batch([
    raiseRevision.with(store, { buildingId, nowMs }),
    ...recordingValves(store, nowMs, { buildingId }, [
      recordRemovedGateways(store, nowMs, buildingId, (each) => sql`${each} = ${id}`),
      store.db.deleteFrom('gateways').where('id', '=', id),
    ]),
  ])
  return results[REMOVAL]?.affectedRows === 1
}

/** Where the removal stands among the writes: after the revision, the look at the valves, and its entry. */
const REMOVAL = 3

const findGateway = ({ db }: Store, id: string) =>
  db.selectFrom('gateways').select('buildingId').where('id', '=', id).executeTakeFirst()

/** The new token, shown once, or undefined when there is no such gateway. The old one stops working at once. */
export async function rotateToken(store: Store, clock: Clock, id: string): Promise<string | undefined> {
  const gateway = await findGateway(store, id)
  if (!gateway) return undefined
  const { token, ...hashes } = newGatewayToken()
  const [, updated] = await store.batch([
    raiseRevision.with(store, { buildingId: gateway.buildingId, nowMs: clock.now() }),
    store.db
      .updateTable('gateways')
      .set({ ...hashes, agentBoot: null })
      .where('id', '=', id),
    recordOfGateway(store, clock.now(), id, 'gateway_token'),
  ])
  return updated?.affectedRows === 1 ? token : undefined
}

export async function isGateway({ db }: Store, id: string, token: string): Promise<boolean> {
  if (!UUID_PATTERN.test(id) || !isWellFormed('hypg_', token)) return false
  const gateway =
    (await db.selectFrom('gateways').select('tokenHash').where('id', '=', id).executeTakeFirst()) ??
    // One whose building has left is told where it is.
    (await db.selectFrom('movedGateways').select('tokenHash').where('id', '=', id).executeTakeFirst())
  const given = Buffer.from(hashSecret(token))
  const kept = Buffer.from(gateway?.tokenHash ?? '')
  return given.length === kept.length && timingSafeEqual(given, kept)
}

/** The token hashes of these gateways: a connection with another one is to be closed. */
export async function tokenHashesOf(store: Store, ids: Iterable<string>): Promise<Map<string, string>> {
  const rows = await tokensNamed.all(store, { ids: store.statements.list(ids) })
  return new Map(rows.map(({ id, tokenHash }) => [id, tokenHash]))
}

const tokensNamed = statement((db, { ids }: { ids: unknown }, { isIn }) =>
  db
    .selectFrom('gateways')
    .select(['id', 'tokenHash'])
    .where(isIn('id', ids))
    .unionAll(db.selectFrom('movedGateways').select(['id', 'tokenHash']).where(isIn('id', ids))),
)
