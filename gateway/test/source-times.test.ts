import { house, type Simulation } from '@hypocaust/testing/agent-simulation.ts'
import { simulatedAgent } from '@hypocaust/testing/simulated-agent.ts'
import { describe, expect, test } from 'vitest'

const MINUTE = 60
const PUMP = 9
const BOILER = 10
const HOUSE = house(
  2,
  {},
  `
pump: { driver: tasmota, topic: manifold, output: ${PUMP} }
boiler: { driver: tasmota, topic: manifold, output: ${BOILER}, min_run_s: 600, min_off_s: 600 }`,
)

function started(options: { hasRested?: boolean; file?: string } = {}): Simulation {
  const cellar = simulatedAgent(options.file ?? HOUSE, options)
  cellar.connect()
  cellar.configure({ 1: 0, 2: 0 })
  return cellar
}

/** Seconds until the relay changes, an hour at most. */
function changesAfter(cellar: Simulation, relay: number): number {
  const before = cellar.relayIsOn(relay)
  for (let atS = 0; atS < 3600; atS += 1) {
    if (cellar.relayIsOn(relay) !== before) return atS
    cellar.pass(1)
  }
  return Number.POSITIVE_INFINITY
}

const LIVES: [string, (cellar: Simulation) => void][] = [
  ['a restart of the agent', (cellar) => cellar.restart()],
  ['a restart of the machine', (cellar) => cellar.reboot()],
  [
    'a restart of the machine without a clock',
    (cellar) => {
      cellar.clockSet = false
      cellar.reboot()
    },
  ],
  ['a replacement of the box', (cellar) => cellar.replace()],
]

describe.each(LIVES)('over %s', (_, again) => {
  test('the boiler that runs goes on, and for its minimum time', () => {
    const cellar = started()
    cellar.command(1, { 1: 1, 2: 1 })
    changesAfter(cellar, BOILER)
    const onMs = cellar.wallMs
    cellar.pass(111)
    again(cellar)
    cellar.connect()
    cellar.pass(2)
    cellar.command(2, { 1: 0, 2: 0 })
    changesAfter(cellar, BOILER)
    const ranS = (cellar.wallMs - onMs) / 1000
    expect(ranS).toBeGreaterThanOrEqual(600)
    expect(ranS).toBeLessThan(600 + 3 * MINUTE)
  })

  test('pump, boiler and valves that are on stay on', () => {
    const cellar = started()
    cellar.command(1, { 1: 1, 2: 1 })
    cellar.pass(11 * MINUTE)
    again(cellar)
    cellar.connect()
    cellar.command(2, { 1: 1, 2: 1 })
    cellar.pass(20 * MINUTE, () => {
      expect([1, 2, PUMP, BOILER].map((relay) => cellar.relayIsOn(relay))).toEqual([true, true, true, true])
    })
  })

  test('the boiler that rests does so for its minimum time', () => {
    const cellar = started()
    cellar.command(1, { 1: 1, 2: 1 })
    cellar.pass(20 * MINUTE)
    cellar.command(2, { 1: 0, 2: 0 })
    changesAfter(cellar, BOILER)
    const offMs = cellar.wallMs
    cellar.pass(MINUTE)
    again(cellar)
    cellar.connect()
    cellar.command(3, { 1: 1, 2: 1 })
    changesAfter(cellar, BOILER)
    const restedS = (cellar.wallMs - offMs) / 1000
    expect(restedS).toBeGreaterThanOrEqual(600)
    expect(restedS).toBeLessThan(900)
  })
})

test('a box that knows nothing of the boiler lets it rest first', () => {
  const cellar = started({ hasRested: false })
  cellar.command(1, { 1: 1, 2: 1 })
  const waitedS = changesAfter(cellar, BOILER)
  expect(waitedS).toBeGreaterThanOrEqual(595)
  expect(waitedS).toBeLessThan(700)
})

describe('the device broker is away', () => {
  const away = (cellar: Simulation, seconds: number) => {
    cellar.devices.connected = false
    cellar.pass(seconds)
    cellar.connect()
  }

  test('for a while: nothing is switched', () => {
    const cellar = started()
    cellar.command(1, { 1: 1, 2: 1 })
    cellar.pass(11 * MINUTE)
    cellar.devices.sent.length = 0
    away(cellar, 5 * MINUTE)
    cellar.pass(3 * MINUTE)
    const off = cellar.devices.sent.filter(({ topic, payload }) => /POWER/.test(topic) && payload === 'OFF')
    expect(off).toEqual([])
  })

  test('for longer than the auto-off: what must have gone off counts as off, and the boiler rests', () => {
    const cellar = started()
    cellar.command(1, { 1: 1, 2: 1 }, { valid_s: 7200 })
    cellar.configure({ 1: 1, 2: 1 })
    cellar.pass(11 * MINUTE)
    cellar.devices.connected = false
    cellar.pass(20 * MINUTE)
    for (const relay of [1, 2, PUMP, BOILER]) cellar.autoOff(relay)
    cellar.connect()
    cellar.pass(3)
    expect(cellar.relayIsOn(BOILER)).toBe(false)
    cellar.pass(9 * MINUTE)
    expect([1, PUMP, BOILER].map((relay) => cellar.relayIsOn(relay))).toEqual([true, true, true])
  })
})

test('the boiler runs for its minimum time also where one loop closes as another opens', () => {
  const cellar = started()
  cellar.command(1, { 1: 1, 2: 0 })
  changesAfter(cellar, BOILER)
  cellar.pass(5 * MINUTE)
  cellar.command(2, { 1: 0, 2: 1 })
  cellar.pass(MINUTE + 5)
  expect([1, 2, BOILER].map((relay) => cellar.relayIsOn(relay))).toEqual([false, true, true])
  expect(changesAfter(cellar, BOILER)).toBeGreaterThan(600)
})

describe('a pump alone', () => {
  const PUMP_ALONE = house(2, {}, `pump: { driver: tasmota, topic: manifold, output: ${PUMP} }`)

  test.each([2, 9, 30, 59])('rests for a minute though water could flow again after %i seconds', (gapS) => {
    const cellar = started({ file: PUMP_ALONE })
    cellar.command(1, { 1: 1, 2: 0 })
    cellar.pass(10 * MINUTE)
    cellar.command(2, { 1: 0, 2: 0 })
    cellar.pass(3 * MINUTE + gapS)
    cellar.command(3, { 1: 0, 2: 1 })
    changesAfter(cellar, PUMP)
    const restedS = changesAfter(cellar, PUMP)
    expect(restedS).toBeGreaterThanOrEqual(60)
    expect(restedS).toBeLessThan(65)
  })
})

test('the boiler waits for a pump that rests', () => {
  const file = HOUSE.replace('min_off_s: 600', 'min_off_s: 0').replace('min_run_s: 600', 'min_run_s: 0')
  const cellar = started({ file })
  cellar.command(1, { 1: 1, 2: 0 })
  cellar.pass(10 * MINUTE)
  cellar.command(2, { 1: 0, 2: 0 })
  cellar.pass(3 * MINUTE + 9)
  cellar.command(3, { 1: 0, 2: 1 })
  cellar.pass(5 * MINUTE, () => {
    if (cellar.relayIsOn(BOILER)) expect(cellar.relayIsOn(PUMP)).toBe(true)
  })
  expect(cellar.relayIsOn(BOILER)).toBe(true)
})
