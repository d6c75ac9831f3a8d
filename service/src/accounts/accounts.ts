import type { Store } from '../store/store.ts'

export interface Account {
  id: string
  email: string
}

export const MIN_PASSWORD_LENGTH = 10
export const MAX_PASSWORD_LENGTH = 128

export type CreateAccountResult =
  | { kind: 'created'; account: Account }
  | { kind: 'taken' }
  | { kind: 'refused'; why: string }

/** Accounts are better-auth's: it hashes passwords (scrypt) and will keep the sessions. */
export async function createAccount(store: Store, email: string, password: string): Promise<CreateAccountResult> {
  const why = refusalOf(email, password)
  if (why) return { kind: 'refused', why }
  if (await findAccount(store, email)) return { kind: 'taken' }
  const { password: passwords, internalAdapter } = await (await authOf(store)).$context
  const user = await internalAdapter.createUser(
    { email, name: email, emailVerified: false },
    { method: 'email-password' },
  )
  await internalAdapter.linkAccount({
    userId: user.id,
    accountId: user.id,
    providerId: 'credential',
    password: await passwords.hash(password),
  })
  return { kind: 'created', account: { id: user.id, email: user.email } }
}

export function findAccount({ db }: Store, email: string): Promise<Account | undefined> {
  return db.selectFrom('user').select(['id', 'email']).where('email', '=', email.toLowerCase()).executeTakeFirst()
}

export function listAccounts({ db }: Store): Promise<Account[]> {
  return db.selectFrom('user').select(['id', 'email']).orderBy('email').execute()
}

function refusalOf(email: string, password: string): string | undefined {
  if (!/^[^\s@]+@[^\s@]+$/.test(email) || email.length > 254) return `not an e-mail address: ${email}`
  if (password.length < MIN_PASSWORD_LENGTH) return `the password needs at least ${MIN_PASSWORD_LENGTH} characters`
  if (password.length > MAX_PASSWORD_LENGTH) return `the password may have at most ${MAX_PASSWORD_LENGTH} characters`
  return undefined
}

async function authOf(store: Store) {
  // Loaded when needed: it takes longer than all the rest, and most commands never ask for it.
  const { betterAuth } = await import('better-auth')
  return betterAuth({
    // better-auth spells its columns its own way, so it gets the database without our spelling rules.
    database: { db: store.db.withoutPlugins(), type: store.engine },
    // Signs session cookies only, and no session is opened here.
    secret: crypto.randomUUID() + crypto.randomUUID(),
    baseURL: 'http://localhost',
    emailAndPassword: { enabled: true, minPasswordLength: MIN_PASSWORD_LENGTH, maxPasswordLength: MAX_PASSWORD_LENGTH },
    telemetry: { enabled: false },
    logger: { level: 'error' },
  })
}
