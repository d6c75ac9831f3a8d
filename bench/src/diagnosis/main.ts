import { runAll } from '../pool.ts'
import { progress } from '../progress.ts'
import { type DiagnosisOptions, readDiagnosisOptions } from './options.ts'
import { calibrationTable, confusionTable, healthyTable } from './table.ts'
import type { HouseJob, HouseResult } from './worker.ts'

await main()

async function main() {
  try {
    const options = readDiagnosisOptions(process.argv.slice(2))
    if ('help' in options) console.log(options.help)
    else await measure(options)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}

async function measure({ seeds, ...each }: DiagnosisOptions) {
  const jobs = seeds.map((seed): HouseJob => ({ seed, ...each }))
  const workerUrl = new URL('./worker.ts', import.meta.url)
  const shown = progress(jobs.length, Date.now(), Date.now, 'houses')
  const results = await runAll<HouseJob, HouseResult>(workerUrl, jobs, shown)
  const looks = results.flatMap((result) => {
    if (result.kind === 'failed') throw new Error(result.why)
    return result.looks
  })
  console.log(confusionTable(looks))
  console.log(healthyTable(looks))
  console.log(calibrationTable(looks))
}
