import type { Kysely } from 'kysely'
import type { Store } from '../../store/store.ts'

/** better-auth spells its tables its own way. */
export async function removePasskeys({ db }: Store, accountId: string): Promise<void> {
  const plain = db.withoutPlugins() as unknown as Kysely<{ passkey: { userId: string } }>
  await plain.deleteFrom('passkey').where('userId', '=', accountId).execute()
}
