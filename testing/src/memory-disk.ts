import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { undoneAtExit } from './undone-at-exit.ts'

const MEMORY = '/dev/shm'
const NEEDED_BYTES = 4e9

/**
 * Temporary folders in memory, where there is room: the tests prove what is written, not that a disk keeps it, and
 * waiting for the disk would take a good part of their time.
 */
export default function setup(): (() => void) | undefined {
  if (!existsSync(MEMORY)) return undefined
  const { bavail, bsize } = statfsSync(MEMORY)
  if (bavail * bsize < NEEDED_BYTES) return undefined
  const folder = mkdtempSync(`${MEMORY}/hypocaust-`)
  // PostgreSQL and Mosquitto run as users of their own.
  chmodSync(folder, 0o1777)
  process.env.TMPDIR = folder
  return undoneAtExit(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }))
}
