import { house, Simulation } from '@hypocaust/testing/agent-simulation.ts'
import { afterEach, expect, test } from 'vitest'

const MINUTE = 60
const HOUR = 3600
const PUMP = 9
const BOILER = 10
const SENSOR = '02:00:00:00:00:05'
const SOURCE = `
pump: { driver: tasmota, topic: manifold, output: ${PUMP} }
boiler: { driver: tasmota, topic: manifold, output: ${BOILER} }`

let running: Simulation | undefined

function started(more: object = {}, yaml = house(2, {}, SOURCE)): Simulation {
  running = new Simulation(yaml)
  running.connect()
  running.configure({ 1: 0, 2: 0 }, { sensors: { 1: [SENSOR] }, ...more })
  return running
}

afterEach(() => {
  running?.end()
  running = undefined
})

/** Readings a minute, as a sensor sends them. */
const measuring = (cellar: Simulation, temperature: number) => (atS: number) => {
  if (atS % MINUTE === 0) cellar.measure(temperature)
}

const all = (cellar: Simulation) => [1, 2, PUMP, BOILER].map((relay) => cellar.relayIsOn(relay))

test('a reading below 5 °C opens its loop, pump and boiler included, though the room is off, until 6 °C', () => {
  const cellar = started()
  cellar.command(1, { 1: 0, 2: 0 })
  cellar.pass(10 * MINUTE, measuring(cellar, 5.1))
  expect(all(cellar)).toEqual([false, false, false, false])
  cellar.pass(10 * MINUTE, measuring(cellar, 4.9))
  expect(all(cellar)).toEqual([true, false, true, true])
  cellar.command(2, { 1: 0, 2: 0 })
  cellar.pass(20 * MINUTE, measuring(cellar, 5.9))
  expect(all(cellar)).toEqual([true, false, true, true])
  cellar.pass(20 * MINUTE, measuring(cellar, 6.1))
  expect(all(cellar)).toEqual([false, false, false, false])
})

test('also when no command is valid, and after a restart without the service', () => {
  const cellar = started()
  cellar.pass(2 * HOUR)
  cellar.service.connected = false
  cellar.restart()
  cellar.connect({ service: false })
  cellar.pass(10 * MINUTE, measuring(cellar, 3))
  expect(all(cellar)).toEqual([true, false, true, true])
})

test('not where the owner has switched frost protection off', () => {
  const cellar = started({ frost_protection: false })
  cellar.command(1, { 1: 0, 2: 0 })
  cellar.pass(20 * MINUTE, measuring(cellar, 3))
  expect(all(cellar)).toEqual([false, false, false, false])
})

test('a sensor that falls silent in the cold counts on for two hours', () => {
  const cellar = started()
  cellar.pass(10 * MINUTE, measuring(cellar, 4))
  cellar.pass(100 * MINUTE, undefined, 5)
  expect(cellar.relayIsOn(1)).toBe(true)
  cellar.pass(40 * MINUTE, undefined, 5)
  expect(cellar.relayIsOn(1)).toBe(false)
})

test('an electric mat is heated as well, but never past its floor limit', () => {
  const probe = '02:00:00:00:00:06'
  const yaml = house(1, { 1: `heat: electric, floor_probe: { sensor: "${probe}", max_c: 27 }` }).replace(
    'esphome: [',
    `esphome: [{ sensor: "${probe}", temperature: floor/sensor/temperature/state }, `,
  )
  const cellar = started({}, yaml)
  cellar.hear('floor/sensor/temperature/state', '10')
  cellar.pass(5 * MINUTE, measuring(cellar, 4))
  expect(cellar.relayIsOn(1)).toBe(true)
  cellar.hear('floor/sensor/temperature/state', '27.5')
  cellar.pass(MINUTE, measuring(cellar, 4))
  expect(cellar.relayIsOn(1)).toBe(false)
})
