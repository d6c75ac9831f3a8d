import type { Trial } from './run.ts'
import { type PatroniServers, writableOf } from './servers.ts'

/** From the moment a server takes writes. */
const MOST = { reads: 3, writes: 3, readings: 3 }

export const PATRONI_TRIALS: Trial<PatroniServers>[] = [
  {
    name: 'switchover',
    most: MOST,
    async strike({ servers }) {
      const takenOver = momentOfWrites([await servers.standbyUrl()])
      await servers.cluster.switchover()
      return takenOver
    },
  },
  {
    name: 'PostgreSQL of the primary killed',
    most: MOST,
    async strike({ servers }) {
      await servers.cluster.killPrimary()
      return momentOfWrites(servers.urls)
    },
  },
  {
    name: 'machine of the primary lost',
    most: MOST,
    async strike({ servers }) {
      await servers.cluster.loseMachineOfPrimary()
      return momentOfWrites(servers.urls)
    },
  },
]

async function momentOfWrites(urls: string[]): Promise<number> {
  await writableOf(urls)
  return performance.now()
}
