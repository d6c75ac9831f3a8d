import { setTimeout as sleep } from 'node:timers/promises'
import type { Clients } from './clients.ts'
import { threadTimeUs } from './cpu.ts'
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

/** Median of the turns, and the turns one by one. */
interface MeasuredCosts {
  costs: Costs
  turns: Costs[]
  /** Per second, of each turn: what the service does anyway, which is subtracted from everything else. */
  idle: Cost[]
}

const DRAIN_LIMIT_MS = 20_000
const POLLS_PER_S = 150
const MESSAGES_PER_S = 50
const PATCHES_PER_S = 30
/** The control follows the confirmation, that of a change within a second. */
const SETTLE_MS = 1100
const WARM_UP_PHASES = 2
/** In each turn, besides the idle one. */
export const PHASES = 5

/**
 * What each thing costs by itself, at a load far from saturation, less what the service does anyway. By medians: in some
 * turns the machine has other work, or the service has work that recurs every minute.
 */
export async function measureCosts(
  { turns: turnCount, ...measured }: Measured & { turns: number },
  done: (what: string) => void,
): Promise<MeasuredCosts> {
  const { fleet, clients, phaseS } = measured
  // Code that has not run yet is slower, and who has no tag yet gets no 304.
  await atRate(POLLS_PER_S, WARM_UP_PHASES * phaseS, (dueMs) => clients.poll(dueMs))
  while (clients.outstanding > 0) await sleep(5)
  for (const backfill of [true, false]) {
    await atRate(MESSAGES_PER_S, WARM_UP_PHASES * phaseS, (dueMs) => fleet.send(dueMs, { backfill }))
    await fleet.drained(DRAIN_LIMIT_MS)
  }
  const turns: Turn[] = []
  for (let turn = 0; turn < turnCount; turn++) turns.push(await oneTurn(measured, done))
  return costsOf(turns)
}

type Measured = { world: World; fleet: Fleet; clients: Clients; phaseS: number }

/** Processor time of a phase, how long it lasted, and how many times it did what it measures. */
interface Phase extends Cost {
  tookS: number
  count: number
}

export type Turn = Record<'idle' | 'pollUnchanged' | 'pollChanged' | 'patch' | 'stored' | 'live', Phase>

async function oneTurn({ world, fleet, clients, phaseS }: Measured, done: (what: string) => void): Promise<Turn> {
  const phase = async (what: string, perS: number, act: (dueMs: number) => void): Promise<Phase> => {
    const measured = await phaseOf(world, async () => {
      const count = await atRate(perS, phaseS, act)
      await fleet.drained(DRAIN_LIMIT_MS)
      while (clients.outstanding > 0) await sleep(5)
      await sleep(SETTLE_MS)
      return count
    })
    done(what)
    return measured
  }
  return {
    pollChanged: await phase('polls answered 200', POLLS_PER_S, (dueMs) => clients.poll(dueMs, { withTag: false })),
    pollUnchanged: await phase('polls answered 304', POLLS_PER_S, (dueMs) => clients.poll(dueMs)),
    patch: await phase('PATCH', PATCHES_PER_S, (dueMs) => clients.patch(dueMs)),
    stored: await phase('messages stored', MESSAGES_PER_S, (dueMs) => fleet.send(dueMs, { backfill: true })),
    live: await phase('messages that steer', MESSAGES_PER_S, (dueMs) => fleet.send(dueMs)),
    idle: await phaseOf(world, async () => {
      await sleep(phaseS * 1000)
      return 1
    }),
  }
}

/** One idle share for all turns: a few seconds of one turn would move its figures by more than what they measure. */
export function costsOf(turns: Turn[]): MeasuredCosts {
  const idle = turns.map(({ idle }) => map(idle, (us) => us / idle.tookS))
  const share = medianOf(idle)
  const costs = turns.map((turn): Costs => {
    const each = (name: keyof Turn): Cost => {
      const { count, tookS, ...spent } = turn[name]
      return less(
        spent,
        map(share, (us) => us * tookS),
        count,
      )
    }
    const stored = each('stored')
    return {
      pollUnchanged: each('pollUnchanged'),
      pollChanged: each('pollChanged'),
      patch: each('patch'),
      reading: map(stored, (us) => us / ROOMS),
      controlTick: less(each('live'), stored, ROOMS),
    }
  })
  const names = Object.keys(costs[0] ?? {}) as (keyof Costs)[]
  const medians = names.map((name) => [name, medianOf(costs.map((turn) => turn[name]))])
  return { costs: Object.fromEntries(medians), turns: costs, idle }
}

function medianOf(costs: Cost[]): Cost {
  const median = (of: keyof Cost): number =>
    costs.map((cost) => cost[of]).sort((a, b) => a - b)[Math.floor(costs.length / 2)] ?? 0
  return { serviceUs: median('serviceUs'), databaseUs: median('databaseUs') }
}

async function phaseOf(world: World, work: () => Promise<number>): Promise<Phase> {
  // By the kernel's books: the service would have to work for its own.
  const service = threadTimeUs(world.service.pid)
  const database = world.databaseCpuS()
  const startMs = performance.now()
  const count = await work()
  return {
    serviceUs: threadTimeUs(world.service.pid) - service,
    databaseUs: (world.databaseCpuS() - database) * 1e6,
    tookS: (performance.now() - startMs) / 1000,
    count,
  }
}

const map = ({ serviceUs, databaseUs }: Cost, change: (us: number) => number): Cost => ({
  serviceUs: change(serviceUs),
  databaseUs: change(databaseUs),
})

const less = (spent: Cost, other: Cost, count: number): Cost => ({
  serviceUs: (spent.serviceUs - other.serviceUs) / count,
  databaseUs: (spent.databaseUs - other.databaseUs) / count,
})
