import type { Kysely } from 'kysely'
import type { Store } from '../../service/src/store/store.ts'

/** The library spells its tables its own way. */
const tablesOf = ({ db }: Store) => db.withoutPlugins() as unknown as Kysely<{ passkey: Record<string, unknown> }>

/** A passkey as it is stored; no authenticator holds its other half. */
export async function addPasskey(store: Store, userId: string): Promise<void> {
  const credential = { publicKey: 'p', credentialID: 'c', counter: 0, deviceType: 'd' }
  const backedUp = store.engine === 'sqlite' ? 0 : false
  await tablesOf(store)
    .insertInto('passkey')
    .values({ id: 'p1', userId, backedUp, ...credential })
    .execute()
}

export const passkeysIn = (store: Store) => tablesOf(store).selectFrom('passkey').selectAll().execute()
