import { randomUUIDv7 } from 'node:crypto'
import { errors } from '../../base/errors.ts'
import type { Store } from '../../store/store.ts'
import { isRedirectUri } from './redirects.ts'

export interface OauthClient {
  id: string
  name: string
  redirectUris: string[]
  isSelfRegistered: boolean
  createdAt: number
}

const MOST_REDIRECT_URIS = 10

interface NewClient {
  name: string
  redirectUris: string[]
  isSelfRegistered: boolean
}

/** An app without any address may still be granted access on a device. */
export async function addClient(
  { db }: Store,
  { name, redirectUris, isSelfRegistered }: NewClient,
  nowMs: number,
): Promise<OauthClient> {
  const wrong = redirectUris.find((uri) => !isRedirectUri(uri))
  if (wrong !== undefined)
    throw errors.invalidValue(
      `redirect URI ${JSON.stringify(wrong)}: it must begin with https://, http://127.0.0.1, http://[::1], http://localhost, or a scheme with a dot, and have no fragment`,
    )
  if (redirectUris.length > MOST_REDIRECT_URIS)
    throw errors.invalidValue(`an app has at most ${MOST_REDIRECT_URIS} redirect URIs`)
  const id = randomUUIDv7()
  const row = { id, name, redirectUris: JSON.stringify(redirectUris), createdAt: nowMs }
  await db
    .insertInto('oauthClients')
    .values({ ...row, isSelfRegistered: isSelfRegistered ? 1 : 0 })
    .execute()
  return { id, name, redirectUris, isSelfRegistered, createdAt: nowMs }
}

export async function findClient({ db }: Store, id: string): Promise<OauthClient | undefined> {
  const row = await db.selectFrom('oauthClients').selectAll().where('id', '=', id).executeTakeFirst()
  return row && clientOf(row)
}

export async function listClients({ db }: Store): Promise<OauthClient[]> {
  return (await db.selectFrom('oauthClients').selectAll().orderBy('id').execute()).map(clientOf)
}

/** With everything it was granted; false where there is none. */
export async function removeClient(store: Store, id: string): Promise<boolean> {
  const [removed] = await store.batch([store.db.deleteFrom('oauthClients').where('id', '=', id)])
  return removed?.affectedRows === 1
}

interface ClientRow {
  id: string
  name: string
  redirectUris: string
  isSelfRegistered: number
  createdAt: number
}

const clientOf = ({ redirectUris, isSelfRegistered, ...row }: ClientRow): OauthClient => ({
  ...row,
  redirectUris: JSON.parse(redirectUris),
  isSelfRegistered: isSelfRegistered === 1,
})
