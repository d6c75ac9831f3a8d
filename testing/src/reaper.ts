// Started by a test run with its folder. When the run's end of the pipe closes, the run is over or was killed.
import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { RUN_FOLDER } from './test-run.ts'

const PROCESSES = '/proc'
/** A PostgreSQL that is asked to stop releases its shared memory; a killed one does not. */
const GRACE_MS = 5_000
const CHECK_MS = 20

const folder = process.argv[2] ?? ''
process.stdin.resume().once('close', reap)
console.log('ready')

async function reap(): Promise<void> {
  const giveUp = Date.now() + GRACE_MS
  for (let left = processesOfRun(); left.length > 0; left = processesOfRun()) {
    for (const pid of left) signal(pid, Date.now() < giveUp ? 'SIGINT' : 'SIGKILL')
    await sleep(CHECK_MS)
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
}

/** PostgreSQL overwrites its environment, but works in its folder. */
function processesOfRun(): number[] {
  if (!existsSync(PROCESSES)) return []
  return readdirSync(PROCESSES)
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid && (hasMark(pid) || worksInFolder(pid)))
}

function hasMark(pid: number): boolean {
  try {
    return readFileSync(`${PROCESSES}/${pid}/environ`, 'latin1').split('\0').includes(`${RUN_FOLDER}=${folder}`)
  } catch {
    return false
  }
}

function worksInFolder(pid: number): boolean {
  try {
    return readlinkSync(`${PROCESSES}/${pid}/cwd`).startsWith(`${folder}/`)
  } catch {
    return false
  }
}

/** The process may have ended by itself. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {}
}
