import { randomUUIDv7 } from 'node:crypto'
import { EMAIL_MAX_LENGTH, MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '@hypocaust/domain'
import type { Compilable, Kysely } from 'kysely'
import type { Clock } from '../../base/clock.ts'
import { isStoreError, type Store } from '../../store/store.ts'
import { listKeys, revokeKey } from '../keys/keys.ts'
import { revokeLinks } from '../links/programme-links.ts'
import { forgetCodesOf } from '../oauth/forget.ts'
import { grantedApps } from '../oauth/granted-apps.ts'
import { removeWebhooks } from '../webhooks/webhooks.ts'
import { removePasskeys } from './passkeys.ts'
import { forgetVerificationsOf } from './verifications.ts'

export interface Account {
  id: string
  email: string
}

type CreateAccountResult = { kind: 'created'; account: Account } | { kind: 'taken' } | { kind: 'refused'; why: string }

/** Writes the rows of an account; may add to them in the same transaction. */
type WriteAccount = (account: Account, rows: Compilable[]) => Promise<unknown>

export async function createAccount(
  store: Store,
  email: string,
  password: string,
  write?: WriteAccount,
): Promise<CreateAccountResult> {
  const why = refusalOf(email, password)
  if (why) return { kind: 'refused', why }
  if (await findAccount(store, email)) return { kind: 'taken' }
  return insertAccount(store, email, await hashPassword(store, password), write)
}

/** Accounts are better-auth's: it hashes passwords (scrypt) and will keep the sessions. */
export async function hashPassword(store: Store, password: string): Promise<string> {
  const { password: passwords } = await (await authOf(store)).$context
  return passwords.hash(password)
}

export async function insertAccount(
  store: Store,
  email: string,
  hash: string,
  write: WriteAccount = (_, rows) => store.batch(rows),
): Promise<Exclude<CreateAccountResult, { kind: 'refused' }>> {
  const account = { id: randomUUIDv7(), email: email.toLowerCase() }
  try {
    await write(account, rowsOf(store, account, hash))
  } catch (error) {
    if (isStoreError(error, 'unique')) return { kind: 'taken' }
    throw error
  }
  return { kind: 'created', account }
}

/** The person and the password in better-auth's own form, both or neither: an account without a password opens to nobody. */
function rowsOf({ db, statements }: Store, { id, email }: Account, password: string): Compilable[] {
  const date = statements.authDate(new Date())
  const emailVerified = statements.authBoolean(false)
  const dates = { createdAt: date, updatedAt: date }
  const plain = db.withoutPlugins() as unknown as Kysely<Record<'user' | 'account', Record<string, unknown>>>
  return [
    plain.insertInto('user').values({ id, email, name: email, emailVerified, ...dates }),
    plain
      .insertInto('account')
      .values({ id: randomUUIDv7(), userId: id, accountId: id, providerId: 'credential', password, ...dates }),
  ]
}

export function findAccount({ db }: Store, email: string): Promise<Account | undefined> {
  return db.selectFrom('user').select(['id', 'email']).where('email', '=', email.toLowerCase()).executeTakeFirst()
}

/** What the other members of this person's buildings read. */
export async function renameAccount({ db }: Store, accountId: string, name: string): Promise<void> {
  await db.updateTable('user').set({ name: name.trim() }).where('id', '=', accountId).execute()
}

export function listAccounts({ db }: Store): Promise<Account[]> {
  return db.selectFrom('user').select(['id', 'email']).orderBy('email').execute()
}

export const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+$/.test(text) && text.length <= 254

function refusalOf(email: string, password: string): string | undefined {
  if (!/^[^\s@]+@[^\s@]+$/.test(email) || email.length > EMAIL_MAX_LENGTH) return `not an e-mail address: ${email}`
  if (password.length < MIN_PASSWORD_LENGTH) return `the password needs at least ${MIN_PASSWORD_LENGTH} characters`
  if (password.length > MAX_PASSWORD_LENGTH) return `the password may have at most ${MAX_PASSWORD_LENGTH} characters`
  return undefined
}

/** What still opens the account without its password, and what no longer does. */
interface AccessAfterReset {
  keysRevoked: number
  keysLeft: number
  webhooksRemoved: number
}

type ResetPasswordResult =
  | ({ kind: 'reset' } & AccessAfterReset)
  | { kind: 'no_account' }
  | { kind: 'refused'; why: string }

/**
 * A new password from the operator. Sessions end, passkeys and the second factor are removed; API keys are revoked
 * where that is asked for.
 */
export async function resetPassword(
  store: Store,
  clock: Clock,
  email: string,
  password: string,
  { revokeKeys }: { revokeKeys: boolean },
): Promise<ResetPasswordResult> {
  const why = refusalOf(email, password)
  if (why) return { kind: 'refused', why }
  const account = await findAccount(store, email)
  if (!account) return { kind: 'no_account' }
  const { password: passwords, internalAdapter, adapter } = await (await authOf(store)).$context
  await internalAdapter.updatePassword(account.id, await passwords.hash(password))
  await internalAdapter.deleteUserSessions(account.id)
  await internalAdapter.updateUser(account.id, { twoFactorEnabled: false })
  await adapter.deleteMany({ model: 'twoFactor', where: [{ field: 'userId', value: account.id }] })
  await removePasskeys(store, account.id)
  await forgetVerificationsOf(store, account.id)
  return { kind: 'reset', ...(await keysAfterReset(store, clock, account.id, revokeKeys)) }
}

export async function hasAccounts({ db }: Store): Promise<boolean> {
  return (await db.selectFrom('user').select('id').limit(1).executeTakeFirst()) !== undefined
}

/** A session that was opened and must not stay. */
export async function endSession({ db }: Store, token: string): Promise<void> {
  const plain = db.withoutPlugins() as unknown as Kysely<{ session: { token: string } }>
  await plain.deleteFrom('session').where('token', '=', token).execute()
}

/** Without a browser: the secret signs cookies only, and none is made here. */
async function authOf(store: Store) {
  // Loaded when needed: it takes longer than all the rest, and most commands never ask for it.
  const { createAuth } = await import('./auth.ts')
  return createAuth(store, { secret: crypto.randomUUID() + crypto.randomUUID(), origin: 'http://localhost' })
}

/** Keys, connected apps, webhooks and links to programmes outlive a password unless they end with it: an integration may depend on them. */
export async function keysAfterReset(
  store: Store,
  clock: Clock,
  accountId: string,
  revokeKeys: boolean,
): Promise<AccessAfterReset> {
  // Before the keys are looked up: one that is exchanged later gets nothing.
  if (revokeKeys) await forgetCodesOf(store, accountId)
  const keys = (await listKeys(store, accountId)).filter(({ revokedAt }) => revokedAt === null)
  const open = [...keys, ...(await grantedApps(store, accountId, clock.now()))]
  if (!revokeKeys) return { keysRevoked: 0, keysLeft: open.length, webhooksRemoved: 0 }
  for (const { id } of open) await revokeKey(store, clock, { id, accountId })
  await revokeLinks(store, accountId)
  const webhooksRemoved = await removeWebhooks(store, accountId)
  return { keysRevoked: open.length, keysLeft: 0, webhooksRemoved }
}
