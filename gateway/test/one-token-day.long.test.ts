import type { GatewayStatus } from '@hypocaust/domain'
import { seededRandom } from '@hypocaust/simulator'
import { house, Simulation } from '@hypocaust/testing/agent-simulation.ts'
import { SharedCellar } from '@hypocaust/testing/shared-cellar.ts'
import { afterEach, describe, expect, test } from 'vitest'

const HOUR = 3600
const DAY = 86_400
const PUMP = 1
const BOILER = 2
const FILE = house(
  3,
  {},
  `pump: { driver: tasmota, topic: source, output: ${PUMP} }
boiler: { driver: tasmota, topic: source, output: ${BOILER} }`,
)

/** The session of a gateway with the service: one agent at a time has it, and each that connects takes it away. */
class Session {
  readonly #between: (least: number, most: number) => number
  #holder: Simulation | null = null
  #named: string | undefined
  #seq = 0
  readonly #connectsAtS = new Map<Simulation, number>()

  constructor(between: (least: number, most: number) => number) {
    this.#between = between
  }

  step(agents: readonly Simulation[], atS: number): void {
    for (const agent of agents) {
      if (agent.service.connected) continue
      // As the link does it: soon, or late where another agent has taken the session over.
      if (!this.#connectsAtS.has(agent))
        this.#connectsAtS.set(agent, atS + (agent.agent.isStandingBy ? this.#between(300, 600) : this.#between(1, 2)))
      if (atS >= (this.#connectsAtS.get(agent) ?? 0)) this.#connect(agent)
    }
    const drives = this.#holder
      ?.taken<GatewayStatus>('status')
      .findLast(({ agent, boot }) => agent === 'drives' && boot !== this.#named)
    if (drives) {
      this.#named = drives.boot
      this.#configure()
    }
  }

  command(power: Record<number, number>): void {
    this.#seq += 1
    this.#holder?.command(this.#seq, power)
  }

  #connect(agent: Simulation): void {
    if (this.#holder) this.#holder.service.connected = false
    this.#connectsAtS.delete(agent)
    this.#holder = agent
    agent.service.connected = true
    agent.agent.serviceUp()
    this.#configure()
  }

  #configure(): void {
    this.#holder?.configure({ 1: 0.2, 2: 0.2, 3: 0.2 }, this.#named === undefined ? {} : { agent: this.#named })
  }
}

const cellars: SharedCellar[] = []
afterEach(() => {
  for (const { agents } of cellars.splice(0)) for (const agent of agents) agent.end()
})

/** A box with a device broker and relays of its own. */
function box(instance: string): { cellar: SharedCellar; agent: Simulation } {
  const cellar = new SharedCellar()
  const agent = new Simulation(FILE, { instance })
  cellar.agents.push(agent)
  cellars.push(cellar)
  agent.connect({ service: false, pass: () => undefined })
  return { cellar, agent }
}

const spansOf = (cellar: SharedCellar, output: number): number[] => {
  const switches = cellar.switchesOf(output)
  return switches.slice(1).map(({ atS }, i) => atS - (switches[i]?.atS ?? 0))
}

describe.each([1, 2, 3])('a day of two boxes with one token on two device brokers, of seed %i', (seed) => {
  test('house h: one of them drives, and nothing chatters', { timeout: 300_000 }, () => {
    const random = seededRandom(seed).uniform
    const between = (least: number, most: number) => Math.round(least + (most - least) * random())
    const session = new Session(between)
    const boxes = [box('old')]
    let bothS = 0
    let restartsAtS = between(600, HOUR)
    for (let atS = 0; atS < DAY; atS += 1) {
      if (atS === HOUR) boxes.push(box('new'))
      session.step(
        boxes.map(({ agent }) => agent),
        atS,
      )
      if (atS % 900 === 10) session.command({ 1: 0.3 * random(), 2: 0.6 * random(), 3: 0.4 })
      if (atS === restartsAtS) {
        boxes[0]?.agent.restart()
        boxes[0]?.agent.connect({ service: false, pass: () => undefined })
        restartsAtS += between(600, 2 * HOUR)
      }
      for (const { cellar } of boxes) cellar.pass(1)
      if (boxes.every(({ cellar }) => cellar.isOn(PUMP)) && boxes.length === 2) bothS += 1
    }
    const starts = boxes.map(({ cellar }) => cellar.switchesOf(PUMP).filter(({ on }) => on).length)
    console.log(`house h of one token: ${starts.join(' and ')} starts of the pumps, both on for ${bothS} s`)
    expect(starts[0]).toBeGreaterThan(0)
    expect(bothS).toBe(0)
    for (const { cellar } of boxes) {
      expect(Math.min(...spansOf(cellar, PUMP), DAY)).toBeGreaterThanOrEqual(60)
      expect(Math.min(...spansOf(cellar, BOILER), DAY)).toBeGreaterThanOrEqual(600)
    }
    expect(boxes[1]?.agent.logged.join()).toContain('this one stands by')
  })
})
