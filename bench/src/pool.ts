import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'

/** Runs the jobs on all cores, in order of arrival; the module at `workerUrl` answers each message with a result. */
export async function runAll<Job, Result>(
  workerUrl: URL,
  jobs: Job[],
  done: (finished: number) => void,
): Promise<Result[]> {
  const results: Result[] = new Array(jobs.length)
  let next = 0
  let finished = 0
  const lanes = Array.from({ length: Math.min(availableParallelism(), jobs.length) }, async () => {
    const worker = new Worker(workerUrl)
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

async function ask<Job, Result>(worker: Worker, job: Job): Promise<Result> {
  const answered = once(worker, 'message')
  worker.postMessage(job)
  const [result] = await answered
  return result
}
