import { FLOOR_TYPES } from '@hypocaust/domain'
import { SCENARIOS } from '../comfort/scenarios.ts'
import { runAll } from '../pool.ts'
import { progress } from '../progress.ts'
import type { FailureJob } from './failure.ts'
import type { HealthyJob } from './healthy.ts'
import { readWatchOptions, type WatchOptions } from './options.ts'
import type { SwappedJob } from './swapped.ts'
import { failureTable, hasFalseAlarm, healthyTable, shortageTable, swappedTable } from './table.ts'
import type { WatchJob, WatchResult } from './worker.ts'

const LONG_DAYS = 60
const SHORT_DAYS = 14
const LONG_SCENARIOS = ['winter', 'shoulder']

await main()

async function main() {
  try {
    const options = readWatchOptions(process.argv.slice(2))
    if ('help' in options) console.log(options.help)
    else await measure(options)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}

async function measure(options: WatchOptions) {
  const jobs: WatchJob[] = [
    ...healthyJobs(options).map((job) => ({ kind: 'healthy' as const, job })),
    ...shortageJobs(options).map((job) => ({ kind: 'short' as const, job })),
    ...swappedJobs(options).map((job) => ({ kind: 'swapped' as const, job })),
    ...failureJobs(options).map((job) => ({ kind: 'failure' as const, job })),
  ]
  const workerUrl = new URL('./worker.ts', import.meta.url)
  const results = await runAll<WatchJob, WatchResult>(workerUrl, jobs, progress(jobs.length, Date.now(), Date.now))
  const failures = results.flatMap((each) => (each.kind === 'failure' ? [each.result] : []))
  const healthy = results.flatMap((each) => (each.kind === 'healthy' ? [each.result] : []))
  const short = results.flatMap((each) => (each.kind === 'short' ? [each.result] : []))
  console.log(healthyTable(healthy))
  const swapped = results.flatMap((each) => (each.kind === 'swapped' ? [each.result] : []))
  if (short.length > 0) console.log(shortageTable(short))
  if (swapped.length > 0) console.log(swappedTable(swapped))
  if (failures.length > 0) console.log(failureTable(failures))
  for (const each of results) if (each.kind === 'failed') throw new Error(each.why)
  if (hasFalseAlarm(healthy)) throw new Error('A room with heat was reported to be without it.')
}

function healthyJobs({ quick, plantFile }: WatchOptions): HealthyJob[] {
  const withHeat = SCENARIOS.filter(({ noHeat }) => !noHeat).map(({ name }) => name)
  const scenarios = quick ? ['winter'] : plantFile ? LONG_SCENARIOS : withHeat
  return scenarios.flatMap((scenario) =>
    seedsOf(quick).map((seed) => ({
      scenario,
      seed,
      days: LONG_SCENARIOS.includes(scenario) && !plantFile ? LONG_DAYS : SHORT_DAYS,
      plantFile,
    })),
  )
}

function shortageJobs({ quick, plantFile }: WatchOptions): HealthyJob[] {
  if (plantFile) return []
  return ['low-flow', 'starved-loop', 'cold-supply'].flatMap((scenario) =>
    seedsOf(quick).map((seed) => ({ scenario, seed, days: SHORT_DAYS, plantFile })),
  )
}

function swappedJobs({ quick, plantFile }: WatchOptions): SwappedJob[] {
  if (plantFile) return []
  const pairs = FLOOR_TYPES.flatMap((one, i) =>
    FLOOR_TYPES.slice(i + 1).map((other): SwappedJob['floors'] => [one, other]),
  )
  return (quick ? ['drawn-winter'] : ['drawn-winter', 'drawn-shoulder']).flatMap((scenario) =>
    seedsOf(quick).flatMap((seed) => pairs.map((floors) => ({ floors, seed, scenario }))),
  )
}

/** The plants of others cannot be made to fail. */
function failureJobs({ quick, plantFile }: WatchOptions): FailureJob[] {
  if (plantFile) return []
  const failings = [
    { kind: 'house' as const },
    ...FLOOR_TYPES.map((floorType) => ({ kind: 'loop' as const, floorType })),
  ]
  const hours = quick ? [2, 14] : [2, 8, 14, 20]
  return failings.flatMap((failing) => seedsOf(quick).flatMap((seed) => hours.map((hour) => ({ failing, seed, hour }))))
}

function seedsOf(quick: boolean): number[] {
  return quick ? [1] : [1, 2, 3]
}
