import { onTestFinished } from 'vitest'
import { Simulation } from './agent-simulation.ts'

/** An agent that ends with its test. */
export function simulatedAgent(...given: ConstructorParameters<typeof Simulation>): Simulation {
  const agent = new Simulation(...given)
  onTestFinished(() => agent.end())
  return agent
}
