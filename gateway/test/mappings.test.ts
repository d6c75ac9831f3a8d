import { house, Simulation } from '@hypocaust/testing/agent-simulation.ts'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import type { DeviceMessage } from '../src/adapters/adapter.ts'
import { Adapters } from '../src/adapters/index.ts'
import { quantityIn } from '../src/adapters/quantity.ts'
import { sensorIdOf } from '../src/base/sensor-id.ts'
import { parseGatewayFile, settingsOf } from '../src/config/load.ts'

const FILE = `
service: { url: "mqtt://127.0.0.1", gateway_id: 019bb0f4-6e00-7c3a-9d5e-2f1a6b7c8d9e, token: hypg_secret }
devices: { url: "mqtt://127.0.0.1" }
channels: []
`
const NOW = Date.parse('2026-01-10T08:15:03.000Z')

const fileWith = (mapping: string) => `${FILE}sensors:\n  mqtt:\n${mapping}\n`

function reading(mappings: string) {
  const { sources } = settingsOf(parseGatewayFile(fileWith(mappings), 'gateway.yaml'), '.')
  const adapters = new Adapters(sources, { counters: new Map(), beforeTheList: 'wait', replyTo: 'hypocaust-cellar' })
  return (topic: string, said: object | string) => {
    const payload = Buffer.from(typeof said === 'string' ? said : JSON.stringify(said))
    const message: DeviceMessage = { topic, payload, retained: false, nowMs: NOW }
    return adapters.read(message).readings.map(({ id, temperature, humidity }) => ({ id, temperature, humidity }))
  }
}

describe('a mapping of gateway.yaml', () => {
  test('reads a field only where another has the value it names', () => {
    const read = reading(`
    - { sensor: bath, topic: domoticz/out, when: { idx: 35 }, temperature: svalue1 }
    - { sensor: hall, topic: domoticz/out, when: { idx: [36, 37], dtype: Temp }, temperature: svalue1 }`)
    const bath = { id: sensorIdOf('bath'), temperature: 21.4, humidity: null }
    expect(read('domoticz/out', { idx: 35, dtype: 'Temp', svalue1: '21.4' })).toEqual([bath])
    expect(read('domoticz/out', { idx: 37, dtype: 'Temp', svalue1: '19.0' })).toEqual([
      { id: sensorIdOf('hall'), temperature: 19, humidity: null },
    ])
    expect(read('domoticz/out', { idx: 37, dtype: 'Light', svalue1: '19.0' })).toEqual([])
    expect(read('domoticz/out', { idx: 350, dtype: 'Temp', svalue1: '21.4' })).toEqual([])
    expect(read('domoticz/out', { svalue1: '21.4' })).toEqual([])
  })

  test('scales a raw value and adds an offset', () => {
    const read = reading(`
    - { sensor: raw, topic: raw, temperature: t, scale: 0.1, offset: -0.5 }
    - { sensor: kelvin, topic: kelvin, offset: -273.15 }`)
    expect(read('raw', { t: 219 })).toMatchObject([{ temperature: 21.4 }])
    expect(read('kelvin', '294.55')).toMatchObject([{ temperature: 21.4 }])
  })

  test.each([
    ['21,4', 21.4],
    ['21.4 °C', 21.4],
    ['70,52°F', 21.4],
    ['21.4 C', 21.4],
    ['-3,5 Grad', -3.5],
    ['+21.4 degrees', 21.4],
  ])('reads %s', (text, temperature) => {
    const read = reading(`
    - { sensor: bare, topic: bare }
    - { sensor: field, topic: field, temperature: t, humidity: h }`)
    expect(read('bare', text)).toMatchObject([{ temperature }])
    expect(read('field', { t: text, h: '47,5 %' })).toMatchObject([{ temperature, humidity: 47.5 }])
  })

  test.each(['21.4 °C, 47 %', '1,234.5', '12:30', '2026-01-10', '47 %', 'on', '21..4', ''])(
    'does not take %j for a temperature',
    (text) => {
      expect(reading('    - { sensor: bare, topic: bare }')('bare', text)).toEqual([])
    },
  )

  test('reads a form as a weather station sends it', () => {
    const read = reading('    - { sensor: hall, topic: ecowitt, temperature: tempinf, humidity: humidityin, unit: F }')
    expect(read('ecowitt', 'PASSKEY=AB12&stationtype=GW1100A&tempinf=70.52&humidityin=47')).toMatchObject([
      { temperature: 21.4, humidity: 47 },
    ])
  })

  test.each([
    ['{ sensor: bath, topic: a, when: { "a..b": 1 } }', /gateway.yaml:\d+: sensors.mqtt.0.when: "a..b" is not a path/],
    ['{ sensor: bath, topic: a, scale: 0 }', /gateway.yaml:\d+: sensors.mqtt.0.scale: .*0/],
    ['{ sensor: bath, topic: a, scale: two }', /gateway.yaml:\d+: sensors.mqtt.0.scale/],
  ])('refuses %s and says where', (mapping, message) => {
    expect(() => parseGatewayFile(fileWith(`    - ${mapping}`), 'gateway.yaml')).toThrow(message)
  })
})

describe('a number in a text', () => {
  const unit = fc.constantFrom('', '°C', ' °C', ' C', 'F', ' °F', ' Grad', ' %')
  const sign = fc.constantFrom('', '+', '-')

  test('is the number, with a point or a comma, whatever unit follows', () => {
    fc.assert(
      fc.property(sign, fc.nat(999), fc.nat(99), fc.constantFrom('.', ','), unit, (sign, whole, part, mark, unit) => {
        const digits = String(part).padStart(2, '0')
        const found = quantityIn(`${sign}${whole}${mark}${digits}${unit}`)
        expect(found?.value).toBe(Number(`${sign}${whole}.${digits}`))
        expect(found?.unit).toBe(unit.trim())
      }),
    )
  })

  test('is never guessed from a text with two numbers', () => {
    fc.assert(
      fc.property(fc.nat(), fc.stringMatching(/^[^\d.,]+$/), fc.nat(), (a, between, b) => {
        expect(quantityIn(`${a}${between}${b}`)).toBeUndefined()
      }),
    )
  })
})

describe('an actuator with a position', () => {
  let cellar: Simulation | undefined
  afterEach(() => {
    cellar?.end()
    cellar = undefined
  })

  const started = (set: string, state = '') => {
    cellar = new Simulation(house(0, {}, `  - { channel: 1, driver: mqtt, set: { topic: motor/set, ${set} }${state} }`))
    cellar.connect()
    cellar.command(1, { 1: 0.35 })
    cellar.pass(2)
    return cellar
  }
  const sent = (house: Simulation) => house.devices.sent.findLast(({ topic }) => topic === 'motor/set')?.payload

  test.each([
    ['percent: true', '35'],
    ['percent: true, scale: 1', '0.35'],
    ['percent: true, scale: 255', '89'],
    ['percent: true, scale: 10', '3.5'],
    ['percent: true, scale: 10, path: volt', '{"volt":3.5}'],
    [`percent: true, payload: '{"cmd":"level","to":{value},"unit":"%"}'`, '{"cmd":"level","to":35,"unit":"%"}'],
    ['percent: true, scale: 255, payload: "LEVEL {value}"', 'LEVEL 89'],
  ])('with %s gets its value as the device takes it', (set, payload) => {
    expect(sent(started(set))).toBe(payload)
  })

  test('reports in the same scale', () => {
    const house = started('percent: true, scale: 255', ', state: { topic: motor }')
    house.hear('motor', '89')
    house.pass(15 * 60)
    const open = house.windows().reduce((sum, { open_s }) => sum + open_s, 0)
    expect(open / 900).toBeCloseTo(0.35, 1)
  })

  test.each([
    ['percent: true, payload: open', /channels.0.set.payload: needs \{value\}/],
    ['percent: true, path: a, payload: "{value}"', /channels.0.set.payload: stands beside path/],
    ['percent: true, scale: 0', /channels.0.set.scale/],
  ])('refuses %s and says where', (set, message) => {
    const yaml = house(0, {}, `  - { channel: 1, driver: mqtt, set: { topic: motor/set, ${set} } }`)
    expect(() => parseGatewayFile(yaml, 'gateway.yaml')).toThrow(message)
  })
})

test('the loops are closed while any of several sources makes hot water', () => {
  const cellar = new Simulation(
    house(1, {}, 'hot_water: [{ topic: boiler/dhw, on: 1 }, { topic: pump, path: mode, on: dhw }]'),
  )
  cellar.connect()
  cellar.configure({ 1: 1 })
  cellar.command(1, { 1: 1 })
  const isOpenAfter = (topic: string, said: object | string) => {
    cellar.hear(topic, said)
    cellar.pass(10 * 60)
    return cellar.relayIsOn(1)
  }
  expect(isOpenAfter('boiler/dhw', '0')).toBe(true)
  expect(isOpenAfter('pump', { mode: 'dhw' })).toBe(false)
  expect(isOpenAfter('boiler/dhw', '1')).toBe(false)
  expect(isOpenAfter('pump', { mode: 'heat' })).toBe(false)
  expect(isOpenAfter('boiler/dhw', '0')).toBe(true)
  cellar.end()
})

test('a mistake in one of several hot water inputs is named', () => {
  expect(() => parseGatewayFile(`${FILE}hot_water: [{ topic: a, pat: mode }]`, 'gateway.yaml')).toThrow(
    'hot_water.0.pat: there is no such field',
  )
})
