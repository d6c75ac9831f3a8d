import { setTimeout as sleep } from 'node:timers/promises'
import type { Fleet } from './gateways.ts'
import type { World } from './world.ts'

const PLAN_ROUNDS = 3
const USUAL_C = 21
const PLAN_STEP_K = 0.2
const CONFIRM_LIMIT_MS = 60_000

/** As many messages as every gateway sends in so many minutes: every room has a plan by then, and the code is compiled. */
export async function warmUp(world: World, fleet: Fleet, minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute++) await everyGateway(world, fleet)
  fleet.reset()
}

/**
 * What a plan costs a service that is warm: a minute in which every room has a new setpoint, and so plans anew, less a
 * minute in which none has. The command that follows from the plan is part of it.
 */
export async function measurePlan(world: World, fleet: Fleet): Promise<number> {
  const database = await world.database()
  const differences: number[] = []
  for (let round = 1; round <= PLAN_ROUNDS; round++) {
    const usual = await everyGateway(world, fleet)
    await database.run(`update rooms set target_c = ${USUAL_C + round * PLAN_STEP_K}`)
    differences.push((await everyGateway(world, fleet)) - usual)
  }
  await database.run(`update rooms set target_c = ${USUAL_C}`)
  await database.close()
  fleet.reset()
  const median = differences.toSorted((a, b) => a - b)[Math.floor(PLAN_ROUNDS / 2)] ?? 0
  return Math.max(0, (median * 1e6) / fleet.rooms)
}

/** A message of each gateway and the control that follows; how many seconds of the service's processor they took. */
async function everyGateway(world: World, fleet: Fleet): Promise<number> {
  const before = await world.service.figures()
  for (let from = 0; from < fleet.size; from++) fleet.send(performance.now(), { from })
  if (!(await fleet.drained(CONFIRM_LIMIT_MS))) throw new Error('the service does not confirm messages')
  await controlled(world, before.controlSteps + fleet.rooms)
  return (await world.service.figures()).cpuS - before.cpuS
}

/** The control follows the confirmation; until it has, the round is not over. */
async function controlled(world: World, steps: number): Promise<void> {
  for (let look = 0; look < 600 && (await world.service.figures()).controlSteps < steps; look++) await sleep(100)
}
