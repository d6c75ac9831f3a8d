import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { beginRun } from '@hypocaust/testing/test-run.ts'
import { chosenOptions } from '../choose.ts'
import { Clients } from './clients.ts'
import { measureCosts, PHASES } from './costs.ts'
import { fill } from './database.ts'
import { measureFlat } from './flat.ts'
import { Fleet } from './gateways.ts'
import { MESSAGES_PER_MINUTE, POLLS_PER_MINUTE, ROOMS } from './houses.ts'
import { measureIngest } from './ingest.ts'
import { DEFAULT_OUT_FILE, type Engine, type LoadOptions, readLoadOptions } from './options.ts'
import { loadPlot } from './plot.ts'
import { MissingProgram, mosquittoProgram, type OwnServer, postgresPrograms, startPostgres } from './processes.ts'
import { Progress } from './progress.ts'
import { ENGINE_NAMES, type EngineResult, type LoadResult, thisMachine } from './result.ts'
import { MOST_STEPS, rise } from './rise.ts'
import { writeFigures } from './scale-page.ts'
import { measureSize } from './size.ts'
import { tablesOf } from './table.ts'
import { measurePlan, warmUp } from './warm-up.ts'
import { World } from './world.ts'

/** How long and how much; the full run stays below ten minutes. */
interface Extent {
  gateways: number
  /** Of each gateway's messages, before anything is counted. */
  warmUpMinutes: number
  connections: number
  stepS: number
  phaseS: number
  readings: number
  ingest: { roundS: number; rounds: number }
  flat: { many: number; rounds: number; requests: number }
}

const FULL: Extent = {
  gateways: 600,
  warmUpMinutes: 10,
  connections: 200,
  stepS: 6,
  phaseS: 3,
  readings: 1_000_000,
  ingest: { roundS: 8, rounds: 2 },
  flat: { many: 100_000, rounds: 12, requests: 200 },
}
const QUICK: Extent = {
  gateways: 150,
  warmUpMinutes: 20,
  connections: 50,
  stepS: 2,
  phaseS: 2,
  readings: 100_000,
  ingest: { roundS: 3, rounds: 1 },
  flat: { many: 10_000, rounds: 4, requests: 100 },
}

const SCALE_PAGE = 'docs/scale.md'

/** Units of the progress bar: about a second each in the full run. */
const COST_TURNS = 3
const COST_PHASES = PHASES * COST_TURNS

await main()

async function main() {
  const options = chosenOptions(readLoadOptions)
  if (!options) return
  await beginRun('disk')
  const result = await measure(options, options.quick ? QUICK : FULL)
  if (options.outFile) write(options.outFile, result)
  // Only the run whose results are kept speaks on the page.
  if (options.outFile === DEFAULT_OUT_FILE) writeFigures(SCALE_PAGE, result)
  console.log(options.json ? JSON.stringify(result, null, 2) : tablesOf(result))
  if (options.json) return
  const { outFile } = options
  console.log(`\n${outFile ? `written: ${outFile}, ${svgFile(outFile)}; ` : ''}${result.tookS} s`)
}

async function measure(options: LoadOptions, extent: Extent): Promise<LoadResult> {
  const startedMs = Date.now()
  const machine = thisMachine()
  const missing: string[] = []
  const engines = options.engines.filter((engine) => engine === 'sqlite' || isThere(postgresPrograms, missing))
  const progress = new Progress(unitsOf(engines.length, extent))
  const postgres = engines.includes('postgres') ? await startPostgres() : undefined
  try {
    const results: LoadResult['engines'] = {}
    for (const engine of engines) results[engine] = await measureEngine(engine, postgres, extent, progress)
    const ingest = postgres && isThere(mosquittoProgram, missing) ? await ingestOn(postgres, extent, progress) : null
    const flat = await measureFlat(
      { engine: postgres ? 'postgres' : 'sqlite', postgres, ...extent.flat },
      (what, share) => progress.to(what, share === 1 ? 30 : 0),
    )
    progress.end()
    const tookS = Math.round((Date.now() - startedMs) / 1000)
    const building = { rooms: ROOMS, messagesPerMinute: MESSAGES_PER_MINUTE, pollsPerMinute: POLLS_PER_MINUTE }
    const measuredAt = new Date(startedMs).toISOString()
    return { measuredAt, tookS, quick: options.quick, machine, building, engines: results, ingest, flat, missing }
  } finally {
    await postgres?.stop()
  }
}

function unitsOf(engines: number, { stepS, phaseS, ingest }: Extent): number {
  return engines * (MOST_STEPS * stepS + COST_PHASES * phaseS + 20) + 3 * ingest.rounds * ingest.roundS + 60
}

function isThere(find: () => string, missing: string[]): boolean {
  try {
    find()
    return true
  } catch (error) {
    if (!(error instanceof MissingProgram)) throw error
    missing.push(error.message)
    return false
  }
}

function ingestOn(postgres: OwnServer, { ingest }: Extent, progress: Progress): ReturnType<typeof measureIngest> {
  progress.to('ingest: one process, two, then three')
  return measureIngest({ postgres, ...ingest }, ({ processes }) =>
    progress.to(`ingest: ${processes} measured`, ingest.roundS),
  )
}

async function measureEngine(
  engine: Engine,
  postgres: OwnServer | undefined,
  extent: Extent,
  progress: Progress,
): Promise<EngineResult> {
  const name = ENGINE_NAMES[engine]
  const { gateways, warmUpMinutes, connections, stepS, phaseS, readings } = extent
  progress.to(`${name}: ${gateways} gateways connect`)
  const world = await World.open(engine, postgres)
  const database = await world.database()
  const houses = await fill(database, gateways, () => {})
  await database.close()
  const fleet = await Fleet.connect(world.service.mqttUrl, houses)
  const clients = new Clients(world.service.url, houses, connections)
  await warmUp(world, fleet, warmUpMinutes)
  const planUs = await measurePlan(world, fleet)
  const { costs } = await measureCosts({ world, fleet, clients, phaseS, turns: COST_TURNS }, (what) =>
    progress.to(`${name}: ${what}`, phaseS),
  )
  const steps = await rise({ world, fleet, clients, stepS }, (step) =>
    progress.to(`${name}: ${step.buildings} buildings ${step.saturated ?? 'carried'}`, stepS),
  )
  progress.to(`${name}: saturated`, (MOST_STEPS - steps.length) * stepS)
  clients.close()
  await fleet.leave()
  await world.close()
  const fresh = await World.open(engine, postgres)
  const size = await measureSize(fresh, readings, () => progress.to(`${name}: the weight of ${readings} readings`))
  await fresh.close()
  progress.to(`${name}: done`, 20)
  return { steps, costs, planUs, size }
}

function svgFile(outFile: string): string {
  return outFile.replace(/(\.json)?$/, '.svg')
}

function write(outFile: string, result: LoadResult): void {
  mkdirSync(dirname(outFile), { recursive: true })
  writeFileSync(outFile, `${JSON.stringify(result, null, 2)}\n`)
  writeFileSync(svgFile(outFile), loadPlot(result))
}
