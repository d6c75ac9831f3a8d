import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { NthFailure } from './nth-failure.ts'
import type { SeedReport } from './run.ts'
import type { Task } from './worker.ts'

export type Finished = SeedReport & { without: number[]; failure?: NthFailure }

const WORKER = join(import.meta.dirname, 'worker.ts')

interface Running {
  jobs?: number
  onLine?(line: string): void
  onSeed?(report: Finished): void
  onPart?(done: number, parts: number): void
}

/** Of a day in which every operation fails, each in a process of its own: what a run leaves in memory goes with it. */
const PARTS = 40

/** Several processes, each with its share of the seeds. */
export async function simulateAll(task: Task, running: Running = {}): Promise<Finished[]> {
  const { jobs = availableParallelism() } = running
  const { seeds } = task
  const shares = Array.from({ length: Math.min(jobs, seeds.length) }, (_, job) =>
    seeds.filter((_, i) => i % jobs === job),
  )
  const reports = await Promise.all(shares.map((share) => processOf({ ...task, seeds: share }, running)))
  return reports.flat().sort((a, b) => a.seed - b.seed)
}

/** Each operation of the disks of a scripted day fails, or one in so many. */
export async function failEachOperation(every: number, running: Running = {}): Promise<Finished[]> {
  const { jobs = availableParallelism(), onPart = () => {} } = running
  const parts = Math.max(jobs, Math.ceil(PARTS / every))
  const left = Array.from({ length: parts }, (_, part) => part)
  const reports: Finished[][] = []
  const workOff = async () => {
    for (let part = left.shift(); part !== undefined; part = left.shift()) {
      reports.push(await processOf({ seeds: [], disk: { every, part, parts } }, running))
      onPart(reports.length, parts)
    }
  }
  await Promise.all(Array.from({ length: jobs }, workOff))
  return reports.flat()
}

async function processOf(task: Task, { onLine = () => {}, onSeed = () => {} }: Running): Promise<Finished[]> {
  const child = spawn(process.execPath, [WORKER, JSON.stringify(task)], { stdio: ['ignore', 'pipe', 'inherit'] })
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
  if (code !== 0) throw new Error(`a process of the simulation ended with ${code} after ${finished.length} runs`)
  return finished
}
