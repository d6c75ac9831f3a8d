import { house, Simulation } from '@hypocaust/testing/agent-simulation.ts'
import { simulatedAgent } from '@hypocaust/testing/simulated-agent.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseGatewayFile } from '../src/config/load.ts'

const MINUTE = 60
const HOUR = 3600
const PUMP = 9
const BOILER = 10
const CHANGEOVER = 8
const SENSOR = '02:00:00:00:00:05'
const COOLING = `
pump: { driver: tasmota, topic: manifold, output: ${PUMP} }
boiler: { driver: tasmota, topic: manifold, output: ${BOILER} }
flow_temperature: { topic: flow, max_c: 45 }
supply_temperature: { driver: mqtt, topic: mixer/set, min_c: 22, max_c: 40, fallback_c: 32 }
cooling:
  changeover: { driver: tasmota, topic: manifold, output: ${CHANGEOVER} }
  reported: { topic: heatpump, path: mode, on: cooling }
  dew_contact: { topic: dew }
  min_supply_c: 16`

const yamlWith = (rest = COOLING) =>
  house(2, {}, rest).replace(
    'temperature: hall/sensor/temperature/state }',
    'temperature: hall/sensor/temperature/state, humidity: hall/sensor/humidity/state }',
  )

function cellarWith(rest = COOLING, more: object = {}): Simulation {
  const cellar = simulatedAgent(yamlWith(rest))
  cellar.connect()
  cellar.configure({ 1: 0.4, 2: 0.4 }, { sensors: { 1: [SENSOR], 2: [SENSOR] }, cools: true, ...more })
  return cellar
}

/** 25 °C with 55 % has its dew point at 15.3 °C. */
function measure(cellar: Simulation, { airC = 25, pct = 55 as number | null, flowC = 19 as number | null } = {}) {
  if (pct !== null) cellar.hear('hall/sensor/humidity/state', String(pct))
  cellar.measure(airC)
  if (flowC !== null) cellar.hear('flow', String(flowC))
}

const measuring = (cellar: Simulation, values: Parameters<typeof measure>[1] = {}) => {
  return (atS: number) => {
    if (atS % MINUTE === 0) measure(cellar, values)
  }
}

const cool = (cellar: Simulation, seq: number, power: Record<number, number>) => {
  cellar.command(seq, power, { cools: true })
  cellar.order('source', {
    epoch: 1,
    seq,
    issued: '2026-07-10T08:00:00.000Z',
    valid_s: 2700,
    supply_c: 18,
    cools: true,
  })
}

const isOpen = (cellar: Simulation) => [cellar.relayIsOn(1), cellar.relayIsOn(2)]
const asked = (cellar: Simulation) =>
  Number(cellar.devices.sent.findLast(({ topic }) => topic === 'mixer/set')?.payload)
const held = (cellar: Simulation) =>
  cellar
    .taken<{ channels: { held?: string }[] }>('relays')
    .at(-1)
    ?.channels.map((each) => each.held)

test('cold water flows as commanded, with pump and changeover on and without a request for heat', () => {
  const cellar = cellarWith()
  cool(cellar, 1, { 1: 1, 2: 0 })
  cellar.pass(10 * MINUTE, measuring(cellar))
  expect(isOpen(cellar)).toEqual([true, false])
  expect([PUMP, CHANGEOVER, BOILER].map((relay) => cellar.relayIsOn(relay))).toEqual([true, true, false])
  expect(asked(cellar)).toBe(18)
  expect(cellar.taken<object>('source').at(-1)).toMatchObject({ cooling: { supply_c: 19, dew_contact: false } })
})

test('a request that also asks for coolness is on while cooled loops are open', () => {
  const cellar = cellarWith(COOLING.replace('cooling:\n', 'cooling:\n  request: boiler\n'))
  cool(cellar, 1, { 1: 1, 2: 1 })
  cellar.pass(10 * MINUTE, measuring(cellar))
  expect([PUMP, BOILER].map((relay) => cellar.relayIsOn(relay))).toEqual([true, true])
})

describe('without the service', () => {
  const unheard = (): Simulation => {
    const cellar = cellarWith()
    cool(cellar, 1, { 1: 1, 2: 1 })
    cellar.pass(10 * MINUTE, measuring(cellar))
    expect(isOpen(cellar)).toEqual([true, true])
    cellar.service.connected = false
    cellar.agent.serviceDown()
    return cellar
  }

  test.each<[string, (cellar: Simulation) => void]>([
    ['a dew contact', (cellar) => cellar.hear('dew', 'ON')],
    ['water within a kelvin of the dew point', (cellar) => cellar.hear('flow', '16.2')],
    ['a damp reading', (cellar) => measure(cellar, { pct: 68, flowC: null })],
  ])('%s closes every loop at once', (_, happens) => {
    const cellar = unheard()
    happens(cellar)
    cellar.pass(1)
    expect(isOpen(cellar)).toEqual([false, false])
    cellar.pass(2 * MINUTE)
    expect(cellar.relayIsOn(BOILER)).toBe(false)
  })

  test('a loop that was shut opens again only half a kelvin further away', () => {
    const cellar = unheard()
    cellar.pass(10 * MINUTE, measuring(cellar, { flowC: 16.2 }))
    expect(isOpen(cellar)).toEqual([false, false])
    cellar.pass(5 * MINUTE, measuring(cellar, { flowC: 16.6 }))
    expect(isOpen(cellar)).toEqual([false, false])
    cellar.pass(5 * MINUTE, measuring(cellar, { flowC: 17 }))
    expect(isOpen(cellar)).toEqual([true, true])
  })

  test('humidity that has been silent for half an hour closes, water that has been silent for a quarter too', () => {
    const cellar = unheard()
    cellar.pass(16 * MINUTE, measuring(cellar, { flowC: null }))
    expect(isOpen(cellar)).toEqual([false, false])
    cellar.pass(8 * MINUTE, measuring(cellar))
    expect(isOpen(cellar)).toEqual([true, true])
    cellar.pass(29 * MINUTE, (atS) => atS % MINUTE === 0 && cellar.hear('flow', '19'))
    expect(isOpen(cellar)).toEqual([false, false])
  })

  test('the command ends, and no power that was learned for warm water takes its place', () => {
    const cellar = unheard()
    cellar.pass(50 * MINUTE, measuring(cellar))
    expect(isOpen(cellar)).toEqual([false, false])
    cellar.pass(6 * HOUR, measuring(cellar), 10)
    expect(isOpen(cellar)).toEqual([false, false])
  })

  test('a restart changes nothing of that: the season and a wet contact are on disk', () => {
    const cellar = unheard()
    cellar.hear('dew', 'ON')
    cellar.pass(1)
    cellar.restart()
    cellar.connect({ service: false })
    cellar.pass(40 * MINUTE, measuring(cellar))
    expect(isOpen(cellar)).toEqual([false, false])
    cellar.hear('dew', 'OFF')
    cellar.pass(3 * MINUTE, measuring(cellar))
    expect(cellar.relayIsOn(CHANGEOVER)).toBe(true)
  })
})

test('a week after the last word of the service the season is over, also where the agent restarts every day', () => {
  const cellar = cellarWith()
  cool(cellar, 1, { 1: 0.5, 2: 0.5 })
  cellar.pass(MINUTE, measuring(cellar))
  for (let day = 1; day <= 8; day++) {
    cellar.restart()
    cellar.connect({ service: false })
    cellar.pass(24 * HOUR - 10 * MINUTE, undefined, HOUR / 2)
    cellar.pass(10 * MINUTE, undefined, 10)
    if (day < 7) expect(cellar.relayIsOn(CHANGEOVER)).toBe(true)
  }
  expect(cellar.relayIsOn(CHANGEOVER)).toBe(false)
})

test('a source that reports only changes still cools after a restart', () => {
  const cellar = cellarWith(COOLING, { cools: false })
  cellar.command(1, { 1: 1, 2: 1 })
  cellar.hear('heatpump', { mode: 'cooling' })
  cellar.pass(5 * MINUTE, measuring(cellar, { pct: null }))
  expect(isOpen(cellar)).toEqual([false, false])
  cellar.restart()
  cellar.connect()
  cellar.configure({ 1: 0.4, 2: 0.4 }, { sensors: { 1: [SENSOR], 2: [SENSOR] } })
  cellar.command(2, { 1: 1, 2: 1 })
  cellar.pass(10 * MINUTE, measuring(cellar, { pct: null }))
  expect(isOpen(cellar)).toEqual([false, false])
  cellar.hear('heatpump', { mode: 'heating' })
  cellar.pass(10 * MINUTE, measuring(cellar, { pct: null }))
  expect(isOpen(cellar)).toEqual([true, true])
})

test('water is never asked for below the highest dew point, nor with the limits of warm water', () => {
  const cellar = cellarWith()
  cool(cellar, 1, { 1: 1, 2: 1 })
  cellar.pass(5 * MINUTE, measuring(cellar, { pct: 55 }))
  expect(asked(cellar)).toBe(18)
  cellar.pass(5 * MINUTE, measuring(cellar, { pct: 75 }))
  // 25 °C with 75 % has its dew point at 20.3 °C.
  expect(asked(cellar)).toBe(21.5)
  cellar.order('source', {
    epoch: 1,
    seq: 2,
    issued: '2026-07-10T08:10:00.000Z',
    valid_s: 2700,
    supply_c: 5,
    cools: true,
  })
  cellar.pass(5 * MINUTE, measuring(cellar, { pct: 30 }))
  expect(asked(cellar)).toBe(16)
})

test('frost comes first: the changeover goes back, and the loop opens for warm water', () => {
  const cellar = cellarWith()
  cool(cellar, 1, { 1: 0, 2: 0 })
  cellar.pass(5 * MINUTE, measuring(cellar, { airC: 4.5, pct: null, flowC: null }))
  expect(isOpen(cellar)).toEqual([true, true])
  expect([PUMP, BOILER, CHANGEOVER].map((relay) => cellar.relayIsOn(relay))).toEqual([true, true, false])
  expect(asked(cellar)).toBe(32)
})

test('in frost, rooms that were to be cooled are not heated by the power of their coolness', () => {
  const cold = '02:00:00:00:00:06'
  const yaml = yamlWith().replace(
    'esphome: [',
    `esphome: [{ sensor: "${cold}", temperature: cold/sensor/temperature/state }, `,
  )
  const cellar = simulatedAgent(yaml)
  cellar.connect()
  cellar.configure({ 1: 0.4, 2: 0.4 }, { sensors: { 1: [SENSOR], 2: [cold] }, cools: true })
  cool(cellar, 1, { 1: 1, 2: 0 })
  cellar.pass(5 * MINUTE, measuring(cellar))
  expect(isOpen(cellar)).toEqual([true, false])
  cellar.hear('cold/sensor/temperature/state', '4')
  cellar.pass(10 * MINUTE, measuring(cellar))
  expect(isOpen(cellar)).toEqual([false, true])
})

test('no loop opens for warmth while the source reports that it cools', () => {
  const cellar = cellarWith(COOLING, { cools: false })
  cellar.hear('heatpump', { mode: 'cooling' })
  cellar.command(1, { 1: 1, 2: 1 })
  cellar.pass(10 * MINUTE, measuring(cellar))
  expect(isOpen(cellar)).toEqual([false, false])
  expect(cellar.taken<object>('source').at(-1)).toMatchObject({ cooling: { reported: true } })
  cellar.hear('heatpump', { mode: 'heating' })
  cellar.pass(10 * MINUTE, measuring(cellar))
  expect(isOpen(cellar)).toEqual([true, true])
})

test.each(['unavailable', 'unknown', 'None', '', 'offline'])(
  'a dew contact and a source that report %j report nothing: what they said before holds',
  (nothing) => {
    const cellar = cellarWith()
    cellar.hear('dew', 'ON')
    cellar.hear('heatpump', { mode: 'cooling' })
    cellar.hear('dew', nothing)
    cellar.hear('heatpump', { mode: nothing })
    cellar.pass(MINUTE)
    expect(cellar.taken<object>('source').at(-1)).toMatchObject({ cooling: { reported: true, dew_contact: true } })
    cellar.hear('dew', 'OFF')
    cellar.hear('heatpump', { mode: 'heating' })
    cellar.pass(MINUTE)
    expect(cellar.taken<object>('source').at(-1)).toMatchObject({ cooling: { reported: false, dew_contact: false } })
  },
)

test('a room that is left out stays shut, also for the sake of the source and for an exercise', () => {
  const cellar = cellarWith(COOLING.replace('output: 10 }', 'output: 10, min_open_loops: 2 }'), { exercise_days: 0.01 })
  cool(cellar, 1, { 1: 1, 2: 0 })
  cellar.pass(40 * MINUTE, measuring(cellar, { flowC: 14 }), 5)
  expect(isOpen(cellar)).toEqual([false, false])
  expect(held(cellar)).toEqual(['dew_point', 'dew_point'])
})

test('a gateway of which nothing about cooling is configured heats as before', () => {
  const cellar = cellarWith('', { cools: undefined })
  cellar.command(1, { 1: 1, 2: 0 })
  cellar.pass(MINUTE)
  expect(isOpen(cellar)).toEqual([true, false])
  expect(cellar.taken<object>('source')).toEqual([])
})

test('the file says what cooling needs', () => {
  const refused = (rest: string) => () => parseGatewayFile(yamlWith(rest), 'gateway.yaml')
  expect(refused('cooling: {}')).toThrow('cooling: needs flow_temperature, the water that flows')
  const flow = 'flow_temperature: { topic: flow, max_c: 45 }\n'
  expect(refused(`${flow}cooling: { request: boiler }`)).toThrow('there is no boiler and no demand')
  expect(refused(`${flow}demand: { driver: tasmota, topic: manifold, output: 9 }\ncooling: {}`)).toThrow(
    'must be boiler: demand is one relay for pump and request',
  )
})

test('whatever is heard and commanded, no loop is open while the source cools and its dew point is not known', () => {
  const said = fc.oneof(
    fc.constantFrom('', 'NaN', 'nan', 'null', 'unavailable', '-1', '0', '101', '1e999', '{}'),
    fc.double().map(String),
  )
  const happens = fc.record({
    pct: said,
    flow: fc.oneof(said, fc.constant('19')),
    power: fc.double({ min: 0, max: 1, noNaN: true }),
    cools: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(happens, { maxLength: 6 }), (events) => {
      const cellar = new Simulation(yamlWith())
      cellar.connect()
      cellar.configure({ 1: 1, 2: 1 }, { sensors: { 1: [SENSOR], 2: [SENSOR] }, cools: true, exercise_days: 0.001 })
      for (const [i, { pct, flow, power, cools }] of events.entries()) {
        const isKnown = Number(pct) > 0 && Number(pct) <= 100
        cellar.hear('hall/sensor/humidity/state', isKnown ? 'unknown' : pct)
        cellar.measure(25)
        cellar.hear('flow', flow)
        cellar.command(i + 1, { 1: power, 2: 1 }, { cools })
        for (let k = 0; k < 12; k++) {
          cellar.pass(30, undefined, 10)
          expect([cellar.relayIsOn(1), cellar.relayIsOn(2)]).toEqual([false, false])
        }
      }
      cellar.end()
    }),
    { numRuns: 20 },
  )
})
