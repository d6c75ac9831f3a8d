import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Every process of a run has its folder under this name in its environment. */
export const RUN_FOLDER = 'TEST_RUN_FOLDER'

const MEMORY = '/dev/shm'
const NEEDED_BYTES = 4e9

/**
 * Begins a run of tests or of a benchmark: one folder for all its temporary files, and a reaper that ends its processes
 * and removes the folder when the run is over. The reaper notices the end by a pipe, so it also cleans up after a run
 * that failed or was killed. A benchmark measures the disk, so its folder is never in memory.
 */
export async function beginRun(place: 'memory' | 'disk' = 'memory'): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(place === 'memory' && hasRoomInMemory() ? MEMORY : tmpdir(), 'hypocaust-'))
  // PostgreSQL and Mosquitto run as users of their own.
  chmodSync(folder, 0o1777)
  const reaper = spawn(process.execPath, [join(import.meta.dirname, 'reaper.ts'), folder], {
    // Ctrl-C reaches the whole process group, and the reaper must outlive it.
    detached: true,
    cwd: '/',
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  await once(reaper.stdout, 'data')
  for (const handle of [reaper, reaper.stdin, reaper.stdout] as { unref(): void }[]) handle.unref()
  process.env[RUN_FOLDER] = folder
  process.env.TMPDIR = folder
  return async () => {
    reaper.ref()
    const exit = once(reaper, 'exit')
    reaper.stdin.end()
    await exit
  }
}

/**
 * Vitest's global setup: a run of its own, unless `npm test` has begun one. It ends with Vitest's process, because
 * Vitest still needs its workers at the time of a teardown.
 */
export default async function setup(): Promise<void> {
  if (!process.env[RUN_FOLDER]) await beginRun()
}

/** The tests prove what is written, not that a disk keeps it, and waiting for the disk would take much of their time. */
function hasRoomInMemory(): boolean {
  if (!existsSync(MEMORY)) return false
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize >= NEEDED_BYTES
}
