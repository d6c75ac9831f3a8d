import { setTimeout as sleep } from 'node:timers/promises'
import { programOf } from '@hypocaust/testing/program-of.ts'
import { perBuildingMinute } from '../load/capacity.ts'
import { Clients } from '../load/clients.ts'
import { type Cost, type Costs, measureCosts } from '../load/costs.ts'
import { threadTimeUs } from '../load/cpu.ts'
import { fill } from '../load/database.ts'
import { Fleet } from '../load/gateways.ts'
import type { Engine } from '../load/options.ts'
import type { OwnServer } from '../load/processes.ts'
import { ENGINE_NAMES } from '../load/result.ts'
import { measurePlan, warmUp } from '../load/warm-up.ts'
import { World } from '../load/world.ts'
import { AIMS, HOME_ASSISTANT_OF_BARE } from './aims.ts'
import { measurePatches, patchesOf } from './commits.ts'
import { Driver } from './driver.ts'
import { type HouseExtent, measureHouseMinutes } from './house-minute.ts'
import { measurePolls, type PollExtent, type PollWorld } from './polls.ts'
import type { Aim, Row } from './result.ts'
import { type Figure, figureOf, ratioOf } from './rounds.ts'
import { AUTH_SECRET, addSessions } from './website.ts'

/** As many as the building of the goals has. */
export const ROOMS = 8
const BUILDINGS = 60
/** So many that what the service does without any house is a small part of what is counted for each. */
const HOUSES = 180
/** Requests are counted as ever, and no limit is reached; connections all come from one address here. */
const LIMITS = {
  HYPOCAUST_RATE_LIMIT_READS: '1000000000',
  HYPOCAUST_RATE_LIMIT_WRITES: '1000000000',
  HYPOCAUST_MAX_CONNECTIONS_PER_ADDRESS: '0',
}
/** Every room has a plan. */
const FIRST_MINUTES = 2
/** So close that the control of several buildings shares a transaction, and so far apart that none does. */
const CLOSE = { patches: 40, everyMs: 50 }
const ALONE = { patches: 15, everyMs: 300 }
const SETTLE_MS = 1000
/** In each turn: a PATCH by itself has a third of a second of what the service does anyway. */
const IDLE_MS = 3000

/** Buildings of eight rooms whose gateways report, so that their heating is controlled. */
export async function openWorld(
  engine: Engine,
  postgres: OwnServer | undefined,
): Promise<PollWorld & { fleet: Fleet }> {
  const world = await World.open(engine, postgres, { program: programOf('hypocaust'), env: LIMITS })
  const database = await world.database()
  const houses = await fill(database, BUILDINGS, () => {}, ROOMS)
  await database.close()
  const fleet = await Fleet.connect(world.service.mqttUrl, houses)
  await warmUp(world, fleet, FIRST_MINUTES)
  return { name: ENGINE_NAMES[engine], world, houses, fleet }
}

/** What a house is to the service: its readings, its control, a Home Assistant and an open website that follow it. */
export async function houseRows(engine: Engine, postgres: OwnServer | undefined, extent: HouseExtent): Promise<Row[]> {
  const env = { ...LIMITS, HYPOCAUST_AUTH_SECRET: AUTH_SECRET }
  const world = await World.open(engine, postgres, { program: programOf('hypocaust'), env })
  const database = await world.database()
  const houses = await fill(database, HOUSES, () => {})
  await addSessions(database, houses)
  await database.close()
  const fleet = await Fleet.connect(world.service.mqttUrl, houses)
  await warmUp(world, fleet, FIRST_MINUTES)
  const { nobody, homeAssistant, parts, everybody } = await measureHouseMinutes({ world, fleet, houses }, extent)
  await fleet.leave()
  await world.close()
  const name = ENGINE_NAMES[engine]
  const inDatabase =
    engine === 'postgres' ? [row('house-database', 'and in the database', 'ms', everybody.databaseMs)] : []
  const whole = 'house of 4 rooms for a minute with Home Assistant and an open website'
  return [
    row(`house-${engine}`, `${whole}, ${name}`, 'ms', everybody.serviceMs),
    ...inDatabase,
    row(`house-home-assistant-${engine}`, `the same without the website, ${name}`, 'ms', homeAssistant.serviceMs),
    row(`house-parts-${engine}`, `with a Home Assistant that asks part by part, ${name}`, 'ms', parts.serviceMs),
    row(`house-alone-${engine}`, `without anyone who asks, ${name}`, 'ms', nobody.serviceMs),
    row(`house-requests-${engine}`, `requests of both a minute, ${name}`, '', everybody.requests),
    row(`house-home-assistant-requests-${engine}`, `of Home Assistant, ${name}`, '', homeAssistant.requests),
    row(`house-parts-requests-${engine}`, `of one that asks part by part, ${name}`, '', parts.requests),
  ]
}

export async function pollRows(worlds: PollWorld[], extent: PollExtent): Promise<Row[]> {
  const values = await measurePolls(worlds, extent)
  const of = (status: 200 | 304, name: string): Figure => ratioOf(values[status], name, 'bare')
  const ours = worlds.flatMap(({ name }, i): Row[] => [
    row(`poll-${i}`, `poll of 8 rooms, of bare node:http, ${name}`, '×', of(200, name), AIMS.poll),
    row(`304-${i}`, `304, of bare node:http, ${name}`, '×', of(304, name), AIMS.notModified),
  ])
  const [first] = worlds as [PollWorld]
  const peer = scaled(of(200, first.name), 1 / HOME_ASSISTANT_OF_BARE)
  const us = [...values[200]].map(([name, times]) =>
    row(`us-${name}`, `poll of 8 rooms, ${name}`, 'µs', figureOf(times)),
  )
  const unchangedUs = [...values[304]].map(([name, times]) =>
    row(`us304-${name}`, `304, ${name}`, 'µs', figureOf(times)),
  )
  return [
    ...ours,
    row('home-assistant', 'poll, of Home Assistant’s /api/states', '×', peer, AIMS.homeAssistant),
    row('fastify', 'ready string by Fastify, of bare node:http', '×', of(200, 'fastify')),
    ...us,
    ...unchangedUs,
  ]
}

export async function patchRows({ world, houses }: PollWorld, extent: PollExtent): Promise<Row[]> {
  const { ratio, patchesPerS, commitsPerS } = await measurePatches(world, houses, extent)
  await sleep(SETTLE_MS)
  const driver = await Driver.connect(world.service.url, 1)
  const requests = patchesOf(houses)
  const send = async ({ patches, everyMs }: typeof CLOSE): Promise<number> => {
    for (let n = 0; n < patches; n++) {
      await driver.run(1, 200, requests)
      await sleep(everyMs)
    }
    await sleep(SETTLE_MS)
    return patches
  }
  const round = async (how: typeof CLOSE): Promise<PatchRound> => {
    const startMs = performance.now()
    const perPatch = await usOf(world, () => send(how))
    return { perPatch, tookS: (performance.now() - startMs) / 1000 / how.patches }
  }
  // Code that runs once for several changes becomes quick only by as many of them.
  await send({ patches: extent.warmUp, everyMs: CLOSE.everyMs })
  const idlePerS: number[] = []
  const close: PatchRound[] = []
  const alone: PatchRound[] = []
  for (let turn = 0; turn < extent.turns; turn++) {
    idlePerS.push(
      await usOf(world, async () => {
        await sleep(IDLE_MS)
        return IDLE_MS / 1000
      }),
    )
    close.push(await round(CLOSE))
    alone.push(await round(ALONE))
  }
  driver.close()
  const share = figureOf(idlePerS).median
  const figure = (rounds: PatchRound[]) =>
    figureOf(rounds.map(({ perPatch, tookS }) => (perPatch - share * tookS) / 1000))
  return [
    row('patch-rate', 'PATCH, 32 connections, of node:sqlite’s single commits', '×', ratio, AIMS.patchRate),
    row('patches', 'PATCH, 32 connections', '/s', patchesPerS),
    row('commits', 'single commits by node:sqlite', '/s', commitsPerS),
    row('patch-control', 'PATCH and the control of 8 rooms, 20 a second', 'ms', figure(close), AIMS.patchControl),
    row('patch-alone', 'the same, each by itself', 'ms', figure(alone)),
  ]
}

/** Processor time in µs and time on the clock in s, of each PATCH. */
interface PatchRound {
  perPatch: number
  tookS: number
}

async function usOf({ service }: World, work: () => Promise<number>): Promise<number> {
  const before = threadTimeUs(service.pid)
  const count = await work()
  return (threadTimeUs(service.pid) - before) / count
}

const GATEWAYS = 100

/** As `npm run bench:load` measures them, on buildings of four rooms. */
export async function costRows(
  engine: Engine,
  postgres: OwnServer | undefined,
  { phaseS, turns: turnCount, warmUpMinutes }: { phaseS: number; turns: number; warmUpMinutes: number },
): Promise<Row[]> {
  const world = await World.open(engine, postgres, { program: programOf('hypocaust') })
  const database = await world.database()
  const houses = await fill(database, GATEWAYS, () => {})
  await database.close()
  const fleet = await Fleet.connect(world.service.mqttUrl, houses)
  const clients = new Clients(world.service.url, houses, 50)
  await warmUp(world, fleet, warmUpMinutes)
  const planUs = await measurePlan(world, fleet)
  const { turns, idle } = await measureCosts({ world, fleet, clients, phaseS, turns: turnCount }, () => {})
  clients.close()
  await fleet.leave()
  await world.close()
  const figure = (of: (turn: Costs) => number): Figure => figureOf(turns.map(of))
  const minute = (of: keyof Cost) => figure((costs) => perBuildingMinute({ costs, planUs })[of] / 1000)
  const name = ENGINE_NAMES[engine]
  const isSqlite = engine === 'sqlite'
  return [
    row(
      `reading-${engine}`,
      `reading, MQTT to commit, ${name}`,
      'µs',
      figure(({ reading }) => reading.serviceUs),
      isSqlite ? AIMS.reading : undefined,
    ),
    row(
      `tick-${engine}`,
      `tick of a room, ${name}`,
      'µs',
      figure(({ controlTick }) => controlTick.serviceUs),
      isSqlite ? AIMS.tick : undefined,
    ),
    ...(isSqlite ? [row('plan', 'plan of a room', 'ms', figureOf([planUs / 1000]), AIMS.plan)] : []),
    row(
      `minute-${engine}`,
      `building of 4 rooms for a minute, ${name}`,
      'ms',
      minute('serviceUs'),
      isSqlite ? AIMS.minuteSqlite : AIMS.minutePostgres,
    ),
    ...(isSqlite
      ? []
      : [row('minute-database', 'and in the database', 'ms', minute('databaseUs'), AIMS.minuteDatabase)]),
    row(
      `idle-${engine}`,
      `a second without load, ${GATEWAYS} gateways connected, ${name}`,
      'ms',
      figureOf(idle.map(({ serviceUs }) => serviceUs / 1000)),
    ),
  ]
}

export const row = (id: string, name: string, unit: Row['unit'], figure: Figure, aim?: Aim): Row => ({
  ...{ id, name, unit, figure },
  ...(aim && { aim }),
})

const scaled = ({ median, low, high }: Figure, by: number): Figure => ({
  median: median * by,
  low: low * by,
  high: high * by,
})
