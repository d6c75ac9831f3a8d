import type { SourceReport } from '@hypocaust/domain'
import { house, ID, Simulation } from '@hypocaust/testing/agent-simulation.ts'
import { SharedCellar } from '@hypocaust/testing/shared-cellar.ts'
import { afterEach, expect, test } from 'vitest'

const MINUTE = 60
const PUMP = 9
const BOILER = 1
const CHANGEOVER = 2
const OTHER = '019bb0f4-6e00-7c3a-9d5e-2f1a6b7c8d9f'
const HOUSE = house(
  2,
  {},
  `
pump: { driver: tasmota, topic: manifold, output: ${PUMP} }
boiler: { driver: tasmota, topic: source, output: ${BOILER}, min_run_s: 600, min_off_s: 600 }`,
)

let cellar: SharedCellar

/** Two manifolds, each with its gateway and pump, and one boiler; the service names its owner. */
function twoManifolds(config: object = { source_owner: ID }, yaml = HOUSE): [Simulation, Simulation] {
  const agents: [Simulation, Simulation] = [new Simulation(yaml), new Simulation(yaml.replace(ID, OTHER))]
  cellar = new SharedCellar()
  cellar.agents.push(...agents)
  for (const agent of agents) {
    agent.connect()
    agent.configure({ 1: 0, 2: 0 }, config)
  }
  cellar.deliver()
  return agents
}

afterEach(() => {
  for (const agent of cellar.agents) agent.end()
})

test('the boiler runs while either manifold needs it, and is not switched to and fro', () => {
  const [owner, other] = twoManifolds()
  owner.command(1, { 1: 0, 2: 0 })
  other.command(1, { 1: 1, 2: 1 })
  cellar.pass(10 * MINUTE)
  expect([cellar.isOn(BOILER), other.relayIsOn(PUMP), owner.relayIsOn(PUMP)]).toEqual([true, true, false])
  owner.command(2, { 1: 1, 2: 0 })
  other.command(2, { 1: 0, 2: 0 })
  cellar.pass(20 * MINUTE)
  expect([cellar.isOn(BOILER), other.relayIsOn(PUMP), owner.relayIsOn(PUMP)]).toEqual([true, false, true])
  owner.command(3, { 1: 0, 2: 0 })
  cellar.pass(20 * MINUTE)
  const times = cellar.switchesOf(BOILER).map(({ atS }) => atS)
  for (const [i, atS] of times.slice(1).entries()) expect(atS - (times[i] ?? 0)).toBeGreaterThanOrEqual(600)
  expect(times.length).toBeLessThanOrEqual(4)
})

test('the owner that restarts goes on by what it last heard', () => {
  const [owner, other] = twoManifolds()
  owner.command(1, { 1: 0, 2: 0 })
  other.command(1, { 1: 1, 2: 1 })
  cellar.pass(5 * MINUTE + 7)
  expect(cellar.isOn(BOILER)).toBe(true)
  owner.restart()
  owner.connect({ pass: (seconds) => cellar.pass(seconds) })
  cellar.pass(15 * MINUTE)
  expect(cellar.switchesOf(BOILER)).toHaveLength(1)
})

test('without the service the gateways agree on the device broker', () => {
  const [owner, other] = twoManifolds()
  for (const agent of [owner, other]) agent.service.connected = false
  other.configure({ 1: 1, 2: 0 }, { source_owner: ID })
  cellar.pass(20 * MINUTE)
  expect(cellar.isOn(BOILER)).toBe(true)
  expect(cellar.switchesOf(BOILER)).toHaveLength(1)
})

test('a gateway on another broker asks through the service', () => {
  const [owner, other] = twoManifolds()
  cellar.agents.pop()
  other.command(1, { 1: 1, 2: 1 })
  other.pass(10 * MINUTE)
  const report = other.taken<SourceReport>('source').at(-1)
  expect(report).toMatchObject({ boiler: true, heat_request: { loops: 2 } })
  owner.command(1, { 1: 0, 2: 0 })
  owner.order('source', {
    epoch: 1,
    seq: 1,
    issued: new Date(owner.wallMs).toISOString(),
    valid_s: 2700,
    demand: [{ gateway: OTHER, ...report?.heat_request }],
  })
  cellar.pass(5 * MINUTE)
  expect(cellar.isOn(BOILER)).toBe(true)
  cellar.pass(50 * MINUTE)
  expect(cellar.isOn(BOILER)).toBe(false)
  other.end()
})

const MIN_TWO = HOUSE.replace('min_run_s', 'min_open_loops: 2, min_run_s')
const COLD_SENSOR = { sensors: { 1: ['02:00:00:00:00:05'] } }

/** One loop of the other manifold is cold, and no second loop can be opened anywhere. */
function freeze(owner: Simulation, other: Simulation): void {
  other.configure({ 1: 0, 2: 0 }, { source_owner: ID, ...COLD_SENSOR })
  for (const agent of [owner, other]) agent.command(1, { 1: 0, 2: 0 })
  for (const relay of [1, 2]) owner.deaf.add(relay)
  other.deaf.add(2)
  other.measure(3)
}

test('the boiler runs for a cold loop of the other manifold, also below its minimum of open loops', () => {
  const [owner, other] = twoManifolds({ source_owner: ID }, MIN_TWO)
  freeze(owner, other)
  cellar.pass(20 * MINUTE)
  expect([other.relayIsOn(1), cellar.isOn(BOILER)]).toEqual([true, true])
  owner.restart()
  owner.connect({ pass: (seconds) => cellar.pass(seconds) })
  cellar.pass(MINUTE)
  expect(cellar.switchesOf(BOILER)).toHaveLength(1)
  other.measure(8)
  cellar.pass(40 * MINUTE)
  expect(cellar.isOn(BOILER)).toBe(false)
})

test('frost of a gateway on another broker reaches the boiler through the service', () => {
  const [owner, other] = twoManifolds({ source_owner: ID }, MIN_TWO)
  cellar.agents.pop()
  freeze(owner, other)
  other.pass(20 * MINUTE)
  const report = other.taken<SourceReport>('source').at(-1)
  expect(report?.heat_request).toMatchObject({ loops: 1, frost: true })
  owner.order('source', {
    ...{ epoch: 1, seq: 1, issued: new Date(owner.wallMs).toISOString(), valid_s: 2700 },
    demand: [{ gateway: OTHER, ...report?.heat_request }],
  })
  cellar.pass(10 * MINUTE)
  expect(cellar.isOn(BOILER)).toBe(true)
  other.end()
})

test('the owner opens a loop where the boiler asks for more of them than the other manifold has', () => {
  const [owner, other] = twoManifolds({ source_owner: ID }, MIN_TWO)
  owner.command(1, { 1: 0, 2: 0 })
  other.command(1, { 1: 1, 2: 0 })
  other.deaf.add(2)
  cellar.pass(20 * MINUTE)
  expect([other.relayIsOn(1), other.relayIsOn(2)]).toEqual([true, false])
  expect(cellar.isOn(BOILER)).toBe(true)
  expect([owner.relayIsOn(1), owner.relayIsOn(2)]).toContain(true)
})

test('frost at the other manifold ends cooling also where its gateway cools none, and the service is not heard', () => {
  const cools = `
flow_temperature: { topic: flow, max_c: 45 }
cooling: { changeover: { driver: tasmota, topic: source, output: ${CHANGEOVER} } }`
  const [owner, other] = twoManifolds({ source_owner: ID, cools: true }, `${HOUSE}${cools}`)
  for (const agent of [owner, other]) agent.command(1, { 1: 1, 2: 1 }, { cools: true })
  other.configure({ 1: 0, 2: 0 }, { source_owner: ID, cools: true, ...COLD_SENSOR })
  for (const agent of [owner, other]) agent.service.connected = false
  cellar.pass(5 * MINUTE)
  expect([cellar.isOn(CHANGEOVER), cellar.isOn(BOILER)]).toEqual([true, false])
  other.measure(3)
  cellar.pass(20 * MINUTE)
  expect([other.relayIsOn(1), cellar.isOn(CHANGEOVER), cellar.isOn(BOILER)]).toEqual([true, false, true])
})
