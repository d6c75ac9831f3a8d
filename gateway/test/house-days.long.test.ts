import { seededRandom } from '@hypocaust/simulator'
import { house, ID, Simulation } from '@hypocaust/testing/agent-simulation.ts'
import { SharedCellar } from '@hypocaust/testing/shared-cellar.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const MINUTE = 60
const HOUR = 3600
const DAY = 86_400
const MIN_S = 600
/** A pump that changes sooner than this chatters. */
const CHATTER_S = 60
const PUMP = 1
const BOILER = 2
const PUMP_2 = 3
const OTHER = '019bb0f4-6e00-7c3a-9d5e-2f1a6b7c8d9f'
const pump = `pump: { driver: tasmota, topic: source, output: ${PUMP} }`
const boiler = `boiler: { driver: tasmota, topic: source, output: ${BOILER} }`
const PROBE = '02:00:00:00:00:05'

const SEEDS = [1, 2, 3, 4]

let cellar: SharedCellar
let random = seededRandom(0).uniform
afterEach(() => {
  for (const agent of cellar.agents) agent.end()
})

/** Runs and pauses that lie within the day as a whole, in seconds. */
function spansOf(output: number): { runs: number[]; pauses: number[] } {
  const switches = cellar.switchesOf(output)
  const spans = switches.slice(1).map(({ atS, on }, i) => ({ wasOn: !on, s: atS - (switches[i]?.atS ?? 0) }))
  return {
    runs: spans.filter(({ wasOn }) => wasOn).map(({ s }) => s),
    pauses: spans.filter(({ wasOn }) => !wasOn).map(({ s }) => s),
  }
}

const shortest = (spans: number[]): number => Math.min(...spans, Number.POSITIVE_INFINITY)

function expectWithinLimits(name: string, outputs: { output: number; leastS: number }[]): void {
  for (const { output, leastS } of outputs) {
    const { runs, pauses } = spansOf(output)
    const starts = cellar.switchesOf(output).filter(({ on }) => on).length
    console.log(
      `house ${name}, output ${output}: ${starts} starts, shortest run ${shortest(runs)} s, shortest pause ${shortest(pauses)} s`,
    )
    expect(starts).toBeGreaterThan(0)
    expect(shortest(runs)).toBeGreaterThanOrEqual(leastS)
    expect(shortest(pauses)).toBeGreaterThanOrEqual(leastS)
  }
}

function started(...files: string[]): Simulation[] {
  cellar = new SharedCellar()
  const agents = files.map((file) => new Simulation(file))
  cellar.agents.push(...agents)
  for (const agent of agents) join(agent)
  return agents
}

function join(agent: Simulation, { service = true } = {}): void {
  agent.connect({ service, pass: (seconds) => cellar.pass(seconds) })
}

/** Powers of a day: more in the morning and in the evening, and never twice the same. */
const powerAt = (atS: number, channel: number): number => {
  const power = 0.25 + 0.15 * Math.sin((4 * Math.PI * atS) / DAY + channel) + 0.2 * (random() - 0.5)
  return Math.round(100 * Math.max(0, power)) / 100
}

const between = (least: number, most: number): number => Math.round(least + (most - least) * random())

const AGAIN: ((agent: Simulation) => void)[] = [
  (agent) => agent.restart(),
  (agent) => agent.reboot(),
  (agent) => {
    agent.devices.connected = false
  },
]

/** A day with a command every quarter of an hour, and restarts of agent, machine and broker at any time. */
function aDay(channels: number[], config: object = {}, each: (atS: number) => void = () => {}): void {
  const startS = cellar.atS
  let seq = 0
  let strikes = 0
  let strikesAtS = between(5 * MINUTE, HOUR)
  while (cellar.atS - startS < DAY) {
    const atS = cellar.atS - startS
    if (seq === 0 || atS >= seq * 15 * MINUTE) {
      seq += 1
      for (const agent of cellar.agents) {
        if (!agent.service.connected) continue
        const power = Object.fromEntries(channels.map((channel) => [channel, powerAt(atS, channel)]))
        if (seq === 1) agent.configure(power, config)
        agent.command(seq, power)
      }
    }
    if (atS >= strikesAtS) {
      const agent = cellar.agents[strikes % cellar.agents.length]
      if (agent) {
        AGAIN[strikes % AGAIN.length]?.(agent)
        cellar.pass(between(0, MINUTE))
        join(agent, { service: agent.service.connected || strikes % AGAIN.length < 2 })
      }
      strikes += 1
      strikesAtS = cellar.atS - startS + between(5 * MINUTE, 2 * HOUR)
    }
    each(atS)
    cellar.pass(1)
  }
}

describe.each(SEEDS)('a day with restarts of agent, machine and broker, of seed %i', { timeout: 600_000 }, (seed) => {
  beforeEach(() => {
    random = seededRandom(seed).uniform
  })

  const both = [
    { output: PUMP, leastS: CHATTER_S },
    { output: BOILER, leastS: MIN_S },
  ]

  test('house a: four loops, pump and boiler', () => {
    started(house(4, {}, `${pump}\n${boiler}`))
    aDay([1, 2, 3, 4])
    expectWithinLimits('a', both)
  })

  test('house b: one relay for pump and boiler', () => {
    started(house(3, {}, `demand: { driver: tasmota, topic: source, output: ${BOILER} }`))
    aDay([1, 2, 3])
    expectWithinLimits('b', [{ output: BOILER, leastS: MIN_S }])
  })

  test('house c: a pump alone', () => {
    started(house(3, {}, pump))
    aDay([1, 2, 3])
    expectWithinLimits('c', [{ output: PUMP, leastS: CHATTER_S }])
  })

  test('house d: at least two open loops', () => {
    started(house(4, {}, `${pump}\n${boiler.replace(' }', ', min_open_loops: 2 }')}`))
    aDay([1, 2, 3, 4])
    expectWithinLimits('d', both)
  })

  test('house e: quick actuators and an electric mat beside the water', () => {
    const quick = 'actuator: { dead_s: 10, stroke_s: 30 }'
    const mat = `heat: electric, floor_probe: { sensor: "${PROBE}" }`
    const [agent] = started(house(3, { 1: quick, 2: quick, 3: mat }, `${pump}\n${boiler}`))
    aDay([1, 2, 3], {}, (atS) => {
      if (atS % (5 * MINUTE) === 0) agent?.measure(22)
    })
    expectWithinLimits('e', both)
  })

  test('house f: normally open actuators', () => {
    const open = 'normally: open'
    started(house(3, { 1: open, 2: open, 3: open }, `${pump}\n${boiler}`))
    aDay([1, 2, 3])
    expectWithinLimits('f', both)
  })

  test('house g: two manifolds with a gateway and a pump each, and one boiler', () => {
    const first = house(2, {}, `${pump}\n${boiler}`)
    started(first, first.replace(ID, OTHER).replace(`output: ${PUMP} }\nboiler`, `output: ${PUMP_2} }\nboiler`))
    aDay([1, 2], { source_owner: ID })
    expectWithinLimits('g', [...both, { output: PUMP_2, leastS: CHATTER_S }])
  })

  test('house g with one gateway: two pumps, and one boiler', () => {
    const pumps = `pumps:
  - { driver: tasmota, topic: source, output: ${PUMP}, channels: [1, 2] }
  - { driver: tasmota, topic: source, output: ${PUMP_2}, channels: [3, 4] }`
    started(house(4, {}, `${pumps}\n${boiler}`))
    aDay([1, 2, 3, 4])
    expectWithinLimits('g with one gateway', [...both, { output: PUMP_2, leastS: CHATTER_S }])
  })

  test('house h: a replacement, with the old box still on for the rest of the day', () => {
    const file = house(3, {}, `${pump}\n${boiler}`).replaceAll('topic: manifold', 'topic: source')
    const placed = file.replace(/output: ([123]) }/g, (_, n: string) => `output: ${Number(n) + 10} }`)
    const withSource = `${placed.slice(0, placed.indexOf('pump:'))}${pump}\n${boiler}`
    const [old] = started(withSource)
    let isReplaced = false
    aDay([1, 2, 3], {}, (atS) => {
      if (isReplaced || atS < 6 * HOUR || !old) return
      isReplaced = true
      old.service.connected = false
      old.service.refused = true
      const box = new Simulation(withSource, { hasRested: false, instance: 'new box' })
      cellar.agents.push(box)
      join(box)
      box.configure({ 1: 0.2, 2: 0.2, 3: 0.2 })
    })
    expect(old?.logged.join()).toContain('this one stands by')
    expectWithinLimits('h', both)
  })
})
