import { randomUUIDv7 } from 'node:crypto'
import { DAY_MS, HOUR_MS, MINUTE_MS, type Permission } from '@hypocaust/domain'
import { type Compilable, type Expression, sql } from 'kysely'
import type { Clock } from '../../base/clock.ts'
import { ServiceError } from '../../base/errors.ts'
import type { Quotas } from '../../base/quotas.ts'
import { hashSecret, hintOf, newSecret } from '../../base/secret.ts'
import { isActive } from '../../house/membership.ts'
import type { Limit } from '../../store/batch.ts'
import { limitsOf, refuseBeyond, usableKeysOfAccount } from '../../store/quotas.ts'
import { isStoreError, type Store, type StoreError } from '../../store/store.ts'
import { revokeKey } from '../keys/keys.ts'
import { recordKey } from '../keys/record-key.ts'
import type { OauthClient } from './clients.ts'
import { OauthFailure } from './failure.ts'

export interface GrantParts {
  store: Store
  clock: Clock
  quotas: Quotas
}

/** What a person grants an app in one building. */
export interface GrantedBuilding {
  id: string
  permission: Permission
}

export interface Tokens {
  accessToken: string
  refreshToken: string
  expiresInS: number
  permission: Permission
}

const ACCESS_TOKEN_MS = HOUR_MS
/** A grant that is not used for so long ends. */
const GRANT_MS = 90 * DAY_MS
/** An app whose answer was lost asks again with the token it has; later, somebody else has it. */
const REPEATED_WITHIN_MS = MINUTE_MS

const NOT_TAKEN = 'code not taken'

/** What a grant is exchanged for; it can be taken once. */
interface Exchanged {
  client: OauthClient
  accountId: string
  buildings: GrantedBuilding[]
  /** Notes that `keyId` has taken it, unless another has. */
  take(keyId: string): Compilable
  /** The number of those that `keyId` has taken. */
  takenBy(keyId: string): Expression<unknown>
}

/** In one transaction with the code that it is exchanged for: of two exchanges at one moment, one gets tokens. */
export async function openGrant(parts: GrantParts, exchanged: Exchanged): Promise<Tokens> {
  const { store, clock, quotas } = parts
  const { client, accountId, buildings } = exchanged
  const nowMs = clock.now()
  const held = await heldBuildings(store, accountId, buildings, nowMs)
  if (held.length === 0) throw new OauthFailure('invalid_grant', 'The account has no access to these buildings.')
  const id = randomUUIDv7()
  const permission: Permission = held.some((each) => each.permission === 'write') ? 'write' : 'read'
  const tokens = newTokens(permission)
  const key = {
    ...{ id, accountId, name: client.name, permission, buildings: '[]', clientId: client.id, createdAt: nowMs },
    ...{ hint: hintOf('hypa_', tokens.accessToken), lastUsedAt: null, revokedAt: null },
    ...columnsOf(tokens, nowMs),
  }
  const limits: Limit[] = [
    ...limitsOf(quotas, [usableKeysOfAccount(store, accountId, nowMs)]),
    // Another has taken it, or it ended with the keys of the account.
    {
      ...{ ownerId: accountId, name: NOT_TAKEN, most: 0 },
      count: store.db.selectNoFrom(sql<number>`1 - (${exchanged.takenBy(id)})`.as('missing')),
    },
  ]
  const writes = [
    exchanged.take(id),
    store.db.insertInto('apiKeys').values(key),
    store.db
      .insertInto('oauthBuildings')
      .values(held.map((each) => ({ keyId: id, buildingId: each.id, accountId, permission: each.permission }))),
    insertRefreshToken(store, id, tokens),
    ...recordKey(store, nowMs, id, 'created'),
  ]
  await store.batch(writes, limits).catch((error) => {
    throw refusalOf(error, quotas)
  })
  return tokens
}

function refusalOf(error: unknown, quotas: Quotas): unknown {
  if (isStoreError(error, 'limit') && (error as StoreError).message === NOT_TAKEN) return alreadyUsed()
  // The account has left one of the buildings in this moment.
  if (isStoreError(error, 'foreign_key')) return alreadyUsed()
  try {
    refuseBeyond(quotas, error)
  } catch (refused) {
    if (refused instanceof ServiceError) return new OauthFailure('access_denied', refused.message)
  }
  return error
}

export const alreadyUsed = () => new OauthFailure('invalid_grant', 'The code is unknown, has expired or has been used.')

/** Of these buildings, those that the account is a member of now. */
export async function heldBuildings(
  { db }: Store,
  accountId: string,
  buildings: GrantedBuilding[],
  nowMs: number,
): Promise<GrantedBuilding[]> {
  if (buildings.length === 0) return []
  const ids = buildings.map(({ id }) => id)
  const held = await db
    .selectFrom('members')
    .select('buildingId')
    .where('accountId', '=', accountId)
    .where('buildingId', 'in', ids)
    .where(isActive(nowMs))
    .execute()
  return buildings.filter(({ id }) => held.some(({ buildingId }) => buildingId === id))
}

/** Each refresh token is good for one exchange: one that comes a second time is in other hands, and ends the grant. */
export async function refreshGrant(
  { store, clock }: GrantParts,
  { clientId, refreshToken }: { clientId: string; refreshToken: string },
): Promise<Tokens> {
  const nowMs = clock.now()
  const found = await store.db
    .selectFrom('oauthRefreshTokens')
    .innerJoin('apiKeys', 'apiKeys.id', 'oauthRefreshTokens.keyId')
    .select(['apiKeys.id', 'clientId', 'permission', 'revokedAt', 'grantEndsAt', 'replacedAt'])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('oauthBuildings').select('oauthBuildings.keyId').whereRef('oauthBuildings.keyId', '=', 'apiKeys.id'),
      ).as('hasBuildings'),
    )
    .where('oauthRefreshTokens.hash', '=', hashSecret(refreshToken))
    .executeTakeFirst()
  const ended = new OauthFailure('invalid_grant', 'The refresh token is unknown, has expired or has been revoked.')
  if (!found || found.clientId !== clientId || found.revokedAt !== null) throw ended
  if ((found.grantEndsAt ?? 0) <= nowMs) throw ended
  if (!found.hasBuildings) throw (await refusalOfMoved(store, found.id)) ?? ended
  if (found.replacedAt !== null && nowMs - found.replacedAt > REPEATED_WITHIN_MS) {
    await revokeKey(store, clock, { id: found.id })
    throw ended
  }
  const tokens = newTokens(found.permission)
  const { db } = store
  await store.batch([
    db
      .updateTable('oauthRefreshTokens')
      .set({ replacedAt: nowMs })
      .where('keyId', '=', found.id)
      .where('replacedAt', 'is', null),
    db.updateTable('apiKeys').set(columnsOf(tokens, nowMs)).where('id', '=', found.id),
    insertRefreshToken(store, found.id, tokens),
  ])
  return tokens
}

/** The app learns where to ask for a new grant. */
async function refusalOfMoved({ db }: Store, keyId: string): Promise<OauthFailure | undefined> {
  const moved = await db
    .selectFrom('movedGrants')
    .innerJoin('buildingMoves', 'buildingMoves.buildingId', 'movedGrants.buildingId')
    .select(['buildingMoves.buildingId', 'buildingMoves.url'])
    .where('movedGrants.keyId', '=', keyId)
    .where('buildingMoves.stage', 'in', ['left', 'moved'])
    .orderBy('buildingMoves.since', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (moved?.url == null) return undefined
  return new OauthFailure('invalid_grant', `The building ${moved.buildingId} has moved to ${moved.url}.`)
}

const newTokens = (permission: Permission): Tokens => ({
  accessToken: newSecret('hypa_'),
  refreshToken: newSecret('hypr_'),
  expiresInS: ACCESS_TOKEN_MS / 1000,
  permission,
})

const columnsOf = ({ accessToken }: Tokens, nowMs: number) => ({
  hash: hashSecret(accessToken),
  expiresAt: nowMs + ACCESS_TOKEN_MS,
  grantEndsAt: nowMs + GRANT_MS,
})

const insertRefreshToken = ({ db }: Store, keyId: string, { refreshToken }: Tokens): Compilable =>
  db.insertInto('oauthRefreshTokens').values({ hash: hashSecret(refreshToken), keyId, replacedAt: null })

/** By either of its tokens, as an app does that is signed out. Says nothing of a token that is none of the app's. */
export async function revokeByToken(
  { store, clock }: GrantParts,
  { clientId, token }: { clientId: string; token: string },
): Promise<void> {
  const hash = hashSecret(token)
  const found = await store.db
    .selectFrom('apiKeys')
    .select('id')
    .where('clientId', '=', clientId)
    .where(({ or, eb, selectFrom }) =>
      or([
        eb('hash', '=', hash),
        eb('id', 'in', selectFrom('oauthRefreshTokens').select('keyId').where('oauthRefreshTokens.hash', '=', hash)),
      ]),
    )
    .executeTakeFirst()
  if (found) await revokeKey(store, clock, { id: found.id })
}
