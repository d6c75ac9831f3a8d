import { setTimeout as sleep } from 'node:timers/promises'
import type { Clients } from './clients.ts'
import type { Fleet } from './gateways.ts'
import { MESSAGES_PER_MINUTE, POLLS_PER_MINUTE, ROOMS } from './houses.ts'
import { atRate, type Spread, spreadOf } from './pace.ts'
import type { World } from './world.ts'

/** One height of the load, in buildings that each send a message and poll as a real one does. */
export interface Step {
  buildings: number
  readingsPerS: number
  commit: Spread
  pollsPerS: number
  poll: Spread
  notModified: number
  controlStepsPerS: number
  serviceCores: number
  databaseCores: number
  residentMb: number
  saturated: string | null
}

const FIRST_BUILDINGS = 600
const FACTOR = 1.5
export const MOST_STEPS = 12
const KEPT_UP = 0.95
/** What waits for others to be written with is not behind: the service gathers messages for so long. */
const GATHERED_S = 1
const SLOW_COMMIT_MS = 2000
const SLOW_POLL_MS = 1000
const DRAIN_LIMIT_MS = 20_000

/** More and more buildings until something no longer keeps up. */
export async function rise(
  parts: { world: World; fleet: Fleet; clients: Clients; stepS: number },
  done: (step: Step) => void,
): Promise<Step[]> {
  const steps: Step[] = []
  for (let i = 0; i < MOST_STEPS; i++) {
    const buildings = Math.round((FIRST_BUILDINGS * FACTOR ** i) / 100) * 100
    const step = await climb(parts, buildings)
    steps.push(step)
    done(step)
    if (step.saturated) break
  }
  return steps
}

async function climb(
  { world, fleet, clients, stepS }: { world: World; fleet: Fleet; clients: Clients; stepS: number },
  buildings: number,
): Promise<Step> {
  const messagesPerS = (buildings * MESSAGES_PER_MINUTE) / 60
  const pollsPerS = (buildings * POLLS_PER_MINUTE) / 60
  fleet.reset()
  clients.reset()
  const before = { ...(await world.service.figures()), databaseCpuS: world.databaseCpuS(), committed: fleet.committed }
  const startMs = performance.now()
  const [sent, asked] = await Promise.all([
    atRate(messagesPerS, stepS, (dueMs) => {
      fleet.beat()
      fleet.send(dueMs)
    }),
    atRate(pollsPerS, stepS, (dueMs) => clients.poll(dueMs)),
  ])
  const tookS = (performance.now() - startMs) / 1000
  const [committed, answered] = [fleet.committed - before.committed, clients.answered]
  const after = { ...(await world.service.figures()), databaseCpuS: world.databaseCpuS() }
  const drained = await fleet.drained(DRAIN_LIMIT_MS)
  while (clients.outstanding > 0) await sleep(20)
  const due = sent - messagesPerS * GATHERED_S
  const step = {
    buildings,
    readingsPerS: (committed * ROOMS) / tookS,
    commit: spreadOf(fleet.latenciesMs),
    pollsPerS: answered / tookS,
    poll: spreadOf(clients.latenciesMs),
    notModified: clients.answered === 0 ? 0 : clients.notModified / clients.answered,
    controlStepsPerS: (after.controlSteps - before.controlSteps) / tookS,
    serviceCores: (after.cpuS - before.cpuS) / tookS,
    databaseCores: (after.databaseCpuS - before.databaseCpuS) / tookS,
    residentMb: after.residentBytes / 1e6,
  }
  return { ...step, saturated: whySaturated() }

  function whySaturated(): string | null {
    if (!drained) return 'messages were left uncommitted'
    if (clients.failed > 0) return `${clients.failed} polls failed`
    if (committed < KEPT_UP * due) return 'commits fell behind'
    if (answered < KEPT_UP * asked) return 'polls fell behind'
    if (step.controlStepsPerS * tookS < KEPT_UP * due * ROOMS) return 'the control fell behind'
    if (step.commit.p99Ms > SLOW_COMMIT_MS) return `p99 of commits above ${SLOW_COMMIT_MS} ms`
    if (step.poll.p99Ms > SLOW_POLL_MS) return `p99 of polls above ${SLOW_POLL_MS} ms`
    return null
  }
}

/** The highest load that was carried. */
export const carried = (steps: Step[]): Step | undefined => steps.findLast((step) => step.saturated === null)
