import { DatabaseSync } from 'node:sqlite'
import { StartupError } from '../../base/startup-error.ts'

/** Opens a database that nobody else has open, and keeps everybody else out until it is closed. */
export function openAlone(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: 0 })
  try {
    db.exec('pragma locking_mode = exclusive; begin immediate; commit')
    return db
  } catch (error) {
    db.close()
    if (!isLocked(error)) throw error
    throw new StartupError(`the database ${file} is in use. Stop the service, and any other command that works on it.`)
  }
}

const BUSY = 5
const isLocked = (error: unknown): boolean => (error as { errcode?: number }).errcode === BUSY
