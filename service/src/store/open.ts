import { accessSync, constants, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { StartupError } from '../base/startup-error.ts'
import { NewerDatabase } from './migrations/names.ts'
import type { PoolLimits } from './postgres/pool.ts'
import { openSqlite } from './sqlite/open.ts'
import { type Store, StoreError } from './store.ts'

/** PostgreSQL where a URL names one, else SQLite in the data folder. An error is reported in one line. */
export async function openStore(
  dataDir: string,
  databaseUrl?: string,
  limits: Partial<PoolLimits> = {},
): Promise<Store> {
  const folder = resolve(dataDir)
  if (databaseUrl === undefined) openFolder(folder)
  const file = join(folder, 'hypocaust.db')
  try {
    if (databaseUrl === undefined) return await openSqlite(file)
    // Its driver is loaded only where it is used.
    const { openPostgres } = await import('./postgres/open.ts')
    return await openPostgres(databaseUrl, limits)
  } catch (error) {
    throw new StartupError(whyNot(databaseUrl === undefined ? file : withoutPassword(databaseUrl), error))
  }
}

function openFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new StartupError(
      `cannot use the data folder ${folder}: ${(error as Error).message}. Choose another with --data.`,
    )
  }
}

/** As people see it, of one host or several. */
export const withoutPassword = (url: string): string => url.replace(/^(\w+:\/\/)([^/?#]*@)?([^?#]*).*$/, '$1$3')

function whyNot(file: string, error: unknown): string {
  const { message } = error as Error
  if (error instanceof StoreError && error.kind === 'damaged') {
    return `the database ${file} is damaged (${message}). Move it away and restore a backup, or start anew.`
  }
  if (error instanceof NewerDatabase) {
    return `the database ${file} was written by a newer version of Hypocaust. Use that version or a newer one.`
  }
  return `cannot open the database ${file}: ${message}`
}
