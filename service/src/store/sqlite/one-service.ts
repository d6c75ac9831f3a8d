import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StartupError } from '../../base/startup-error.ts'

/** Beside the database; its lock is the operating system's, and ends with the process. */
const LOCK_FILE = 'hypocaust.db.lock'

const BUSY = 5

/**
 * One service a data folder: two would each have a broker, each command the valves, and count limits for themselves.
 * Commands beside the service do not take this lock.
 */
export function lockFolder(dataDir: string): { stop(): Promise<void> } {
  const folder = resolve(dataDir)
  const lock = new DatabaseSync(join(folder, LOCK_FILE), { timeout: 0 })
  try {
    lock.exec('pragma locking_mode = exclusive; begin exclusive')
  } catch (error) {
    lock.close()
    if ((error as { errcode?: number }).errcode !== BUSY) throw error
    throw new StartupError(
      `another hypocaust serve uses the data folder ${folder}. Stop it, or choose another folder with --data.`,
    )
  }
  return { stop: async () => lock.close() }
}
