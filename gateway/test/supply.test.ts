import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { house, type Simulation } from '@hypocaust/testing/agent-simulation.ts'
import { describeOnBroker } from '@hypocaust/testing/on-broker.ts'
import { simulatedAgent } from '@hypocaust/testing/simulated-agent.ts'
import { describe, expect, test } from 'vitest'
import { parseGatewayFile } from '../src/config/load.ts'
import { loadGatewayConfig, runGateway } from '../src/index.ts'

const MINUTE = 60
const HOUR = 3600

const OTGW = `
supply_temperature: { driver: otgw, topic: OTGW/set/otgw-1, min_c: 22, max_c: 40, fallback_c: 35 }`
const CURVE = `
supply_temperature:
  driver: mqtt
  topic: pump/flow/set
  max_c: 42
  fallback_c: 38
  fallback_curve:
    outdoor: { topic: weather, path: outdoor.temperature }
    cold: { outdoor_c: -15, supply_c: 42 }
    mild: { outdoor_c: 15, supply_c: 27 }`

function cellarWith(yaml: string): Simulation {
  const cellar = simulatedAgent(house(1, {}, yaml))
  cellar.connect()
  cellar.configure({ 1: 0.5 })
  return cellar
}

const askedOn = (cellar: Simulation, topic: string) =>
  cellar.devices.sent.filter((each) => each.topic === topic).map(({ payload }) => Number(payload))
const ask = (cellar: Simulation, seq: number, supply_c: number, more: object = {}) =>
  cellar.order('source', { epoch: 1, seq, issued: '2026-01-10T08:00:00.000Z', valid_s: 2700, supply_c, ...more })

describe('the supply temperature at the gateway', () => {
  test.each(['-127', '85', '""', 'null', 'true'])('by the curve knows no outdoor temperature of %s', (broken) => {
    const cellar = cellarWith(CURVE)
    cellar.pass(10)
    cellar.hear('weather', '{"outdoor": {"temperature": 0}}')
    cellar.pass(2 * MINUTE)
    expect(askedOn(cellar, 'pump/flow/set').at(-1)).toBe(34.5)
    cellar.hear('weather', `{"outdoor": {"temperature": ${broken}}}`)
    cellar.pass(4 * 60 * MINUTE, () => {}, 30)
    expect(askedOn(cellar, 'pump/flow/set').every((c) => c === 38 || c === 34.5)).toBe(true)
    expect(askedOn(cellar, 'pump/flow/set').at(-1)).toBe(38)
  })

  test('is that of the service for as long as it holds, then that of the fallback', () => {
    const cellar = cellarWith(OTGW)
    ask(cellar, 1, 28.5)
    cellar.pass(44 * MINUTE, () => {}, 10)
    expect(askedOn(cellar, 'OTGW/set/otgw-1/ctrlsetpt').at(-1)).toBe(28.5)
    cellar.pass(2 * MINUTE, () => {}, 10)
    expect(askedOn(cellar, 'OTGW/set/otgw-1/ctrlsetpt').at(-1)).toBe(35)
  })

  test('goes to each circuit within the limits of its own mixer', () => {
    const cellar = cellarWith(`
supply_temperature:
  - { driver: mqtt, topic: mixer/up/set, max_c: 35, fallback_c: 32 }
  - { driver: mqtt, topic: mixer/down/set, max_c: 45, fallback_c: 40 }`)
    const asked = () => ['mixer/up/set', 'mixer/down/set'].map((topic) => askedOn(cellar, topic).at(-1))
    ask(cellar, 1, 38)
    cellar.pass(MINUTE)
    expect(asked()).toEqual([35, 38])
    expect(cellar.taken<object>('source').at(-1)).toMatchObject({ supply_set_c: 38 })
    cellar.pass(46 * MINUTE, () => {}, 10)
    expect(asked()).toEqual([32, 40])
    const twice =
      '[{ driver: mqtt, topic: a, max_c: 40, fallback_c: 35 }, { driver: mqtt, topic: a, max_c: 40, fallback_c: 35 }]'
    expect(() => parseGatewayFile(house(1, {}, `supply_temperature: ${twice}`), 'gateway.yaml')).toThrow(
      'supply_temperature.1.topic: is the topic of another supply temperature',
    )
  })

  test('is that of its own rooms for a circuit which names its channels, and that of the source for the others', () => {
    const cellar = simulatedAgent(
      house(
        3,
        {},
        `
supply_temperature:
  - { driver: mqtt, topic: boiler/set, max_c: 55, fallback_c: 45 }
  - { driver: mqtt, topic: mixer/floor/set, max_c: 38, fallback_c: 32, channels: [1, 2] }
  - { driver: mqtt, topic: mixer/bath/set, max_c: 45, fallback_c: 40, channels: [3] }`,
      ),
    )
    cellar.connect()
    cellar.configure({ 1: 0.5, 2: 0.5, 3: 0.5 })
    const asked = () => ['boiler', 'mixer/floor', 'mixer/bath'].map((name) => askedOn(cellar, `${name}/set`).at(-1))
    ask(cellar, 1, 47, { circuits: [{ channels: [1, 2], supply_c: 31 }] })
    cellar.pass(MINUTE)
    expect(asked()).toEqual([47, 31, 45])
    expect(cellar.taken<object>('source').at(-1)).toMatchObject({
      supply_set_c: 47,
      circuits: [
        { channels: [1, 2], min_c: 20, max_c: 38, supply_set_c: 31 },
        { channels: [3], min_c: 20, max_c: 45, supply_set_c: 45 },
      ],
    })
    cellar.restart()
    cellar.connect()
    cellar.pass(5)
    expect(asked()).toEqual([47, 31, 45])
    cellar.pass(46 * MINUTE, () => {}, 10)
    expect(asked()).toEqual([45, 32, 40])
  })

  test.each([
    ['[3]', 'supply_temperature.channels: there is no channel 3'],
    ['[]', 'supply_temperature.channels: must not have fewer than 1 items'],
  ])('is refused for channels %s of a house with two', (channels, message) => {
    const file = house(
      2,
      {},
      `supply_temperature: { driver: mqtt, topic: a, max_c: 40, fallback_c: 35, channels: ${channels} }`,
    )
    expect(() => parseGatewayFile(file, 'gateway.yaml')).toThrow(message)
  })

  test('is refused for a channel that has two of them', () => {
    const mixer = (topic: string) => `{ driver: mqtt, topic: ${topic}, max_c: 40, fallback_c: 35, channels: [1] }`
    const file = house(1, {}, `supply_temperature: [${mixer('a')}, ${mixer('b')}]`)
    expect(() => parseGatewayFile(file, 'gateway.yaml')).toThrow(
      'supply_temperature.1.channels: channel 1 has another supply temperature already',
    )
  })

  test('is repeated twice a minute, because an OpenTherm gateway forgets it', () => {
    const cellar = cellarWith(OTGW)
    ask(cellar, 1, 30)
    cellar.devices.sent.length = 0
    cellar.pass(10 * MINUTE)
    expect(askedOn(cellar, 'OTGW/set/otgw-1/ctrlsetpt')).toHaveLength(20)
  })

  test('never leaves the limits of the file, whatever the service asks for', () => {
    const cellar = cellarWith(OTGW)
    ask(cellar, 1, 70)
    expect(askedOn(cellar, 'OTGW/set/otgw-1/ctrlsetpt').at(-1)).toBe(40)
    ask(cellar, 2, 5)
    expect(askedOn(cellar, 'OTGW/set/otgw-1/ctrlsetpt').at(-1)).toBe(22)
  })

  test('of an older command is not followed', () => {
    const cellar = cellarWith(OTGW)
    ask(cellar, 7, 31)
    ask(cellar, 6, 25)
    cellar.pass(MINUTE)
    expect(askedOn(cellar, 'OTGW/set/otgw-1/ctrlsetpt').at(-1)).toBe(31)
  })

  test('is taken up after a restart while it holds, and after a long night without power it is the fallback', () => {
    const cellar = cellarWith(OTGW)
    ask(cellar, 1, 28)
    cellar.restart()
    cellar.connect()
    cellar.pass(5)
    expect(askedOn(cellar, 'OTGW/set/otgw-1/ctrlsetpt')).toEqual([28])
    cellar.wallMs += 8 * HOUR * 1000
    cellar.reboot()
    cellar.connect()
    cellar.pass(5)
    expect(askedOn(cellar, 'OTGW/set/otgw-1/ctrlsetpt')).toEqual([35])
  })

  test('without the service follows the outdoor temperature on the coldest night, and the value when that is unknown', () => {
    const cellar = cellarWith(CURVE)
    cellar.pass(5)
    expect(askedOn(cellar, 'pump/flow/set').at(-1)).toBe(38)
    cellar.hear('weather', { outdoor: { temperature: 0 } })
    cellar.pass(5)
    expect(askedOn(cellar, 'pump/flow/set').at(-1)).toBe(34.5)
    cellar.hear('weather', { outdoor: { temperature: -28 } })
    cellar.pass(5)
    expect(askedOn(cellar, 'pump/flow/set').at(-1)).toBe(42)
    cellar.pass(4 * HOUR, () => {}, 60)
    expect(askedOn(cellar, 'pump/flow/set').at(-1)).toBe(38)
  })

  test('without the service is no warmer than the configuration allows, as while a new screed is heated up', () => {
    const cellar = cellarWith(OTGW)
    const after_s = 2700
    cellar.configure({ 1: 0.5 }, { fallback: { after_s, power: { 1: 0.5 }, supply_most_c: 25 } })
    const askedC = () => askedOn(cellar, 'OTGW/set/otgw-1/ctrlsetpt').at(-1)
    ask(cellar, 1, 38)
    cellar.pass(10 * MINUTE, () => {}, 10)
    expect(askedC()).toBe(38)
    cellar.pass(40 * MINUTE, () => {}, 10)
    expect(askedC()).toBe(25)
    cellar.restart()
    cellar.connect({ service: false })
    cellar.pass(MINUTE)
    expect(askedC()).toBe(25)
    cellar.agent.stop()
    expect(askedC()).toBe(25)
    cellar.restart()
    cellar.connect()
    cellar.configure({ 1: 0.5 })
    cellar.pass(MINUTE)
    expect(askedC()).toBe(35)
  })

  test('is reported to the service', () => {
    const cellar = cellarWith(OTGW)
    ask(cellar, 1, 29)
    cellar.pass(5)
    expect(cellar.taken<object>('source').at(-1)).toMatchObject({ supply_set_c: 29 })
  })

  test.each([
    ['max_c: 30, fallback_c: 35', 'fallback_c: must be between min_c (20) and max_c (30)'],
    ['max_c: 60, fallback_c: 35', 'max_c'],
    ['max_c: 40, fallback_c: 35, payload: "on"', 'payload: must contain {value}'],
    [
      'max_c: 40, fallback_c: 35, fallback_curve: { outdoor: {}, cold: { outdoor_c: -10, supply_c: 40 }, mild: { outdoor_c: 15, supply_c: 26 } }',
      'needs an outdoor sensor or topic',
    ],
  ])('with %s the file is refused', (fields, why) => {
    const yaml = house(1, {}, `\nsupply_temperature: { driver: mqtt, topic: a, ${fields} }`)
    expect(() => parseGatewayFile(yaml, 'gateway.yaml')).toThrow(why)
  })
})

const ID = '019bb0f4-6e00-7c3a-9d5e-2f1a6b7c8d9e'

describeOnBroker('on a real broker', (at) => {
  test.each([
    ['driver: mqtt, topic: pump/flow/set', 'pump/flow/set', '31.5'],
    [`driver: mqtt, topic: pump/set, payload: '{"flow":{value}}'`, 'pump/set', '{"flow":31.5}'],
    ['driver: otgw, topic: OTGW/set/otgw-98F4AB', 'OTGW/set/otgw-98F4AB/ctrlsetpt', '31.5'],
    ['driver: ems-esp, topic: ems-esp', 'ems-esp/boiler/selflowtemp', '32'],
    ['driver: ebusd, topic: ebusd/700/Hc1FlowTempDesired', 'ebusd/700/Hc1FlowTempDesired/set', '31.5'],
    [
      `driver: ebusd, topic: ebusd/bai/SetModeOverride, payload: '0;{value};-;-;-;0;0;0;-;0;0;0'`,
      'ebusd/bai/SetModeOverride/set',
      '0;31.5;-;-;-;0;0;0;-;0;0;0',
    ],
  ])('%s: the source is asked on %s for %s', async (fields, topic, payload) => {
    const folder = mkdtempSync(join(tmpdir(), 'supply-'))
    writeFileSync(
      join(folder, 'gateway.yaml'),
      `
service: { url: "${at.brokerUrl}", gateway_id: ${ID}, token: hypg_secret }
devices: { url: "${at.brokerUrl}" }
supply_temperature: { ${fields}, max_c: 40, fallback_c: 38 }
channels: []
`,
    )
    const stop = new AbortController()
    const settings = loadGatewayConfig(join(folder, 'gateway.yaml'))
    const agent = runGateway({ settings, log: () => {}, signal: stop.signal })
    at.party.heard.length = 0
    await at.party.on(`hypocaust/v1/${ID}/up/heartbeat`)
    const issued = new Date().toISOString()
    at.party.say(`hypocaust/v1/${ID}/down/source`, { epoch: 1, seq: 1, issued, valid_s: 2700, supply_c: 31.5 })
    await at.party.on(topic, (text) => text === payload)
    stop.abort()
    await agent
    await at.party.on(topic, (text) => text.includes('38'))
    rmSync(folder, { recursive: true })
  })
})
