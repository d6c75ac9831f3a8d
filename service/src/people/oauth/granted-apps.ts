import { type ConnectedApp, timestampOf } from '@hypocaust/domain'
import type { Store } from '../../store/store.ts'

/** Apps that the account has granted access which still lasts. */
export async function grantedApps({ db }: Store, accountId: string, nowMs: number): Promise<ConnectedApp[]> {
  const rows = await db
    .selectFrom('apiKeys')
    .innerJoin('oauthBuildings', 'oauthBuildings.keyId', 'apiKeys.id')
    .innerJoin('buildings', 'buildings.id', 'oauthBuildings.buildingId')
    .select(['apiKeys.id', 'apiKeys.name', 'apiKeys.createdAt', 'apiKeys.lastUsedAt'])
    .select(['buildings.id as buildingId', 'buildings.name as building', 'oauthBuildings.permission'])
    .where('apiKeys.accountId', '=', accountId)
    .where('revokedAt', 'is', null)
    .where('grantEndsAt', '>', nowMs)
    .orderBy('apiKeys.id', 'desc')
    .orderBy('buildings.name')
    .execute()
  return [...Map.groupBy(rows, ({ id }) => id).values()].flatMap(([first, ...rest]) =>
    first
      ? [
          {
            id: first.id,
            name: first.name,
            granted: timestampOf(first.createdAt),
            last_used: first.lastUsedAt === null ? null : timestampOf(first.lastUsedAt),
            buildings: [first, ...rest].map(({ buildingId, building, permission }) => ({
              id: buildingId,
              name: building,
              permission,
            })),
          },
        ]
      : [],
  )
}
