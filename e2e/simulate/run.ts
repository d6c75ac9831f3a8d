import { rmSync } from 'node:fs'
import { HOUR_MS } from '@hypocaust/domain/facts'
import { AgreementCheck } from './checks/agreement.ts'
import { strike } from './faults.ts'
import type { PreparedHouse } from './house.ts'
import type { Violation } from './journal.ts'
import { failOnce, type NthFailure, type Operations } from './nth-failure.ts'
import { Owners } from './owners.ts'
import type { Plan } from './plan.ts'
import { World } from './world.ts'

export interface SeedReport {
  seed: number
  hours: number
  events: number
  faults: number
  steps: number
  confirmed: number
  requests: number
  looks: number
  /** Of everything that happened, in its order. */
  trace: string
  violations: Violation[]
}

export interface Choice {
  plan: Plan
  /** Events of the plan, by their number, that do not happen. */
  without?: ReadonlySet<number>
  print?(line: string): void
  /** Ends with the first violation. */
  isEnoughOne?: boolean
  /** Counts what the disks do, and lets one operation fail. */
  nth?: { failure: NthFailure | undefined; onCounted(counted: Operations): void }
}

export async function simulate(
  house: PreparedHouse,
  folder: string,
  { plan, without, print, isEnoughOne = false, nth }: Choice,
): Promise<SeedReport> {
  const events = plan.events.filter((_, i) => !without?.has(i))
  const world = new World(plan, house, folder, print)
  const owners = new Owners(world)
  const agreement = new AgreementCheck(world, owners)
  const { scheduler, journal } = world
  const onRejection = (error: unknown) => world.failed(scheduler.current, error)
  process.on('unhandledRejection', onRejection)
  try {
    const counted = nth && failOnce(world, nth.failure)
    world.start()
    for (const event of events) {
      const begin = () => {
        if ('fault' in event) {
          journal.note(`fault ${JSON.stringify(event.fault)}`)
          return strike(world, event.fault)
        }
        const done = 'action' in event ? owners.act(event.action) : agreement.look()
        void done.catch((error) => journal.violated('the simulation itself', String(error?.stack ?? error)))
      }
      scheduler.in(event.atMs, begin, 'fault' in event ? scheduler.outside : world.owners)
    }
    await scheduler.run(plan.hours * HOUR_MS, () => isEnoughOne && journal.violations.length > 0)
    if (journal.violations.length === 0) world.readings.finish(scheduler.nowMs)
    if (counted) nth?.onCounted(counted)
    return {
      seed: plan.seed,
      hours: plan.hours,
      events: events.length,
      faults: events.filter((event) => 'fault' in event).length,
      steps: scheduler.steps,
      confirmed: world.readings.confirmed,
      requests: owners.requests.answered,
      looks: agreement.looks,
      trace: journal.digest(),
      violations: journal.violations,
    }
  } finally {
    world.end()
    process.off('unhandledRejection', onRejection)
    rmSync(folder, { recursive: true, force: true })
  }
}
