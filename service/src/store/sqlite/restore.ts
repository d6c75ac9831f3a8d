import { chmodSync, constants, copyFileSync, existsSync, linkSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StartupError } from '../../base/startup-error.ts'
import { openAlone } from './alone.ts'
import { syncFile } from './backup.ts'
import { putFiles, takeFiles } from './backup-files.ts'
import { countsIn, refuseDamaged } from './integrity.ts'

interface RestoreResult {
  folder: string
  tables: Record<string, number>
  files: string[]
  /** Where the database that was there before is now. */
  replaced: string | null
}

/** Puts a backup into a data folder. It is read through first, and what it replaces stays beside it. */
export function restore(
  file: string,
  dataDir: string,
  { replace, nowMs }: { replace: boolean; nowMs: number },
): RestoreResult {
  const folder = resolve(dataDir)
  const database = join(folder, 'hypocaust.db')
  const backupFile = resolve(file)
  if (!existsSync(backupFile)) throw new StartupError(`there is no file ${backupFile}`)
  const isReplacing = existsSync(database)
  if (isReplacing && !replace)
    throw new StartupError(`${folder} holds a database already. Name another folder, or add --replace.`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const present = isReplacing ? leaveAlone(database) : null
  const copy = `${database}.part-restore`
  try {
    copyFileSync(backupFile, copy, constants.COPYFILE_FICLONE)
    chmodSync(copy, 0o600)
    const { tables, files } = prepare(copy, backupFile, epochFor(present, nowMs))
    const suffix = `.replaced-${new Date(nowMs).toISOString().replaceAll(/[:.]/g, '-')}`
    syncFile(copy)
    // Never without a database in between: a service that starts now would make an empty one.
    if (isReplacing) keepReplaced(database, suffix)
    putFiles(folder, files, suffix)
    renameSync(copy, database)
    syncFile(folder)
    return {
      folder,
      tables,
      files: files.map(({ name }) => name),
      replaced: isReplacing ? `${database}${suffix}` : null,
    }
  } finally {
    for (const tail of ['', '-journal']) rmSync(copy + tail, { force: true })
  }
}

/** The epoch of the database that is there, if it can still be read, after nobody has it open. */
function leaveAlone(database: string): number | null {
  let db: DatabaseSync
  try {
    db = openAlone(database)
  } catch (error) {
    if (error instanceof StartupError) throw error
    return null
  }
  try {
    return epochIn(db)
  } catch {
    return null
  } finally {
    // The last to close also puts the log of writes into the file.
    db.close()
  }
}

const epochIn = (db: DatabaseSync): number =>
  Number(db.prepare("select value from meta where name = 'epoch'").get()?.value ?? 0)

/** Greater than any before: commands from before the restore are then old to every gateway, whatever their numbers. */
const epochFor = (present: number | null, nowMs: number): number =>
  Math.max((present ?? 0) + 1, Math.floor(nowMs / 1000))

function prepare(copy: string, backupFile: string, epoch: number) {
  const db = new DatabaseSync(copy)
  try {
    refuseDamaged(db, backupFile)
    if (!db.prepare("select 1 from sqlite_schema where name = 'backup_files'").get())
      throw new StartupError(`${backupFile} is no backup made by hypocaust backup`)
    const files = takeFiles(db)
    db.prepare("update meta set value = ? where name = 'epoch'").run(String(Math.max(epoch, epochIn(db) + 1)))
    return { tables: countsIn(db), files }
  } finally {
    db.close()
  }
}

function keepReplaced(database: string, suffix: string): void {
  // Still there only where the database was too damaged to be opened: the log must not meet another database.
  for (const tail of ['-wal', '-shm']) {
    if (existsSync(database + tail)) renameSync(database + tail, `${database}${suffix}${tail}`)
  }
  linkSync(database, `${database}${suffix}`)
}
