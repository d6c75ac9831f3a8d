import { setTimeout as sleep } from 'node:timers/promises'
import type { Fleet } from './gateways.ts'
import { ROOMS } from './houses.ts'
import type { World } from './world.ts'

/**
 * Every room has its first plan, and the code is compiled, before anything else is counted. What the first round took
 * more than the second is the price of a plan, which a room makes once in half an hour.
 */
export async function warmUp(world: World, fleet: Fleet, rooms = ROOMS): Promise<number> {
  const cpuS: number[] = []
  for (let round = 0; round < 2; round++) {
    const before = (await world.service.figures()).cpuS
    for (let i = 0; i < fleet.size; i++) {
      fleet.send(performance.now())
      if (i % 20 === 19 && !(await fleet.drained(60_000))) throw new Error('the service does not confirm messages')
    }
    await controlled(world, (round + 1) * fleet.size * rooms)
    cpuS.push((await world.service.figures()).cpuS - before)
  }
  fleet.reset()
  const [first = 0, second = 0] = cpuS
  return Math.max(0, ((first - second) * 1e6) / (fleet.size * rooms))
}

/** The control follows the confirmation; until it has, the round is not over. */
async function controlled(world: World, steps: number): Promise<void> {
  for (let look = 0; look < 600 && (await world.service.figures()).controlSteps < steps; look++) await sleep(100)
}
