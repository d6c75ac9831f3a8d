import type { Kysely } from 'kysely'
import type { Store } from '../../store/store.ts'

/** Challenges and links that were never used: anyone can have a challenge made, so nothing may be left of it. */
export async function forgetExpiredVerifications({ db }: Store, nowMs: number): Promise<void> {
  const plain = db.withoutPlugins() as unknown as Kysely<{ verification: { expiresAt: string } }>
  await plain.deleteFrom('verification').where('expiresAt', '<', new Date(nowMs).toISOString()).execute()
}

/** Links to a new password and sign-ins that are not finished: they end with the password they were made for. */
export async function forgetVerificationsOf({ db }: Store, accountId: string): Promise<void> {
  const plain = db.withoutPlugins() as unknown as Kysely<{ verification: { value: string } }>
  await plain.deleteFrom('verification').where('value', '=', accountId).execute()
}
