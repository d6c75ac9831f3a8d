import { parentPort } from 'node:worker_threads'
import { compare } from './compare.ts'
import type { Job, JobResult } from './pool.ts'
import { runSeason } from './season.ts'

parentPort?.on('message', async (job: Job) => {
  parentPort?.postMessage(await work(job))
})

async function work(job: Job): Promise<JobResult> {
  try {
    if (job.kind === 'season') return { kind: 'season', result: runSeason(job.job) }
    return { kind: 'compare', result: await compare(job.job) }
  } catch (error) {
    return { kind: 'failed', job, why: error instanceof Error ? error.message : String(error) }
  }
}
