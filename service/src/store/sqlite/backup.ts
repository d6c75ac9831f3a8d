import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { StartupError } from '../../base/startup-error.ts'
import { VERSION } from '../../base/version.ts'
import { keepFiles } from './backup-files.ts'
import { BUSY_TIMEOUT_MS } from './connection.ts'
import { countsIn, refuseDamaged } from './integrity.ts'

interface BackupResult {
  file: string
  bytes: number
  /** Rows of each table, as they were when the backup began. */
  tables: Record<string, number>
  /** What the data folder held besides the database. */
  files: string[]
  /** Files too large to be a secret or a setting. */
  left_out: string[]
}

const PAGES_AT_ONCE = 1000

/**
 * One file with all that is needed to be back in business, taken while the service runs: the database as it is at this
 * moment, and the secrets beside it. It appears under its name only when it is complete and has been read through.
 */
export async function backUp(
  dataDir: string,
  file: string,
  { overwrite, onProgress }: { overwrite: boolean; onProgress(done: number, of: number): void },
): Promise<BackupResult> {
  const folder = resolve(dataDir)
  const database = join(folder, 'hypocaust.db')
  if (!existsSync(database)) throw new StartupError(`there is no database in ${folder}. Name its folder with --data.`)
  const target = resolve(file)
  if (existsSync(target) && !overwrite)
    throw new StartupError(`${target} is there already. Name another file, or add --overwrite.`)
  const work = makeWorkFolder(target)
  try {
    const copy = join(work, basename(target))
    const tables = await copyDatabase(database, copy, onProgress)
    const files = finishCopy(copy, folder, tables)
    syncFile(copy)
    renameSync(copy, target)
    syncFile(dirname(target))
    return { file: target, bytes: statSync(target).size, tables, ...files }
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

const BEFORE_UPDATE = /^before-.*\.backup$/

/** Migrations go forward only. With this copy, the version before this one can be restored. The newest is kept. */
export async function backUpBeforeUpdate(folder: string): Promise<void> {
  const name = `before-${VERSION}.backup`
  await backUp(folder, join(folder, name), { overwrite: true, onProgress: () => {} })
  for (const each of readdirSync(folder)) if (BEFORE_UPDATE.test(each) && each !== name) rmSync(join(folder, each))
}

/** Beside the target, so that the last step is a rename; open to nobody else from the first byte on. */
function makeWorkFolder(target: string): string {
  try {
    return mkdtempSync(`${target}.part-`)
  } catch (error) {
    throw new StartupError(`cannot write to ${dirname(target)}: ${(error as Error).message}`)
  }
}

async function copyDatabase(
  database: string,
  copy: string,
  onProgress: (done: number, of: number) => void,
): Promise<Record<string, number>> {
  const source = new DatabaseSync(database, { timeout: BUSY_TIMEOUT_MS })
  try {
    // Within a transaction the source stands still for us; else every write of the service would begin the copy anew.
    source.exec('begin')
    const tables = countsIn(source)
    closeSync(openSync(copy, 'wx', 0o600))
    await backup(source, copy, {
      rate: PAGES_AT_ONCE,
      progress: ({ totalPages, remainingPages }) => onProgress(totalPages - remainingPages, totalPages),
    })
    onProgress(1, 1)
    return tables
  } finally {
    source.close()
  }
}

function finishCopy(copy: string, folder: string, expected: Record<string, number>) {
  const db = new DatabaseSync(copy)
  try {
    db.exec('pragma journal_mode = delete')
    refuseDamaged(db, copy)
    const found = countsIn(db)
    for (const [table, rows] of Object.entries(expected)) {
      if (found[table] !== rows) throw new StartupError(`the copy has ${found[table]} rows of ${rows} in ${table}`)
    }
    return keepFiles(db, folder)
  } finally {
    db.close()
  }
}

export function syncFile(path: string): void {
  const handle = openSync(path, 'r')
  fsyncSync(handle)
  closeSync(handle)
}
