import { parentPort } from 'node:worker_threads'
import { type FailureJob, type FailureResult, runFailure } from './failure.ts'
import { type HealthyJob, type HealthyResult, runHealthy } from './healthy.ts'
import { runSwapped, type SwappedJob, type SwappedResult } from './swapped.ts'

export type WatchJob =
  | { kind: 'healthy' | 'short'; job: HealthyJob }
  | { kind: 'failure'; job: FailureJob }
  | { kind: 'swapped'; job: SwappedJob }
export type WatchResult =
  | { kind: 'healthy' | 'short'; result: HealthyResult }
  | { kind: 'failure'; result: FailureResult }
  | { kind: 'swapped'; result: SwappedResult }
  | { kind: 'failed'; why: string }

parentPort?.on('message', async (job: WatchJob) => {
  parentPort?.postMessage(await work(job))
})

async function work(job: WatchJob): Promise<WatchResult> {
  try {
    if (job.kind === 'failure') return { kind: 'failure', result: runFailure(job.job) }
    if (job.kind === 'swapped') return { kind: 'swapped', result: runSwapped(job.job) }
    return { kind: job.kind, result: await runHealthy(job.job) }
  } catch (error) {
    return { kind: 'failed', why: error instanceof Error ? error.message : String(error) }
  }
}
