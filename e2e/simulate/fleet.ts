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

/** What a run leaves in memory goes with its process, some ten megabytes a seed. */
const SEEDS_A_PROCESS = 50
/** Of a day in which every operation fails. */
const PARTS = 40

/** Several processes, each with some of the seeds at a time. */
export async function simulateAll(task: Task, running: Running = {}): Promise<Finished[]> {
  const { jobs = availableParallelism() } = running
  const { seeds } = task
  const share = Math.min(SEEDS_A_PROCESS, Math.ceil(seeds.length / jobs))
  const tasks: Task[] = []
  for (let i = 0; i < seeds.length; i += share) tasks.push({ ...task, seeds: seeds.slice(i, i + share) })
  const reports = await workOff(tasks, jobs, running)
  return reports.sort((a, b) => a.seed - b.seed)
}

/** Each operation of the disks of a scripted day fails, or one in so many. */
export function failEachOperation(every: number, running: Running = {}): Promise<Finished[]> {
  const { jobs = availableParallelism() } = running
  const parts = Math.max(jobs, Math.ceil(PARTS / every))
  const tasks = Array.from({ length: parts }, (_, part) => ({ seeds: [], disk: { every, part, parts } }))
  return workOff(tasks, jobs, running)
}

async function workOff(tasks: Task[], jobs: number, running: Running): Promise<Finished[]> {
  const left = [...tasks]
  const reports: Finished[][] = []
  const next = async () => {
    for (let task = left.shift(); task; task = left.shift()) {
      const finished = await processOf(task, running)
      reports.push(finished)
      running.onPart?.(reports.length, tasks.length)
      if (task.stopAtFirst && finished.some(({ violations }) => violations.length > 0)) left.length = 0
    }
  }
  await Promise.all(Array.from({ length: jobs }, next))
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
