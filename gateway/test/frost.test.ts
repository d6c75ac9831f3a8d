import { house, ID, type Simulation } from '@hypocaust/testing/agent-simulation.ts'
import { simulatedAgent } from '@hypocaust/testing/simulated-agent.ts'
import { describe, expect, test } from 'vitest'

const MINUTE = 60
const HOUR = 3600
const PUMP = 9
const BOILER = 10
const SENSOR = '02:00:00:00:00:05'
const SOURCE = `
pump: { driver: tasmota, topic: manifold, output: ${PUMP} }
boiler: { driver: tasmota, topic: manifold, output: ${BOILER} }`

function started(more: object = {}, yaml = house(2, {}, SOURCE)): Simulation {
  const cellar = simulatedAgent(yaml)
  cellar.connect()
  cellar.configure({ 1: 0, 2: 0 }, { sensors: { 1: [SENSOR] }, ...more })
  return cellar
}

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

describe('a probe in the floor does not stop frost protection', () => {
  const probe = '02:00:00:00:00:06'
  const TOPIC = 'floor/sensor/temperature/state'
  const probed = (heat: string) =>
    house(2, { 1: `heat: ${heat}, floor_probe: { sensor: "${probe}", max_c: 27 }` }, SOURCE).replace(
      'esphome: [',
      `esphome: [{ sensor: "${probe}", temperature: ${TOPIC} }, `,
    )
  /** The share of two hours in which its relay is on in a room of 4 °C. */
  const shareOn = (cellar: Simulation, floorC: string | null) => {
    let onS = 0
    cellar.pass(2 * HOUR, (atS) => {
      if (floorC !== null && atS % MINUTE === 0) cellar.hear(TOPIC, floorC)
      measuring(cellar, 4)(atS)
      if (cellar.relayIsOn(1)) onS += 1
    })
    return onS / (2 * HOUR)
  }

  test.each(['electric', 'hydronic'])('%s: a floor below its limit is heated fully', (heat) => {
    expect(shareOn(started({}, probed(heat)), '10')).toBeGreaterThan(0.95)
  })

  test.each(['electric', 'hydronic'])('%s: one that reads as hot is heated for a part of the time', (heat) => {
    const cellar = started({}, probed(heat))
    const share = shareOn(cellar, '60')
    expect(share).toBeGreaterThan(0.2)
    expect(share).toBeLessThan(0.45)
    cellar.pass(20 * MINUTE, (atS) => {
      if (atS % MINUTE === 0) cellar.hear(TOPIC, '60')
      measuring(cellar, 7)(atS)
    })
    expect(cellar.relayIsOn(1)).toBe(false)
  })

  test('a mat whose probe is silent is heated for a part of the time', () => {
    const share = shareOn(started({}, probed('electric')), null)
    expect(share).toBeGreaterThan(0.2)
    expect(share).toBeLessThan(0.45)
  })

  test('a mat whose relay has not been seen to switch off by itself stays off', () => {
    const cellar = simulatedAgent(probed('electric'), { isProven: false })
    cellar.connect()
    cellar.configure({ 1: 0, 2: 0 }, { sensors: { 1: [SENSOR] } })
    expect(shareOn(cellar, '10')).toBe(0)
  })
})

test('one of several sensors of a room is enough', () => {
  const cellar = started({ sensors: { 1: ['02:00:00:00:00:07', SENSOR] } })
  cellar.command(1, { 1: 0, 2: 0 })
  cellar.pass(10 * MINUTE, measuring(cellar, 4))
  expect(all(cellar)).toEqual([true, false, true, true])
})

test('a cold room is still known after a restart, though its sensor has fallen silent', () => {
  const cellar = started()
  cellar.pass(10 * MINUTE, measuring(cellar, 4))
  expect(all(cellar)).toEqual([true, false, true, true])
  cellar.reboot()
  cellar.connect({ service: false })
  cellar.pass(20 * MINUTE)
  expect(all(cellar)).toEqual([true, false, true, true])
  cellar.pass(100 * MINUTE, undefined, 5)
  expect(cellar.relayIsOn(1)).toBe(false)
})

test('an agent that takes over protects a room that it heard of while it stood by', () => {
  const yaml = house(2, {}, SOURCE)
  const cellar = simulatedAgent(yaml)
  const otherAgent = (atS: number) => {
    if (atS % 10 === 0)
      cellar.hear(`hypocaust-${ID}/agent`, { instance: 'another', host: 'old-box', drives_s: 86_400, refused: false })
  }
  cellar.devices.connected = true
  cellar.agent.devicesUp()
  otherAgent(0)
  cellar.connect()
  cellar.configure({ 1: 0, 2: 0 }, { sensors: { 1: [SENSOR] } })
  cellar.measure(4)
  cellar.pass(5 * MINUTE, otherAgent)
  expect(all(cellar)).toEqual([false, false, false, false])
  cellar.service.connected = false
  cellar.pass(15 * MINUTE)
  expect(all(cellar)).toEqual([true, false, true, true])
})

describe('an actuator with a position', () => {
  const motor = (channel: number) =>
    `  - { channel: ${channel}, driver: mqtt, set: { topic: motor${channel}/set, percent: true } }\n`
  const positionOf = (cellar: Simulation, channel: number) =>
    Number(cellar.devices.sent.findLast(({ topic }) => topic === `motor${channel}/set`)?.payload)

  test('is opened fully, and pump and boiler follow', () => {
    const cellar = started({}, house(0, {}, `${motor(1)}${motor(2)}${SOURCE}`))
    cellar.pass(MINUTE)
    expect([positionOf(cellar, 1), positionOf(cellar, 2)]).toEqual([0, 0])
    cellar.pass(10 * MINUTE, measuring(cellar, 4))
    expect([positionOf(cellar, 1), positionOf(cellar, 2)]).toEqual([100, 0])
    expect([PUMP, BOILER].map((relay) => cellar.relayIsOn(relay))).toEqual([true, true])
  })

  test('does not wait for others where the boiler asks for several open loops', () => {
    const several = SOURCE.replace(`output: ${BOILER}`, `output: ${BOILER}, min_open_loops: 2`)
    const cellar = started({}, house(0, {}, `${motor(1)}${motor(2)}${several}`))
    cellar.pass(20 * MINUTE, measuring(cellar, 4))
    expect(positionOf(cellar, 1)).toBe(100)
    expect([PUMP, BOILER].map((relay) => cellar.relayIsOn(relay))).toEqual([true, true])
  })
})

test('the boiler follows one cold loop though it asks for two, where the other relay is dead', () => {
  const several = SOURCE.replace(`output: ${BOILER}`, `output: ${BOILER}, min_open_loops: 2`)
  const cellar = started({}, house(2, {}, several))
  cellar.deaf.add(2)
  cellar.pass(30 * MINUTE, measuring(cellar, 4))
  expect(all(cellar)).toEqual([true, false, true, true])
})

test('after a restart a cold loop opens at once, and the others stay as they were until a command comes', () => {
  const cellar = started({}, house(2))
  cellar.configure({ 1: 0, 2: 1 }, { sensors: { 1: [SENSOR] } })
  cellar.pass(MINUTE)
  expect([cellar.relayIsOn(1), cellar.relayIsOn(2)]).toEqual([false, true])
  cellar.restart()
  cellar.connect({ service: false })
  cellar.pass(20, measuring(cellar, 3))
  expect([cellar.relayIsOn(1), cellar.relayIsOn(2)]).toEqual([true, true])
})

test('a reading that came before the first configuration opens its loop with it, not with the next reading', () => {
  const cellar = simulatedAgent(house(2))
  cellar.connect()
  cellar.measure(3.5)
  cellar.pass(5)
  cellar.configure({ 1: 0, 2: 0 }, { sensors: { 1: [SENSOR] } })
  cellar.pass(2)
  expect([cellar.relayIsOn(1), cellar.relayIsOn(2)]).toEqual([true, false])
})

test('the cold of a sensor that belongs to no room of the building opens nothing', () => {
  const cellar = simulatedAgent(house(2))
  cellar.connect()
  cellar.configure({ 1: 0, 2: 0 }, { sensors: { 1: ['02:00:00:00:00:07'] } })
  cellar.pass(10 * MINUTE, measuring(cellar, 3.5))
  expect([cellar.relayIsOn(1), cellar.relayIsOn(2)]).toEqual([false, false])
})

test('on a box with an empty disk a cold loop opens and its pump runs while the boiler still rests', () => {
  const cellar = simulatedAgent(house(2, {}, SOURCE), { hasRested: false })
  cellar.connect()
  cellar.configure({ 1: 0, 2: 0 }, { sensors: { 1: [SENSOR] } })
  cellar.pass(5 * MINUTE, measuring(cellar, 3.5))
  expect(all(cellar)).toEqual([true, false, true, false])
  cellar.pass(10 * MINUTE, measuring(cellar, 3.5))
  expect(all(cellar)).toEqual([true, false, true, true])
})
