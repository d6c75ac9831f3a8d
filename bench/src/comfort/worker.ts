import { parentPort } from 'node:worker_threads'
import { type CompareJob, compare, type PlantResult } from './compare.ts'
import { compareLimited, type LimitedJob, type LimitedResult } from './limited.ts'
import { type PresenceJob, type PresenceResult, runPresence } from './presence.ts'
import { comparePriced, type PricedJob, type PricedResult } from './priced.ts'
import { runSeason, type SeasonJob, type SeasonResult } from './season.ts'

export type Job =
  | { kind: 'compare'; job: CompareJob }
  | { kind: 'priced'; job: PricedJob }
  | { kind: 'limited'; job: LimitedJob }
  | { kind: 'season'; job: SeasonJob }
  | { kind: 'presence'; job: PresenceJob }
export type JobResult =
  | { kind: 'compare'; result: PlantResult }
  | { kind: 'priced'; result: PricedResult }
  | { kind: 'limited'; result: LimitedResult }
  | { kind: 'season'; result: SeasonResult }
  | { kind: 'presence'; result: PresenceResult }
  | { kind: 'failed'; job: Job; why: string }

parentPort?.on('message', async (job: Job) => {
  parentPort?.postMessage(await work(job))
})

async function work(job: Job): Promise<JobResult> {
  try {
    if (job.kind === 'season') return { kind: 'season', result: runSeason(job.job) }
    if (job.kind === 'limited') return { kind: 'limited', result: compareLimited(job.job) }
    if (job.kind === 'presence') return { kind: 'presence', result: runPresence(job.job) }
    if (job.kind === 'priced') return { kind: 'priced', result: comparePriced(job.job) }
    return { kind: 'compare', result: await compare(job.job) }
  } catch (error) {
    return { kind: 'failed', job, why: error instanceof Error ? error.message : String(error) }
  }
}
