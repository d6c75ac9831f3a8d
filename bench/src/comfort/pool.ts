import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { CompareJob, PlantResult } from './compare.ts'
import type { SeasonJob, SeasonResult } from './season.ts'

export type Job = { kind: 'compare'; job: CompareJob } | { kind: 'season'; job: SeasonJob }
export type JobResult =
  | { kind: 'compare'; result: PlantResult }
  | { kind: 'season'; result: SeasonResult }
  | { kind: 'failed'; job: Job; why: string }

/** Runs the jobs on all cores, in order of arrival; `done` is told of every finished one. */
export async function runAll(jobs: Job[], done: (finished: number) => void): Promise<JobResult[]> {
  const results: JobResult[] = new Array(jobs.length)
  let next = 0
  let finished = 0
  const lanes = Array.from({ length: Math.min(availableParallelism(), jobs.length) }, async () => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url))
    try {
      while (next < jobs.length) {
        const index = next++
        results[index] = await ask(worker, jobs[index] as Job)
        done(++finished)
      }
    } finally {
      await worker.terminate()
    }
  })
  await Promise.all(lanes)
  return results
}

async function ask(worker: Worker, job: Job): Promise<JobResult> {
  const answered = once(worker, 'message')
  worker.postMessage(job)
  const [result] = await answered
  return result
}
