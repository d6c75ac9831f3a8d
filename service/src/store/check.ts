import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { BUSY_TIMEOUT_MS } from './sqlite/connection.ts'

export interface Check {
  check: string
  ok: boolean
  finding: string
}

const CONNECT_TIMEOUT_MS = 5000
const LOW_SPACE_BYTES = 200 * 1024 * 1024

/** Looks without touching: the folder, the space in it, the soundness of the database. */
export async function checkData(dataDir: string, databaseUrl?: string): Promise<Check[]> {
  const folder = resolve(dataDir)
  const folderChecks = existsSync(folder)
    ? [checkFolder(folder), checkSpace(folder), ...checkModes(folder)]
    : [{ check: 'Data folder', ok: true, finding: `${folder} will be created at the first start` }]
  const database =
    databaseUrl === undefined ? checkSqlite(join(folder, 'hypocaust.db')) : await checkPostgres(databaseUrl)
  return [...folderChecks, database]
}

async function checkPostgres(url: string): Promise<Check> {
  const { connectingTo } = await import('./postgres/hosts.ts')
  try {
    const { Client, connectionString } = connectingTo(url)
    const client = new Client({ connectionString, connectionTimeoutMillis: CONNECT_TIMEOUT_MS })
    await client.connect()
    const { rows } = await client.query<{ server_version: string }>('show server_version')
    await client.end()
    return { check: 'Database', ok: true, finding: `PostgreSQL ${rows[0]?.server_version} answers` }
  } catch (error) {
    const finding = `PostgreSQL does not answer: ${(error as Error).message}; check HYPOCAUST_DATABASE_URL`
    return { check: 'Database', ok: false, finding }
  }
}

function checkFolder(folder: string): Check {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    return { check: 'Data folder', ok: true, finding: `${folder} can be written` }
  } catch (error) {
    return { check: 'Data folder', ok: false, finding: `${(error as Error).message}; choose another with --data` }
  }
}

/** The folder holds secrets: only its owner may read it. Nothing is said of what is not there. */
function checkModes(folder: string): Check[] {
  const open = [folder, ...['hypocaust.db', 'auth-secret'].map((name) => join(folder, name))]
    .filter((file) => existsSync(file))
    .filter((file) => (statSync(file).mode & 0o077) !== 0)
  // What is inside a closed folder cannot be reached by others.
  if (!open.includes(folder) || open.length === 1) return []
  const finding = `${open.slice(1).join(', ')} can be read by other users of this machine; run chmod 700 ${folder}`
  return [{ check: 'File modes', ok: false, finding }]
}

function checkSpace(folder: string): Check {
  const { bavail, bsize } = statfsSync(folder)
  const free = `${Math.floor((bavail * bsize) / 1024 / 1024)} MB free`
  const ok = bavail * bsize >= LOW_SPACE_BYTES
  return { check: 'Disk', ok, finding: ok ? free : `only ${free}; make room, or nothing can be stored` }
}

function checkSqlite(file: string): Check {
  if (!existsSync(file)) return { check: 'Database', ok: true, finding: `${file} will be created at the first start` }
  try {
    const db = new DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS })
    const [first] = db.prepare('pragma quick_check(1)').all() as { quick_check: string }[]
    db.close()
    const ok = first?.quick_check === 'ok'
    return {
      check: 'Database',
      ok,
      finding: ok ? `${file} is sound` : `${file}: ${first?.quick_check}; restore a backup`,
    }
  } catch (error) {
    return { check: 'Database', ok: false, finding: `${file}: ${(error as Error).message}; restore a backup` }
  }
}
