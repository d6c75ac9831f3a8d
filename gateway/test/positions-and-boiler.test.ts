import { house, Simulation } from '@hypocaust/testing/agent-simulation.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'

const MINUTE = 60
const PUMP = 9
const BOILER = 10

const motor = (channel: number) =>
  `  - { channel: ${channel}, driver: mqtt, set: { topic: motor${channel}/set, percent: true } }\n`
const HOUSE = house(
  0,
  {},
  `${motor(1)}${motor(2)}
pump: { driver: tasmota, topic: manifold, output: ${PUMP} }
boiler: { driver: tasmota, topic: manifold, output: ${BOILER}, min_open_loops: 2, min_run_s: 600, min_off_s: 600 }`,
)

let cellar: Simulation
beforeEach(() => {
  cellar = new Simulation(HOUSE)
  cellar.connect()
  cellar.configure({ 1: 0, 2: 0 })
})
afterEach(() => cellar.end())

const positions = () =>
  [1, 2].map((channel) =>
    Number(cellar.devices.sent.findLast(({ topic }) => topic === `motor${channel}/set`)?.payload ?? Number.NaN),
  )

test('one room that needs heat gets it where the boiler asks for two open loops', () => {
  cellar.command(1, { 1: 0.4, 2: 0 })
  cellar.pass(15 * MINUTE)
  expect(positions()).toEqual([40, 100])
  expect([PUMP, BOILER].map((relay) => cellar.relayIsOn(relay))).toEqual([true, true])
})

test('loops at their own power are left alone where they are enough', () => {
  cellar.command(1, { 1: 0.4, 2: 0.1 })
  cellar.pass(15 * MINUTE)
  expect(positions()).toEqual([40, 10])
  expect(cellar.relayIsOn(BOILER)).toBe(true)
})

test('the boiler runs for its minimum when the last room needs no more heat, and then all is closed', () => {
  cellar.command(1, { 1: 0.4, 2: 0.1 })
  cellar.pass(2 * MINUTE)
  expect(cellar.relayIsOn(BOILER)).toBe(true)
  cellar.command(2, { 1: 0, 2: 0 })
  cellar.pass(7 * MINUTE)
  expect(cellar.relayIsOn(BOILER)).toBe(true)
  cellar.pass(8 * MINUTE)
  expect(positions()).toEqual([0, 0])
  expect(cellar.relayIsOn(BOILER)).toBe(false)
})
