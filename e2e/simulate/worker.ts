// One process of the simulation: node e2e/simulate/worker.ts '{"seeds":[1,2]}' prints a line of JSON for each seed.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seededRandom } from '@hypocaust/simulator'
import { putIn } from './defects.ts'
import { Disk } from './disk.ts'
import { drain, replaceGlobals, surround } from './globals.ts'
import type { NthFailure } from './nth-failure.ts'
import type { Choice, SeedReport } from './run.ts'
import { Scheduler } from './scheduler.ts'

export interface Task {
  seeds: number[]
  without?: number[]
  defect?: string
  /** Prints everything that happens. */
  trace?: boolean
  /** Leaves events out while the violation stays. */
  shorten?: boolean
  /** Ends with the first violation. */
  stopAtFirst?: boolean
  /** In place of seeds: each operation of the disks of a scripted day fails once, or one in so many. */
  disk?: { every: number; part: number; parts: number }
}

const MEMORY = '/dev/shm'

async function main(task: Task): Promise<void> {
  if (task.defect !== undefined) putIn(task.defect)
  replaceGlobals()
  // While the product is loaded there is no simulation yet.
  const scheduler = new Scheduler(drain, () => {})
  const random = seededRandom(0)
  surround({ scheduler, random, disk: new Disk(scheduler, random, () => {}), startMs: 0 })
  const { prepareHouse } = await import('./house.ts')
  const { simulate } = await import('./run.ts')
  const { shortened } = await import('./shorten.ts')
  const { planOf } = await import('./plan.ts')
  const { SCRIPTED_DAY } = await import('./nth-failure.ts')
  const folder = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'simulate-'))
  try {
    const house = await prepareHouse(join(folder, 'house'))
    const world = join(folder, 'world')
    if (task.disk) return await failEach(task.disk, (nth) => simulate(house, world, { plan: SCRIPTED_DAY, nth }))
    const without = new Set(task.without)
    for (const seed of task.seeds) {
      const plan = planOf(seed)
      const print = task.trace ? { print: (line: string) => console.log(line) } : {}
      const once = (left: ReadonlySet<number>) => simulate(house, world, { plan, without: left, isEnoughOne: true })
      const report = await simulate(house, world, {
        plan,
        without,
        ...print,
        ...(task.stopAtFirst && { isEnoughOne: true }),
      })
      const isFailed = report.violations.length > 0
      const left = isFailed && task.shorten ? await shortened(seed, report, without, once) : without
      console.log(JSON.stringify({ ...report, violations: report.violations.slice(0, 5), without: [...left] }))
      if (isFailed && task.stopAtFirst) break
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

type Nth = NonNullable<Choice['nth']>

async function failEach({ every, part, parts }: NonNullable<Task['disk']>, run: (nth: Nth) => Promise<SeedReport>) {
  const { failuresOf } = await import('./nth-failure.ts')
  let failures: NthFailure[] = []
  const first = await run({
    failure: undefined,
    onCounted: (counted) => {
      failures = failuresOf(counted, every)
    },
  })
  console.log(JSON.stringify({ ...first, without: [] }))
  for (const failure of failures.filter((_, i) => i % parts === part)) {
    const report = await run({ failure, onCounted: () => {} })
    console.log(JSON.stringify({ ...report, without: [], failure }))
  }
}

await main(JSON.parse(process.argv[2] ?? '{"seeds":[]}') as Task)
// Timers of the last world may wait for a time that never comes.
process.exit()
