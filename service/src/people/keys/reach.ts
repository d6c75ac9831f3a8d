import { UUID_PATTERN } from '@hypocaust/domain'
import { isActive } from '../../house/membership.ts'
import type { Store } from '../../store/store.ts'
import type { CallerKey, ReachedBuilding } from './keys.ts'

/** A building with all that its stamp is made of. */
export interface StampedBuilding extends ReachedBuilding {
  lastSeenAt: number | null
  updatedAt: number | null
}

interface Reach {
  /** The id of a building; left out, all that the key reaches. */
  only: string | undefined
  most: number
}

/** The buildings a key reaches, in the order of their ids. */
export async function buildingsReached(
  { db }: Store,
  { id: keyId, accountId, buildings, clientId }: CallerKey,
  nowMs: number,
  { only, most }: Reach,
): Promise<StampedBuilding[]> {
  if (only !== undefined && !UUID_PATTERN.test(only)) return []
  const rows = await db
    .selectFrom('members')
    .innerJoin('buildings', 'buildings.id', 'members.buildingId')
    .leftJoin('weather', 'weather.buildingId', 'buildings.id')
    .select(['buildings.id', 'buildings.revisedAt', 'buildings.liveRevision', 'weather.updatedAt'])
    .select(['members.role', 'members.rooms'])
    .select((eb) =>
      eb
        .selectFrom('gateways')
        .whereRef('gateways.buildingId', '=', 'buildings.id')
        .select((inner) => inner.fn.max('gateways.lastSeenAt').as('newest'))
        .as('lastSeenAt'),
    )
    .where('members.accountId', '=', accountId)
    .where(isActive(nowMs))
    .$if(buildings !== null, (query) => query.where('members.buildingId', 'in', JSON.parse(buildings ?? '[]')))
    // Also where the holder has left it and come back since the key was looked up.
    .$if(clientId !== null, (query) =>
      query.where(({ exists, selectFrom }) =>
        exists(
          selectFrom('oauthBuildings')
            .select('oauthBuildings.keyId')
            .where('oauthBuildings.keyId', '=', keyId)
            .whereRef('oauthBuildings.buildingId', '=', 'members.buildingId'),
        ),
      ),
    )
    .$if(only !== undefined, (query) => query.where('members.buildingId', '=', only ?? ''))
    .orderBy('members.buildingId')
    .limit(most)
    .execute()
  return rows.map(({ role, rooms, ...building }) => ({ ...building, membership: { role, rooms } }))
}

/** Of a key that has been revoked, has expired or is gone. */
export const ENDED = ''

/** Keys asked for in one statement. */
const AT_ONCE = 500

/** Of each key: another one when it ends or has another value, and when its holder joins or leaves a building. */
export async function reachRevisions({ db }: Store, keyIds: string[], nowMs: number): Promise<Map<string, string>> {
  const revisions = new Map(keyIds.map((id) => [id, ENDED]))
  for (let i = 0; i < keyIds.length; i += AT_ONCE) {
    const rows = await db
      .selectFrom('apiKeys')
      .leftJoin('members', (join) => join.onRef('members.accountId', '=', 'apiKeys.accountId').on(isActive(nowMs)))
      .select(['apiKeys.id', 'apiKeys.hash'])
      .select(({ fn }) => [fn.count('members.buildingId').as('count'), fn.sum('members.createdAt').as('since')])
      .where('apiKeys.id', 'in', keyIds.slice(i, i + AT_ONCE))
      .where('revokedAt', 'is', null)
      .where((eb) => eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', nowMs)]))
      .groupBy(['apiKeys.id', 'apiKeys.hash'])
      .execute()
    for (const { id, hash, count, since } of rows) revisions.set(id, `${Number(count)}.${Number(since)}.${hash}`)
  }
  return revisions
}
