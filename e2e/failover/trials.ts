import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Trial } from './run.ts'
import type { PairServers } from './servers.ts'
import { API, INGEST } from './stage.ts'

export interface PairTrial extends Trial<PairServers> {
  /** The primary has a disk of its own, where the machine can mount one. */
  onOwnDisk?: true
}

const AWAY_MS = 5000
const SLOW_FOR_MS = 10_000
/** Of each half second the database works for a fifth. */
const SLOW = { stoppedMs: 400, runningMs: 100 }

export const TRIALS: PairTrial[] = [
  {
    name: 'nothing',
    async strike() {
      await sleep(AWAY_MS)
      return undefined
    },
  },
  {
    name: 'primary killed, standby promoted',
    most: { reads: 3, writes: 3, readings: 3 },
    async strike({ servers: { pair } }) {
      process.kill(pair.primary.pid, 'SIGKILL')
      await pair.standby.promote()
      return performance.now()
    },
  },
  {
    name: 'primary silent, standby promoted',
    most: { reads: 6, writes: 6, readings: 6 },
    async strike({ servers: { pair, line } }) {
      line.set('lost')
      await pair.standby.promote()
      return performance.now()
    },
  },
  {
    name: 'standby lost',
    most: { reads: 1 },
    async strike({ servers: { pair } }) {
      await pair.standby.stop('immediate')
      await sleep(2 * AWAY_MS)
      await pair.standby.start()
      return undefined
    },
  },
  {
    name: 'api killed',
    async strike(stage) {
      await stage.installation.endService(API[0], 'SIGKILL')
      await sleep(AWAY_MS)
      await stage.startService(API[0])
      return undefined
    },
  },
  {
    name: 'ingest killed',
    async strike(stage) {
      await stage.installation.endService(INGEST[0], 'SIGKILL')
      await sleep(AWAY_MS)
      await stage.startService(INGEST[0])
      return undefined
    },
  },
  {
    name: 'broker killed and restarted',
    async strike({ installation }) {
      await installation.endBroker('SIGKILL')
      await installation.startBroker()
      return undefined
    },
  },
  {
    name: 'slow database',
    async strike({ servers: { pair } }) {
      for (const endMs = performance.now() + SLOW_FOR_MS; performance.now() < endMs; await sleep(SLOW.runningMs)) {
        const pids = familyOf(pair.primary.pid)
        for (const pid of pids) signal(pid, 'SIGSTOP')
        await sleep(SLOW.stoppedMs)
        for (const pid of pids) signal(pid, 'SIGCONT')
      }
      return undefined
    },
  },
  {
    name: 'disk of the primary full',
    onOwnDisk: true,
    async strike({ servers: { pair, disk } }) {
      disk?.fill()
      await sleep(AWAY_MS)
      disk?.free()
      await startedAgain(pair.primary)
      return undefined
    },
  },
]

/** As a supervisor does: a PostgreSQL that could not write its log has ended. */
async function startedAgain(server: PairServers['pair']['primary']): Promise<void> {
  for (;;) {
    if (await server.ask('select 1').catch(() => false)) return
    try {
      await server.start()
    } catch {
      await sleep(200)
    }
  }
}

/** A process and its children, by Linux's own books. */
function familyOf(parent: number): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return [parent, ...pids.map(Number).filter((pid) => parentOf(pid) === parent)]
}

function parentOf(pid: number): number {
  try {
    return Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  } catch {
    return 0
  }
}

/** A backend may have ended meanwhile. */
function signal(pid: number, name: 'SIGSTOP' | 'SIGCONT'): void {
  try {
    process.kill(pid, name)
  } catch {}
}
