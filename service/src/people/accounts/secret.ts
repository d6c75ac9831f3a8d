import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartupError } from '../../base/startup-error.ts'

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
