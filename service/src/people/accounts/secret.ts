import { createHmac, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { StartupError } from '../../base/startup-error.ts'
import { keptOnce } from '../../store/kept-once.ts'
import type { Store } from '../../store/store.ts'

const BYTES = 32

/** What session cookies are signed with: made once, kept in the data folder, readable by nobody else. */
export function readAuthSecret(dataDir: string): string {
  const file = join(dataDir, 'auth-secret')
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    // `wx` fails when it is there already: of two processes that start together, one makes it and both read it.
    writeFileSync(file, `${randomBytes(BYTES).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw problem(file, (error as Error).message)
  }
  const secret = readFileSync(file, 'utf8').trim()
  if (secret.length < BYTES) throw problem(file, 'it is too short. Delete it; everybody then signs in anew')
  return secret
}

const problem = (file: string, why: string) => new StartupError(`cannot use the secret in ${file}: ${why}`)

const FINGERPRINT = 'auth_secret_fingerprint'
const fingerprintOf = (secret: string): string => createHmac('sha256', secret).update(FINGERPRINT).digest('hex')

/**
 * All processes of one database sign with one secret: sessions and second factors of one are unknown to another else.
 * A database that one process has to itself may change it; processes that share one refuse to start.
 */
export async function checkAuthSecret(store: Store, secret: string, logger: Logger): Promise<void> {
  const own = fingerprintOf(secret)
  const kept = await keptOnce(store, FINGERPRINT, () => own)
  if (kept === own) return
  if (store.isShared) {
    throw new StartupError(
      'the auth secret is not the one this database is used with. Set HYPOCAUST_AUTH_SECRET to the same value for all processes; docs/operations.md, "The secret", says how to replace it.',
    )
  }
  logger.warn('the auth secret has changed: all sessions have ended, and second factors have to be set up again')
  await store.db.updateTable('meta').set({ value: own }).where('name', '=', FINGERPRINT).execute()
}
