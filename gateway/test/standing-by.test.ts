import type { RelayReport } from '@hypocaust/domain'
import { house, ID, Simulation } from '@hypocaust/testing/agent-simulation.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const MINUTE = 60
const OWNER = '019bb0f4-6e00-7c3a-9d5e-2f1a6b7c8d9f'
/** One output of each kind that an agent can drive. */
const EVERY_OUTPUT = house(
  2,
  {},
  `  - { channel: 3, driver: mqtt, set: { topic: motor/set, percent: true } }
pump: { driver: tasmota, topic: manifold, output: 9 }
boiler: { driver: tasmota, topic: manifold, output: 10 }
supply_temperature: { driver: otgw, topic: OTGW/set/otgw-1, max_c: 40, fallback_c: 35 }`,
)

let cellar: Simulation
beforeEach(() => {
  cellar = new Simulation(EVERY_OUTPUT)
})
afterEach(() => cellar.end())

const otherAgent = () =>
  cellar.hear(`hypocaust-${ID}/agent`, { instance: 'another', host: 'old-box', drives_s: 86_400, refused: false })

/** Time in which another agent of this gateway drives the outputs. */
const standBy = (minutes: number) =>
  cellar.pass(minutes * MINUTE, (atS) => {
    if (atS % 10 === 0) otherAgent()
  })

const isQuestion = ({ topic, payload }: { topic: string; payload: string }) =>
  /^cmnd\/manifold\/POWER\d+$/.test(topic) && payload === ''

describe('while another agent of the same gateway drives the outputs', () => {
  beforeEach(() => {
    cellar.devices.connected = true
    cellar.agent.devicesUp()
    otherAgent()
    cellar.connect()
  })

  test('nothing is published to a device but questions, whatever comes', () => {
    cellar.configure(
      { 1: 1, 2: 1, 3: 1 },
      { source_owner: OWNER, exercise_days: 0.02, sensors: { 1: ['02:00:00:00:00:05'] } },
    )
    cellar.command(1, { 1: 1, 2: 0, 3: 0.4 })
    cellar.order('source', { epoch: 1, seq: 1, issued: '2026-01-10T08:00:00.000Z', valid_s: 2700, supply_c: 31 })
    cellar.hear(`hypocaust-${ID}/hold`, { channel: 1, seconds: 30 })
    cellar.measure(3)
    standBy(60)
    cellar.devices.connected = false
    standBy(1)
    cellar.devices.connected = true
    cellar.agent.devicesUp()
    standBy(5)
    cellar.agent.stop()
    expect(cellar.devices.sent.filter((message) => !isQuestion(message))).toEqual([])
    expect(cellar.logged.join()).toContain('this one stands by')
  })

  test('nothing is reported of outputs that it does not drive', () => {
    cellar.configure({ 1: 1, 2: 1, 3: 1 }, { source_owner: OWNER })
    cellar.command(1, { 1: 1, 2: 1, 3: 1 })
    standBy(20)
    expect(cellar.taken<RelayReport>('relays').at(-1)).toMatchObject({ drives: false, other_agent: 'old-box' })
    expect(cellar.taken('source')).toEqual([])
    expect(cellar.windows()).toEqual([])
  })

  test('a command is not acknowledged before this agent carries it out', () => {
    cellar.configure({ 1: 0, 2: 0, 3: 0 })
    cellar.command(1, { 1: 1, 2: 1, 3: 1 })
    cellar.command(2, { 1: 1, 2: 1, 3: 1 })
    standBy(5)
    expect(cellar.taken('ack')).toEqual([])
    cellar.pass(2 * MINUTE)
    expect(cellar.taken('ack')).toEqual([{ epoch: 1, seq: 2, result: 'accepted' }])
    cellar.command(3, { 1: 0, 2: 0, 3: 0 })
    expect(cellar.taken('ack')).toEqual([{ epoch: 1, seq: 3, result: 'accepted' }])
  })

  test('it drives all of them a minute after the other has gone', () => {
    cellar.configure({ 1: 1, 2: 1, 3: 1 })
    standBy(20)
    cellar.command(1, { 1: 1, 2: 1, 3: 1 })
    cellar.pass(11 * MINUTE)
    expect([1, 2, 9, 10].map((relay) => cellar.relayIsOn(relay))).toEqual([true, true, true, true])
    const topics = new Set(cellar.devices.sent.map(({ topic }) => topic))
    expect([...topics]).toEqual(expect.arrayContaining(['motor/set', 'OTGW/set/otgw-1/ctrlsetpt']))
  })
})

describe('an agent that was away from the device broker for a minute', () => {
  beforeEach(() => {
    cellar.connect()
    cellar.configure({ 1: 1, 2: 1, 3: 1 })
    cellar.command(1, { 1: 1, 2: 1, 3: 1 })
    cellar.pass(15 * MINUTE)
    cellar.devices.connected = false
    cellar.pass(MINUTE)
    cellar.devices.sent.length = 0
    cellar.devices.connected = true
    cellar.agent.devicesUp()
  })

  test('leaves the outputs to another one that has taken over', () => {
    cellar.hear(`hypocaust-${ID}/agent`, { instance: 'another', host: 'new-box', drives_s: 0, refused: false })
    cellar.pass(5)
    expect(cellar.devices.sent.filter((message) => !isQuestion(message))).toEqual([])
    expect(cellar.logged.join()).toContain('this one stands by')
  })

  test('goes on where it was if there is no other', () => {
    cellar.pass(5 * MINUTE)
    const off = cellar.devices.sent.filter(({ topic, payload }) => /POWER/.test(topic) && payload === 'OFF')
    expect(off).toEqual([])
    expect([1, 2, 9, 10].map((relay) => cellar.relayIsOn(relay))).toEqual([true, true, true, true])
    expect(cellar.isOn(10)).toBe(true)
  })
})
