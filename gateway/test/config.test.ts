import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sensorIdOf } from '../src/base/sensor-id.ts'
import { copyOf } from '../src/config/copy.ts'
import { writeCredentials } from '../src/config/credentials.ts'
import { GatewayError, loadGatewayConfig, parseGatewayFile } from '../src/index.ts'

const FILE = `service:
  url: mqtts://heating.example:8883
  gateway_id: 019bb0f4-6e00-7c3a-9d5e-2f1a6b7c8d9e
  token: hypg_secret
devices:
  url: mqtt://127.0.0.1
channels:
  - channel: 1
    name: bath
    driver: shelly
    topic: shellypro4pm-a8032ab1c2d4
    output: 0
  - channel: 2
    driver: esphome
    topic: cellar
    output: valve_2
`

const complaint = (text: string) => {
  try {
    parseGatewayFile(text, 'gateway.yaml')
  } catch (error) {
    expect(error).toBeInstanceOf(GatewayError)
    return (error as Error).message
  }
  return 'none'
}

describe('a wrong file names the line and the field', () => {
  test('the right one has none', () => {
    expect(complaint(FILE)).toBe('none')
  })

  test.each([
    ['output: 0', 'output: two', 'gateway.yaml:12: channels.0.output: a Shelly output is a number from 0'],
    ['channel: 2', 'channel: 1', 'gateway.yaml:13: channels.1.channel: 1 is there twice'],
    ['channel: 2', 'channel: 0', 'gateway.yaml:13: channels.1.channel: must be >= 1'],
    [
      '    output: valve_2\n',
      '',
      'gateway.yaml:13: channels.1.output: an ESPHome output is the object id of the switch',
    ],
    ['driver: esphome', 'driver: relay', 'channels.1.driver: must be equal to one of the allowed values: shelly,'],
    ['name: bath', 'nmae: bath', 'gateway.yaml:9: channels.0.nmae: there is no such field'],
    ['name: bath', 'heat: electric', 'gateway.yaml:8: channels.0: an electric mat needs a floor_probe'],
    ['  url: mqtt://127.0.0.1', '  url: http://127.0.0.1', 'gateway.yaml:6: devices.url: must match pattern'],
    ['  token: hypg_secret\n', '', 'gateway.yaml:2: service: needs either token or token_file'],
    ['topic: cellar', 'topic: cellar/#', 'gateway.yaml:15: channels.1.topic: must match pattern'],
    ['channels:', 'channels: [', 'gateway.yaml:8: '],
    ['topic: cellar', 'topic: *cellar', 'gateway.yaml:15: the alias *cellar stands for nothing'],
    ['topic: cellar', `topic: [${'*a, '.repeat(200)}]`, 'gateway.yaml:1: the file has more than 100 aliases'],
    ['devices:\n  url: mqtt://127.0.0.1\n', '', 'gateway.yaml:1: must have required properties devices'],
  ])('%j → %j', (from, to, message) => {
    expect(FILE).toContain(from)
    expect(complaint(FILE.replace(from, to))).toContain(message)
  })

  test('two channels cannot share a relay', () => {
    const twin = '  - { channel: 3, driver: shelly, topic: shellypro4pm-a8032ab1c2d4, output: 0 }\n'
    expect(complaint(FILE + twin)).toBe('gateway.yaml:17: channels.2.output: is the relay of channel 1 already')
  })

  test.each(['', '[]', '42', 'just words'])('a file of %j is no configuration', (text) => {
    expect(complaint(text)).toMatch(/^gateway\.yaml:1: must be object/)
  })
})

test('the file in the documentation is right', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/hardware.md'), 'utf8')
  const blocks = [...page.matchAll(/^```yaml\n(.*?)^```/gms)].map((match) => match[1] ?? '')
  const file = blocks.find((block) => block.includes('devices:'))
  expect(complaint(file ?? '')).toBe('none')
})

describe('the copy of the file for the service', () => {
  const full = `service: { url: "mqtt://a", gateway_id: 019bb0f4-6e00-7c3a-9d5e-2f1a6b7c8d9e, token: hypg_secret }
# devices: { password: broker-secret }
devices: { url: "mqtt://user:broker-secret@b", username: house, password: broker-secret }
sensors:
  bthome:
    keys: [{ sensor: "54:48:e6:8f:80:a5", key: 231d39c1d7cc1ab1aee224cd096db932 }]
channels:
  - { channel: 1, driver: tasmota, topic: manifold, output: 1 } # bath
`

  test('has everything but secrets, and loads', () => {
    const copy = copyOf(full)
    for (const secret of ['hypg_', 'broker-secret', '231d39']) expect(copy).not.toContain(secret)
    expect(copy).toContain('# bath')
    expect(parseGatewayFile(copy, 'gateway.yaml')).toMatchObject({
      devices: { url: 'mqtt://b', username: 'house' },
      channels: [{ channel: 1, topic: 'manifold' }],
    })
  })
})

describe('the settings', () => {
  let folder: string
  const load = (text: string) => {
    writeFileSync(join(folder, 'gateway.yaml'), text)
    return loadGatewayConfig(join(folder, 'gateway.yaml'))
  }

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'config-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  test('have what the file leaves out', () => {
    expect(load(FILE)).toMatchObject({
      dataFolder: join(folder, 'data'),
      collectMs: 3000,
      everyMs: 30_000,
      autoOffS: 900,
      source: { kind: 'separate', pumps: [], boiler: null, limits: null },
      hotWater: [],
      tank: null,
      flowTemperature: null,
      meters: [],
      channels: [
        { channel: 1, name: 'channel 1 (bath)', output: '0', normally: 'closed', heat: 'hydronic', floorProbe: null },
        { channel: 2, name: 'channel 2', output: 'valve_2' },
      ],
    })
  })

  test('several pumps each have channels of their own', () => {
    const relay = 'driver: shelly, topic: pump'
    const pumps = (text: string) => load(`${FILE}\npumps: ${text}`)
    expect(pumps(`[{ ${relay}1, channels: [1] }, { ${relay}2, channels: [2] }]`).source).toMatchObject({
      pumps: [
        { id: 'pump 1', channels: new Set([1]) },
        { id: 'pump 2', channels: new Set([2]) },
      ],
    })
    expect(() => pumps(`[{ ${relay}, channels: [7] }]`)).toThrow('pumps.0.channels: there is no channel 7')
    expect(() => pumps(`[{ ${relay}1, channels: [1] }, { ${relay}2, channels: [1] }]`)).toThrow(
      'pumps.1.channels: channel 1 has another pump already',
    )
    expect(() => pumps(`[{ ${relay}, channels: [1] }, { ${relay}, channels: [2] }]`)).toThrow(
      'pumps.1.topic: is the relay of another pump or of the boiler',
    )
  })

  test('a token may stand in a file of its own, beside the configuration', () => {
    writeFileSync(join(folder, 'token'), 'hypg_from_file\n')
    expect(load(FILE.replace('token: hypg_secret', 'token_file: token')).service?.token).toBe('hypg_from_file')
    expect(() => load(FILE.replace('token: hypg_secret', 'token_file: gone'))).toThrow(/cannot read the token .*gone/)
  })

  test('without a service in the file, pairing tells who we are', () => {
    const file = FILE.slice(FILE.indexOf('devices:'))
    expect(load(file).service).toBeNull()
    writeCredentials(join(folder, 'data'), { url: 'mqtt://h:1883', gatewayId: 'g', token: 't', ca: null })
    expect(load(file).service).toEqual({ url: 'mqtt://h:1883', gatewayId: 'g', token: 't', ca: null })
    writeFileSync(join(folder, 'data', 'credentials.json'), '{"url":')
    expect(() => load(file)).toThrow(/credentials\.json.*pair again/)
  })

  const relays = (channels: string, rest = '') =>
    `devices: { url: "mqtt://127.0.0.1" }\nchannels:\n${channels}\n${rest}\n`
  const SHELLY = '  - { channel: 1, driver: shelly, topic: s }'

  test.each([
    [
      'one relay under two channels',
      relays(`${SHELLY}\n  - { channel: 2, driver: shelly, topic: s, output: 0 }`),
      'is the relay of channel 1 already',
    ],
    [
      'demand on a relay of a channel',
      relays(SHELLY, 'demand: { driver: shelly, topic: s, output: 0 }'),
      'is the relay of channel 1; it needs its own',
    ],
    [
      'a pump on a relay of a channel',
      relays(SHELLY, 'pump: { driver: shelly, topic: s }'),
      'is the relay of channel 1; it needs its own',
    ],
    [
      'a mat on a driver without auto-off',
      relays(
        '  - { channel: 1, driver: esphome, topic: c, output: v, heat: electric, floor_probe: { sensor: "02:00:00:00:00:05" } }',
      ),
      'this driver has no auto-off',
    ],
    [
      'demand beside a pump',
      relays(SHELLY, 'demand: { driver: shelly, topic: a }\npump: { driver: shelly, topic: b }'),
      'means pump and boiler',
    ],
    [
      'more open loops than there are',
      relays(SHELLY, 'boiler: { driver: shelly, topic: b, min_open_loops: 2 }'),
      'is more than the 1 water loops there are',
    ],
    [
      'min_flow without areas',
      relays(SHELLY, 'boiler: { driver: shelly, topic: b, min_flow: 20 }'),
      'needs area_m2 of every channel; channel 1 has none',
    ],
    [
      'a meter of a power',
      relays(SHELLY, 'meters: [{ kind: heat, topic: m, unit: kW }]'),
      'kW is a unit of power; a meter needs a counter of energy: Wh, kWh, MWh, MJ, GJ',
    ],
    [
      'a meter of an unknown unit',
      relays(SHELLY, 'meters: [{ kind: heat, topic: m, unit: kwh }]'),
      'meters.0.unit: must be one of: Wh, kWh, MWh, MJ, GJ',
    ],
  ])('refuse %s', (_, text, message) => {
    expect(() => parseGatewayFile(text, 'gateway.yaml')).toThrow(message)
  })

  test('a file that is not there is named', () => {
    expect(() => loadGatewayConfig(join(folder, 'none.yaml'))).toThrow(/none\.yaml: there is no such file/)
  })
})

describe('sensors', () => {
  const withSensors = (sensors: string) =>
    complaint(`devices: { url: "mqtt://a" }\nsensors:\n${sensors}\nchannels: []\n`)

  test.each([
    [
      '  mqtt: [{ profile: shelly-htt }]',
      'gateway.yaml:3: sensors.mqtt.0.profile: there is no profile shelly-htt; there are: ',
    ],
    [
      '  mqtt: [{ profile: rtl_433, bass: x }]',
      'sensors.mqtt.0.bass: this profile has no such setting; it has: base, openmqttgateway',
    ],
    [
      '  mqtt: [{ sensor: bath, topic: a, temperature: "a..b" }]',
      'sensors.mqtt.0.temperature: is not a path; write it like',
    ],
    [
      '  mqtt: [{ sensor: bath, topic: a }, { sensor: "%ID%", topic: b }]',
      'sensors: the names "bath" and "%ID%" get the same id',
    ],
    ['  tasmota_full_topic: "%topic%/"', 'sensors.tasmota_full_topic: must match pattern'],
  ])('%s', (sensors, message) => {
    const id = sensorIdOf('bath')
    expect(withSensors(sensors.replace('%ID%', id))).toContain(message.replace('%ID%', id))
  })

  test('one sensor may have several topics, and a floor probe may be named', () => {
    expect(withSensors('  mqtt: [{ sensor: bath, topic: a }, { sensor: bath, topic: b, humidity: . }]')).toBe('none')
    expect(complaint(FILE.replace('name: bath', 'floor_probe: { sensor: bath floor }'))).toBe('none')
  })
})
