import { setTimeout as sleep } from 'node:timers/promises'
import type { Clients } from './clients.ts'
import type { Fleet } from './gateways.ts'
import { ROOMS } from './houses.ts'
import { atRate } from './pace.ts'
import type { World } from './world.ts'

/** Processor time in microseconds, of the service and of a database that is a process of its own. */
export interface Cost {
  serviceUs: number
  databaseUs: number
}

export type Costs = Record<'pollUnchanged' | 'pollChanged' | 'patch' | 'reading' | 'controlTick', Cost>

const IDLE: Cost = { serviceUs: 0, databaseUs: 0 }
const DRAIN_LIMIT_MS = 20_000
const POLLS_PER_S = 150
const MESSAGES_PER_S = 50
/** The control follows the confirmation, that of a change within a second. */
const SETTLE_MS = 1100
const WARM_UP_PHASES = 2
/** By medians: a machine is not as busy in one turn as in the next. */
export const TURNS = 3

/** What each thing costs by itself, at a load far from saturation, less what the service does anyway. */
export async function measureCosts(
  { world, fleet, clients, phaseS }: Measured,
  done: (what: string) => void,
): Promise<Costs> {
  // Code that has not run yet is slower, and who has no tag yet gets no 304.
  await atRate(POLLS_PER_S, WARM_UP_PHASES * phaseS, (dueMs) => clients.poll(dueMs))
  while (clients.outstanding > 0) await sleep(5)
  for (const backfill of [true, false]) {
    await atRate(MESSAGES_PER_S, WARM_UP_PHASES * phaseS, (dueMs) => fleet.send(dueMs, { backfill }))
    await fleet.drained(DRAIN_LIMIT_MS)
  }
  const turns: Costs[] = []
  for (let turn = 0; turn < TURNS; turn++) turns.push(await oneTurn({ world, fleet, clients, phaseS }, done))
  return medianOf(turns)
}

type Measured = { world: World; fleet: Fleet; clients: Clients; phaseS: number }

async function oneTurn({ world, fleet, clients, phaseS }: Measured, done: (what: string) => void): Promise<Costs> {
  const idle = await perUnit(world, IDLE, async () => {
    await sleep(phaseS * 1000)
    return phaseS
  })
  const cost = async (what: string, perS: number, act: (dueMs: number) => void): Promise<Cost> => {
    const measured = await perUnit(world, idle, async () => {
      const count = await atRate(perS, phaseS, act)
      await fleet.drained(DRAIN_LIMIT_MS)
      while (clients.outstanding > 0) await sleep(5)
      await sleep(SETTLE_MS)
      return count
    })
    done(what)
    return measured
  }
  const pollChanged = await cost('polls answered 200', POLLS_PER_S, (dueMs) => clients.poll(dueMs, { withTag: false }))
  const pollUnchanged = await cost('polls answered 304', POLLS_PER_S, (dueMs) => clients.poll(dueMs))
  const patch = await cost('PATCH', 30, (dueMs) => clients.patch(dueMs))
  const stored = await cost('messages stored', MESSAGES_PER_S, (dueMs) => fleet.send(dueMs, { backfill: true }))
  const live = await cost('messages that steer', MESSAGES_PER_S, (dueMs) => fleet.send(dueMs))
  return {
    pollUnchanged,
    pollChanged,
    patch,
    reading: map(stored, (us) => us / ROOMS),
    controlTick: {
      serviceUs: (live.serviceUs - stored.serviceUs) / ROOMS,
      databaseUs: (live.databaseUs - stored.databaseUs) / ROOMS,
    },
  }
}

function medianOf(turns: Costs[]): Costs {
  const median = (name: keyof Costs, of: keyof Cost): number =>
    turns.map((costs) => costs[name][of]).sort((a, b) => a - b)[Math.floor(turns.length / 2)] ?? 0
  const names = Object.keys(turns[0] ?? {}) as (keyof Costs)[]
  return Object.fromEntries(
    names.map((name) => [name, { serviceUs: median(name, 'serviceUs'), databaseUs: median(name, 'databaseUs') }]),
  ) as Costs
}

/** `idle` is per second. */
async function perUnit(world: World, idle: Cost, work: () => Promise<number>): Promise<Cost> {
  const before = { ...(await world.service.figures()), databaseCpuS: world.databaseCpuS() }
  const startMs = performance.now()
  const count = await work()
  const tookS = (performance.now() - startMs) / 1000
  const after = await world.service.figures()
  return {
    serviceUs: ((after.cpuS - before.cpuS) * 1e6 - idle.serviceUs * tookS) / count,
    databaseUs: ((world.databaseCpuS() - before.databaseCpuS) * 1e6 - idle.databaseUs * tookS) / count,
  }
}

const map = ({ serviceUs, databaseUs }: Cost, change: (us: number) => number): Cost => ({
  serviceUs: change(serviceUs),
  databaseUs: change(databaseUs),
})
