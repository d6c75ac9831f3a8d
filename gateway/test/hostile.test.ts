import { GatewayReading, matches } from '@hypocaust/domain'
import { house, ID, Simulation } from '@hypocaust/testing/agent-simulation.ts'
import { runs } from '@hypocaust/testing/runs.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Adapters } from '../src/adapters/index.ts'
import { sourcesOf, sourcesOfAllProfiles } from '../src/config/sensors.ts'
import { Finder } from '../src/discover/finder.ts'
import { DEVICE_DRIVERS } from '../src/valves/driver.ts'

const DEVICE_TOPICS = [
  'home/OMG_B1/BTtoMQTT/A4C138D5D498',
  'home/OMG_B1/SYStoMQTT',
  'shelly/events/ble',
  'shelly/events/rpc',
  'shelly/status/switch:0',
  'shelly/online',
  'hypocaust-cellar/rpc',
  'zigbee2mqtt/bridge/devices',
  'zigbee2mqtt/bridge/state',
  'zigbee2mqtt/bath',
  'zigbee2mqtt/bath/availability',
  'tele/manifold/SENSOR',
  'tele/manifold/STATE',
  'tele/manifold/LWT',
  'stat/manifold/RESULT',
  'stat/manifold/POWER1',
  'hall/sensor/temperature/state',
  'hall/switch/valve/state',
  'hall/climate/stove/current_temperature',
  'rtl_433/cellar/events',
  'zwave/bath/49/0/Air_temperature',
  'device/status/0001/1/ACTUAL_TEMPERATURE',
  'shellies/shellyht-1/info',
  'stat/manifold/STATUS10',
  'hall/status',
  `hypocaust-${ID}/hold`,
]

/** The field names the adapters look for, with anything in them: hostile, and near enough to be taken seriously. */
const words = [
  ...['id', 'tempc', 'hum', 'batt', 'rssi', 'srcBle', 'mac', 'payload', 'temperature', 'humidity', 'battery'],
  ...['last_seen', 'friendly_name', 'ieee_address', 'definition', 'exposes', 'features', 'property', 'type', 'state'],
  ...['Temperature', 'Humidity', 'Id', 'TempUnit', 'POWER1', 'output', 'apower', 'params', 'switch:0', 'error'],
  ...['__proto__', 'constructor', 'channel', 'seconds'],
]
const leaf = fc.oneof(
  fc.string(),
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constantFrom(null, 'ON', 'F', 'switch', 'state_l1', 'a4:c1:38:d5:d4:98', 'a4c138d5d498', '4002ca0903bf13', 21.4),
)
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...words), tie('value'), { maxKeys: 8 }),
  ),
})).value

const payload = fc.oneof(
  fc.uint8Array({ maxLength: 64 }),
  fc.string().map((text) => Buffer.from(text)),
  json.map((value) => Buffer.from(JSON.stringify(value) ?? '')),
)
/** Messages of the recorded forms, of which one field was replaced by anything. */
const RECORDED: [string, Record<string, unknown>][] = [
  ['home/OMG_B1/BTtoMQTT/A4C138D5D498', { id: 'A4:C1:38:D5:D4:98', rssi: -71, tempc: 21.4, hum: 47, batt: 81 }],
  ['shelly/events/ble', { srcBle: { mac: 'aa:bb:cc:dd:ee:ff', rssi: -63 }, payload: '44004e01642e3f45df00' }],
  ['zigbee2mqtt/0x00158d0001a2b3c4', { battery: 87, temperature: 22.41, humidity: 48.2, last_seen: 1e12 }],
  ['tele/manifold/SENSOR', { Time: '2026', DS18B20: { Id: '0316B5A2AAFF', Temperature: 27.5 }, TempUnit: 'C' }],
]
const spoiled = fc.tuple(fc.constantFrom(...RECORDED), fc.nat(), json).map(([[where, said], pick, value]) => {
  const keys = Object.keys(said)
  return { topic: where, payload: Buffer.from(JSON.stringify({ ...said, [keys[pick % keys.length] ?? '']: value })) }
})

const topic = fc.oneof(fc.constantFrom(...DEVICE_TOPICS), fc.string(), fc.constant('zigbee2mqtt/'), fc.constant('/'))
const message = fc
  .tuple(fc.oneof(spoiled, fc.record({ topic, payload })), fc.boolean(), fc.constantFrom(-1e12, 0, 1e12, 1.8e12, 4e12))
  .map(([said, retained, nowMs]) => ({ ...said, retained, nowMs }))

const adapters = () =>
  new Adapters(
    {
      ...sourcesOfAllProfiles(),
      ...sourcesOf({
        bthome: { keys: [{ sensor: 'a4:c1:38:d5:d4:98', key: '231d39c1d7cc1ab1aee224cd096db932' }] },
        tasmota: [{ sensor: '02:00:00:00:00:01', device: 'manifold', name: 'temperature' }],
        esphome: [{ sensor: '02:00:00:00:00:05', temperature: 'hall/sensor/temperature/state' }],
      }),
    },
    { counters: new Map(), beforeTheList: 'wait', replyTo: null },
  )

describe('whatever a device says', () => {
  test('no adapter throws, and what it makes of it is a reading by the schema', () => {
    const table = adapters()
    let readings = 0
    fc.assert(
      fc.property(message, (each) => {
        const { readings: understood, floors } = table.read(each)
        for (const { measuredMs, ...rest } of [...understood, ...floors]) {
          readings += 1
          expect(Number.isFinite(measuredMs)).toBe(true)
          expect(matches(GatewayReading, { ...rest, timestamp: 'x' })).toBe(true)
        }
      }),
      { numRuns: runs(5_000) },
    )
    expect(readings).toBeGreaterThan(100)
  })

  test('discovery goes on', () => {
    const finder = new Finder()
    fc.assert(
      fc.property(message, (each) => finder.hear(each)),
      { numRuns: runs(5_000) },
    )
  })
})

describe('whatever anybody says to the agent', () => {
  let house4: Simulation

  beforeAll(() => {
    const relays = DEVICE_DRIVERS.map((driver, i) => {
      const where = { shelly: 'shelly', zigbee2mqtt: 'zigbee2mqtt/bath', tasmota: 'manifold', esphome: 'hall' }[driver]
      const output = { shelly: '0', zigbee2mqtt: 'l1', tasmota: '1', esphome: 'valve' }[driver]
      return `  - { channel: ${i + 1}, driver: ${driver}, topic: ${where}, output: ${output} }`
    })
    house4 = new Simulation(house(0).replace(/channels:\s*/, `channels:\n${relays.join('\n')}\n`))
    house4.connect()
    house4.configure({ 1: 0.5, 2: 0.5, 3: 0.5, 4: 0.5 })
  })

  afterAll(() => house4.end())

  test('on the devices’ broker: it goes on', () => {
    fc.assert(
      fc.property(message, ({ topic, payload, retained }) => {
        house4.agent.deviceMessage(topic, payload, retained)
        house4.pass(1)
      }),
      { numRuns: runs(2_000) },
    )
  })

  test('on the service’s broker: it goes on, and obeys only what is of the form agreed', () => {
    const nearly = fc.record({
      epoch: fc.oneof(fc.nat(), leaf),
      seq: fc.oneof(fc.nat(), leaf),
      issued: fc.oneof(fc.constant('2026-01-10T08:00:00.000Z'), leaf),
      valid_s: fc.oneof(fc.nat(), leaf),
      valves: fc.oneof(
        fc.array(fc.record({ channel: fc.oneof(fc.nat(5), leaf), power: leaf, window_s: fc.oneof(fc.nat(900), leaf) })),
        leaf,
      ),
    })
    const any = fc.oneof(
      payload,
      nearly.map((value) => Buffer.from(JSON.stringify(value))),
    )
    const name = fc.constantFrom('power', 'commit', 'config', 'strange')
    fc.assert(
      fc.property(name, any, (which, each) => {
        house4.agent.serviceMessage(`hypocaust/v1/${ID}/down/${which}`, each)
        house4.pass(1)
      }),
      { numRuns: runs(2_000) },
    )
    house4.order('power', '{"epoch":')
    expect(house4.logged.some((line) => line.includes('not JSON'))).toBe(true)
  })
})
