import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import bundle from '@hypocaust/testing/bundle.ts'
import { beginRun } from '@hypocaust/testing/test-run.ts'
import { chosenOptions } from '../choose.ts'
import { MissingProgram, type OwnServer, startMosquitto, startPostgres } from '../load/processes.ts'
import { Progress } from '../load/progress.ts'
import { AIMS } from './aims.ts'
import { measureBroker } from './broker.ts'
import { costRows, houseRows, openWorld, patchRows, pollRows, row } from './measure.ts'
import { DEFAULT_OUT_FILE, readSpeedOptions, type SpeedOptions } from './options.ts'
import { writeFigures } from './performance-page.ts'
import { speedPlot } from './plot.ts'
import { isFarBelow, type Row, type SpeedResult, thisMachine } from './result.ts'
import { figureOf } from './rounds.ts'
import { slowDiskRows } from './slow-disk.ts'
import { measureStart } from './start.ts'
import { tableOf } from './table.ts'

const FULL = {
  house: { turns: 3, seconds: 20 },
  poll: { turns: 15, requests: 2000, warmUp: 20_000 },
  patch: { turns: 9, requests: 1500, warmUp: 1000 },
  costs: { phaseS: 3, turns: 7, warmUpMinutes: 60 },
  starts: 9,
}
const QUICK: typeof FULL = {
  house: { turns: 1, seconds: 10 },
  poll: { turns: 5, requests: 1000, warmUp: 3000 },
  patch: { turns: 2, requests: 500, warmUp: 100 },
  costs: { phaseS: 2, turns: 3, warmUpMinutes: 20 },
  starts: 3,
}

/** Some seconds, for CI: it fails only where something is far from what it should be. */
const CHECK: typeof FULL = { ...QUICK, poll: { turns: 5, requests: 400, warmUp: 3000 } }

const PERFORMANCE_PAGE = 'docs/performance.md'

await main()

async function main() {
  const options = chosenOptions(readSpeedOptions)
  if (!options) return
  await beginRun('disk')
  const result = await measure(options)
  const { outFile } = options
  if (outFile) {
    mkdirSync(dirname(outFile), { recursive: true })
    writeFileSync(outFile, `${JSON.stringify(result, null, 2)}\n`)
    writeFileSync(outFile.replace(/(\.json)?$/, '.svg'), speedPlot(result))
  }
  // Only the run whose results are kept speaks on the page.
  if (outFile === DEFAULT_OUT_FILE) writeFigures(PERFORMANCE_PAGE, result)
  console.log(options.json ? JSON.stringify(result, null, 2) : tableOf(result))
  if (options.check) fail(result.rows.filter(isFarBelow))
}

async function measure({ quick, check, engines, parts }: SpeedOptions): Promise<SpeedResult> {
  const startedMs = Date.now()
  const machine = thisMachine()
  const missing: string[] = []
  const extent = check ? CHECK : quick ? QUICK : FULL
  const progress = new Progress(9)
  const removeBundle = await bundle()
  const postgres = engines.includes('postgres') ? await ifThere(startPostgres, missing) : undefined
  const devices = parts.some((part) => part === 'start' || part === 'costs')
    ? await ifThere(startMosquitto, missing)
    : undefined
  const usable = engines.filter((engine) => engine === 'sqlite' || postgres)
  const rows: Row[] = []
  try {
    if (parts.includes('house'))
      for (const engine of usable) {
        progress.to(`a house with Home Assistant, ${engine}`, 1)
        rows.push(...(await houseRows(engine, postgres, extent.house)))
      }
    if (parts.includes('poll') || parts.includes('patch')) {
      const worlds = await Promise.all(usable.map((engine) => openWorld(engine, postgres)))
      progress.to('polls', 1)
      if (parts.includes('poll')) rows.push(...(await pollRows(worlds, extent.poll)))
      progress.to('changes', 1)
      const [sqlite] = worlds.filter(({ world }) => world.engine === 'sqlite')
      if (parts.includes('patch') && sqlite) rows.push(...(await patchRows(sqlite, extent.patch)))
      for (const { world, fleet } of worlds) {
        await fleet.leave()
        await world.close()
      }
    }
    if (parts.includes('slow-disk')) {
      progress.to('changes on a slow disk', 1)
      rows.push(...((await ifThere(() => slowDiskRows(quick), missing)) ?? []))
    }
    if (parts.includes('costs'))
      for (const engine of usable) {
        progress.to(`readings and control, ${engine}`, 1)
        rows.push(...(await costRows(engine, postgres, extent.costs)))
      }
    if (parts.includes('costs') && devices) rows.push(...(await brokerRows(devices, extent.poll)))
    if (parts.includes('start')) {
      progress.to('starts', 1)
      rows.push(...(await startRows(extent.starts, devices, progress)))
    }
  } finally {
    await devices?.stop()
    await postgres?.stop()
    removeBundle()
  }
  progress.end()
  const tookS = Math.round((Date.now() - startedMs) / 1000)
  return { measuredAt: new Date(startedMs).toISOString(), tookS, quick, machine, rows, missing }
}

async function brokerRows(broker: OwnServer, extent: typeof FULL.poll): Promise<Row[]> {
  const { perS, usEach } = await measureBroker(broker, extent)
  return [
    row('broker-us', 'QoS 1 message by Mosquitto, nothing stored', 'µs', usEach),
    row('broker-rate', 'the same, over one connection', '/s', perS),
  ]
}

async function startRows(turns: number, devices: OwnServer | undefined, progress: Progress): Promise<Row[]> {
  const { released, sources, serviceMb, agentMb } = await measureStart({ turns, devices }, (what) => progress.to(what))
  const memory = (value: number) => figureOf([value])
  return [
    row('start', 'start to first 200, of node -e 0, as released', '×', released, AIMS.start),
    row('start-sources', 'the same from the sources', '×', sources),
    row('service-mb', 'memory at rest, service', 'MB', memory(serviceMb), AIMS.serviceMb),
    ...(agentMb === null ? [] : [row('agent-mb', 'memory at rest, agent', 'MB', memory(agentMb), AIMS.agentMb)]),
  ]
}

async function ifThere<T>(start: () => Promise<T>, missing: string[]): Promise<T | undefined> {
  try {
    return await start()
  } catch (error) {
    if (!(error instanceof MissingProgram)) throw error
    missing.push(error.message)
    return undefined
  }
}

function fail(rows: Row[]): void {
  for (const { name } of rows) console.error(`far below what it should be: ${name}`)
  if (rows.length > 0) process.exitCode = 1
}
