import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { SeedReport } from './run.ts'
import type { Task } from './worker.ts'

export type Finished = SeedReport & { without: number[] }

const WORKER = join(import.meta.dirname, 'worker.ts')

/** Several processes, each with its share of the seeds. */
export async function simulateAll(
  { seeds, ...task }: Task,
  { jobs = availableParallelism(), onLine = (_line: string) => {}, onSeed = (_report: Finished) => {} } = {},
): Promise<Finished[]> {
  const shares = Array.from({ length: Math.min(jobs, seeds.length) }, (_, job) =>
    seeds.filter((_, i) => i % jobs === job),
  )
  const reports = await Promise.all(
    shares.map(async (share) => {
      const child = spawn(process.execPath, [WORKER, JSON.stringify({ ...task, seeds: share })], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
      const finished: Finished[] = []
      for await (const line of createInterface(child.stdout)) {
        if (!line.startsWith('{')) {
          onLine(line)
          continue
        }
        const report = JSON.parse(line) as Finished
        finished.push(report)
        onSeed(report)
      }
      const code = await ended
      if (code !== 0) throw new Error(`a process of the simulation ended with ${code} after ${finished.length} seeds`)
      return finished
    }),
  )
  return reports.flat().sort((a, b) => a.seed - b.seed)
}
