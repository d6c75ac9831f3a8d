import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { StartupError } from '../../base/startup-error.ts'
import { withoutPassword } from '../open.ts'
import { migrateAlone } from '../postgres/migrate-alone.ts'
import { openAlone } from '../sqlite/alone.ts'
import { openSqlite } from '../sqlite/open.ts'
import { Checksum, canonical, type Row, type TableShape } from './rows.ts'
import { Source } from './source.ts'
import { Target } from './target.ts'

export interface CopyProgress {
  step: 'copy' | 'verify'
  table: string
  done: number
  of: number
}

/** One table on both sides; the copy is good when they agree. */
export interface VerifiedTable {
  table: string
  rows: number
  target_rows: number
  checksum: string
  target_checksum: string
  same: boolean
}

const ROWS_AT_ONCE = 2000

/**
 * Copies a SQLite database (its file, or its data folder) into an empty PostgreSQL one, table by table, and compares
 * both. Interrupted at any moment, it goes on from there when called again.
 */
export async function copyStore(
  from: string,
  to: string,
  onProgress: (progress: CopyProgress) => void,
): Promise<VerifiedTable[]> {
  const file = fileOf(from)
  openAlone(file).close()
  await (await openSqlite(file)).close()
  const alone = openAlone(file)
  try {
    const target = await openTarget(to)
    try {
      return await copyAndVerify(new Source(alone), target, onProgress)
    } finally {
      await target.close()
    }
  } finally {
    alone.close()
  }
}

async function openTarget(url: string): Promise<Target> {
  try {
    await migrateAlone(url)
    return await Target.open(url)
  } catch (error) {
    if (error instanceof StartupError) throw error
    throw new StartupError(`cannot open the target ${withoutPassword(url)}: ${(error as Error).message}`)
  }
}

async function copyAndVerify(
  source: Source,
  target: Target,
  onProgress: (progress: CopyProgress) => void,
): Promise<VerifiedTable[]> {
  const tables = source.tables()
  if (source.migrations().join() !== (await target.migrations()).join()) {
    throw new StartupError('source and target are not of the same version of Hypocaust')
  }
  await target.claim(source.identity(), tables)
  for (const table of tables) await copyTable(source, target, table, onProgress)
  const verified: VerifiedTable[] = []
  for (const table of tables) {
    onProgress({ step: 'verify', table: table.name, done: verified.length, of: tables.length })
    verified.push(await verify(source, target, table))
  }
  if (verified.every(({ same }) => same)) await target.finish()
  return verified
}

async function copyTable(
  source: Source,
  target: Target,
  table: TableShape,
  onProgress: (progress: CopyProgress) => void,
): Promise<void> {
  let { lastKey, copied, isDone } = await target.stateOf(table)
  const of = source.count(table)
  while (!isDone) {
    onProgress({ step: 'copy', table: table.name, done: copied, of })
    const rows = source.after(table, lastKey, ROWS_AT_ONCE)
    isDone = rows.length < ROWS_AT_ONCE
    await target.add(table, rows, isDone)
    copied += rows.length
    const last = rows.at(-1)
    if (last) lastKey = table.key.map((column) => last[column])
  }
}

async function verify(source: Source, target: Target, table: TableShape): Promise<VerifiedTable> {
  const kinds = await target.kindsOf(table)
  const valuesOf = (row: Row) => table.columns.map((column) => canonical(row[column], kinds.get(column) ?? 'plain'))
  const [here, there] = [new Checksum(), new Checksum()]
  for (const row of source.all(table)) here.add(valuesOf(row))
  for await (const row of target.all(table)) there.add(valuesOf(row))
  const [checksum, targetChecksum] = [String(here), String(there)]
  const same = here.rows === there.rows && checksum === targetChecksum
  return {
    table: table.name,
    rows: here.rows,
    target_rows: there.rows,
    checksum,
    target_checksum: targetChecksum,
    same,
  }
}

function fileOf(from: string): string {
  const path = resolve(from.replace(/^sqlite:(\/\/(?=\/))?/, ''))
  const file = existsSync(path) && statSync(path).isDirectory() ? join(path, 'hypocaust.db') : path
  if (!existsSync(file)) throw new StartupError(`there is no database at ${file}`)
  return file
}
