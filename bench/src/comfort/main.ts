import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { chosenOptions } from '../choose.ts'
import { runAll } from '../pool.ts'
import { progress } from '../progress.ts'
import { HOLD, type PlantResult } from './compare.ts'
import { type ComfortResult, keepPrices, writeResult } from './kept.ts'
import { limitedTable } from './limited-table.ts'
import { KEPT_FILE, type Options, readOptions } from './options.ts'
import type { Tuning } from './peers.ts'
import { plot } from './plot.ts'
import { presenceTable } from './presence.ts'
import { pricedTable } from './priced-table.ts'
import { withComfortFigures } from './readme.ts'
import { PRESENCE, scenarioNamed } from './scenarios.ts'
import { summarise } from './summary.ts'
import { scenarioTable, seasonTable, worstLine } from './table.ts'
import type { Job, JobResult } from './worker.ts'

const README = 'README.md'
const SEASON_DAYS = 120
const PRESENCE_DAYS = 28
const QUICK_SEASON_DAYS = 30

await main()

async function main() {
  const options = chosenOptions(readOptions)
  if (!options) return
  const jobs = jobsFor(options)
  const startedMs = Date.now()
  const workerUrl = new URL('./worker.ts', import.meta.url)
  const results = await runAll<Job, JobResult>(workerUrl, jobs, progress(jobs.length, startedMs, Date.now))
  report(options, results)
  console.log(`\n${Math.round((Date.now() - startedMs) / 1000)} s`)
}

function jobsFor(options: Options): Job[] {
  const tunings = tuningGrid(options.quick)
  const traced = options.scenarios.includes('winter') ? 'winter' : options.scenarios[0]
  const compares = options.scenarios.flatMap((scenario) =>
    options.seeds.flatMap((seed) =>
      options.floors.map((floorType): Job => {
        if (scenarioNamed(scenario)?.isLimited)
          return { kind: 'limited', job: { choice: { floorType, scenario, seed } } }
        if (scenario === PRESENCE.name)
          return { kind: 'presence', job: { choice: { floorType, scenario, seed }, days: PRESENCE_DAYS } }
        if (scenarioNamed(scenario)?.source) return { kind: 'priced', job: { choice: { floorType, scenario, seed } } }
        const traceEveryS = scenario === traced && seed === 1 && floorType === options.floors[0] ? 900 : 0
        return {
          kind: 'compare',
          job: { choice: { floorType, scenario, seed }, plantFile: options.plantFile, tunings, traceEveryS },
        }
      }),
    ),
  )
  if (options.plantFile || !options.scenarios.includes('winter')) return compares
  const floors = options.quick ? options.floors.slice(0, 1) : options.floors
  const days = options.quick ? QUICK_SEASON_DAYS : SEASON_DAYS
  const seasons = floors.map(
    (floorType): Job => ({ kind: 'season', job: { choice: { floorType, scenario: 'season', seed: 1 }, days } }),
  )
  return [...seasons, ...compares]
}

function tuningGrid(quick: boolean): Tuning[] {
  const offsets = quick ? [-0.2, 0, 0.2] : [-0.4, -0.2, 0, 0.2, 0.4]
  const hours = quick ? [0, 4] : [0, 2, 4, 6]
  return offsets.flatMap((offsetK) => hours.map((earlyH) => ({ offsetK, earlyS: 3600 * earlyH })))
}

function report(options: Options, results: JobResult[]) {
  const plants = results.flatMap((each) => (each.kind === 'compare' ? [each.result] : []))
  const seasons = results.flatMap((each) => (each.kind === 'season' ? [each.result] : []))
  const priced = results.flatMap((each) => (each.kind === 'priced' ? [each.result] : []))
  const limited = results.flatMap((each) => (each.kind === 'limited' ? [each.result] : []))
  for (const each of results) if (each.kind === 'failed') complain(each)
  if (limited.length > 0) console.log(limitedTable(limited))
  const lived = results.flatMap((each) => (each.kind === 'presence' ? [each.result] : []))
  if (lived.length > 0) console.log(presenceTable(lived))
  for (const [name, ofScenario] of Map.groupBy(priced, ({ choice }) => choice.scenario))
    console.log(pricedTable(name, ofScenario))
  if (options.keepsPrices && priced.length === results.length) {
    keepPrices(KEPT_FILE, priced)
    console.log(`\nwritten: ${KEPT_FILE}`)
  }
  if (plants.length === 0) return
  const summary = summarise(plants)
  for (const [name, scenario] of Object.entries(summary.scenarios))
    console.log(
      scenarioTable(
        name,
        scenario,
        plants.filter((plant) => plant.choice.scenario === name),
      ),
    )
  console.log(worstLine(summary))
  if (seasons.length > 0) console.log(seasonTable(seasons))
  if (options.outFile) write(options.outFile, { ...summary, learning: seasons, prices: priced }, plants)
}

function complain({ job, why }: Extract<JobResult, { kind: 'failed' }>) {
  const { scenario, floorType, seed } = job.job.choice
  console.error(`${scenario}, ${floorType}, seed ${seed} could not be run: ${why}`)
  process.exitCode = 1
}

function write(outFile: string, result: ComfortResult, plants: PlantResult[]) {
  const svgFile = outFile.replace(/(\.json)?$/, '.svg')
  mkdirSync(dirname(outFile), { recursive: true })
  writeResult(outFile, result)
  const traced = plants.find((plant) => (plant.controllers[HOLD]?.trace.length ?? 0) > 0)
  writeFileSync(svgFile, plot(result, traced))
  const isKept = outFile === KEPT_FILE
  if (isKept) writeFileSync(README, withComfortFigures(readFileSync(README, 'utf8'), result))
  console.log(`\nwritten: ${outFile}, ${svgFile}${isKept ? `, ${README}` : ''}`)
}
