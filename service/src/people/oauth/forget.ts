import { DAY_MS } from '@hypocaust/domain'
import type { Store } from '../../store/store.ts'

/** Codes stay known for so long after their end, so that one that comes a second time is recognised. */
const CODES_KEPT_MS = DAY_MS
/** Longer than any of them is good for. */
const REFRESH_TOKENS_KEPT_MS = 180 * DAY_MS
/** An app that registered itself and was granted nothing for so long. */
const UNUSED_MS = DAY_MS

/** What an account has allowed and no app has exchanged yet, with what remains of the rest. */
export async function forgetCodesOf({ db, batch }: Store, accountId: string): Promise<void> {
  await batch([
    db.deleteFrom('oauthCodes').where('accountId', '=', accountId),
    db.deleteFrom('oauthDevices').where('accountId', '=', accountId),
  ])
}

export async function forgetOauth({ db }: Store, nowMs: number): Promise<void> {
  for (const table of ['oauthCodes', 'oauthDevices'] as const)
    await db
      .deleteFrom(table)
      .where('expiresAt', '<', nowMs - CODES_KEPT_MS)
      .execute()
  await db
    .deleteFrom('oauthRefreshTokens')
    .where('replacedAt', '<', nowMs - REFRESH_TOKENS_KEPT_MS)
    .execute()
  await db
    .deleteFrom('oauthClients')
    .where('isSelfRegistered', '=', 1)
    .where('createdAt', '<', nowMs - UNUSED_MS)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('apiKeys').select('apiKeys.id').whereRef('apiKeys.clientId', '=', 'oauthClients.id'))),
    )
    .execute()
}
