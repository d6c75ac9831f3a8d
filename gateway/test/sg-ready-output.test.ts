import { house, Simulation } from '@hypocaust/testing/agent-simulation.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { parseGatewayFile } from '../src/index.ts'

const MINUTE = 60
const [ONE, TWO] = [7, 8]
const contact = (relay: number) => `{ driver: tasmota, topic: manifold, output: ${relay} }`
const HEAT_PUMP = `sg_ready_output: { contact_1: ${contact(ONE)}, contact_2: ${contact(TWO)} }\n`
const NORMAL = [false, false]
const RECOMMENDED = [false, true]
const LOCKED = [true, false]

describe('the relays of SG-Ready on the heat pump', () => {
  let cellar: Simulation
  afterEach(() => cellar.end())

  const contacts = () => [ONE, TWO].map((relay) => cellar.relayIsOn(relay))
  const say = (seq: number, more: object) =>
    cellar.order('source', { epoch: 1, seq, issued: new Date(cellar.wallMs).toISOString(), valid_s: 2700, ...more })
  const start = (yaml = house(1, {}, HEAT_PUMP)) => {
    cellar = new Simulation(yaml)
    cellar.connect()
    cellar.configure({ 1: 0 })
    cellar.command(1, { 1: 0 })
    cellar.pass(20 * MINUTE)
  }

  test('follow the service, and are reported', () => {
    start()
    expect(contacts()).toEqual(NORMAL)
    expect(cellar.taken<object>('source').at(-1)).toMatchObject({ sg_ready_out: true })
    say(2, { sg_ready: 'recommended' })
    cellar.pass(2)
    expect(contacts()).toEqual(RECOMMENDED)
    cellar.pass(10 * MINUTE)
    say(3, { sg_ready: 'normal' })
    cellar.pass(2)
    expect(contacts()).toEqual(NORMAL)
  })

  test('stay for ten minutes in a state, also over a restart; only a lock does not wait', () => {
    start()
    say(2, { sg_ready: 'recommended' })
    cellar.pass(4 * MINUTE)
    cellar.restart()
    cellar.connect()
    cellar.pass(10)
    expect(contacts()).toEqual(RECOMMENDED)
    cellar.pass(4 * MINUTE)
    expect(contacts()).toEqual(RECOMMENDED)
    cellar.pass(3 * MINUTE)
    expect(contacts()).toEqual(NORMAL)
    say(3, { sg_ready: 'locked' })
    cellar.pass(2)
    expect(contacts()).toEqual(LOCKED)
  })

  test('are normal once the service has not been heard for as long as its command is valid', () => {
    start()
    say(2, { sg_ready: 'recommended' })
    cellar.pass(40 * MINUTE, undefined, 5)
    expect(contacts()).toEqual(RECOMMENDED)
    cellar.pass(6 * MINUTE, undefined, 5)
    expect(contacts()).toEqual(NORMAL)
  })

  test('an older command changes nothing, one without a state means normal', () => {
    start()
    say(5, { sg_ready: 'recommended' })
    say(4, { sg_ready: 'locked' })
    cellar.pass(11 * MINUTE)
    expect(contacts()).toEqual(RECOMMENDED)
    say(6, { supply_c: 30 })
    cellar.pass(2)
    expect(contacts()).toEqual(NORMAL)
  })

  test('do not lock the heat pump while a pipe may freeze', () => {
    start()
    cellar.configure({ 1: 0 }, { sensors: { 1: ['02:00:00:00:00:05'] } })
    say(2, { sg_ready: 'locked' })
    cellar.pass(15 * MINUTE)
    expect(contacts()).toEqual(LOCKED)
    cellar.measure(4)
    cellar.pass(2)
    expect([contacts(), cellar.relayIsOn(1)]).toEqual([NORMAL, true])
    cellar.measure(7)
    cellar.pass(2)
    expect(contacts()).toEqual(LOCKED)
  })

  test('do nothing, and report nothing, where the file does not name them', () => {
    start(house(1))
    say(2, { sg_ready: 'recommended', supply_c: 30 })
    cellar.pass(MINUTE)
    expect(cellar.devices.sent.filter(({ topic }) => /POWER[78]$/.test(topic))).toEqual([])
    expect(cellar.taken('source')).toEqual([])
  })
})

test.each([
  [
    `sg_ready_output: { contact_1: ${contact(1)}, contact_2: ${contact(8)} }`,
    /contact_1.topic: is the relay of another/,
  ],
  [
    `sg_ready_output: { contact_1: ${contact(7)}, contact_2: ${contact(7)} }`,
    /contact_2.topic: is the relay of another/,
  ],
  [`sg_ready_output: { contact_1: ${contact(0)}, contact_2: ${contact(8)} }`, /contact_1.output: a Tasmota output/],
])('%s is refused', (line, message) => {
  expect(() => parseGatewayFile(house(1, {}, line), 'gateway.yaml')).toThrow(message)
})
