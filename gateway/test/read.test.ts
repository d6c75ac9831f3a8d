import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readMessages } from '../src/read/command.ts'
import { Reader } from '../src/read/index.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'read-'))
})

afterEach(() => rmSync(folder, { recursive: true }))

const configured = (sensors: string) => {
  const file = join(folder, 'gateway.yaml')
  writeFileSync(file, `devices: { url: "mqtt://127.0.0.1:1" }\nsensors:\n${sensors}\nchannels: []\n`)
  return file
}

async function printed(lines: unknown[], { config, json = true }: { config?: string; json?: boolean } = {}) {
  const said: string[] = []
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')
  const input = Readable.from([text])
  await readMessages({ config, json, message: undefined, input, say: (line) => said.push(line) })
  return json ? said.map((line) => JSON.parse(line)) : said
}

describe('gateway read', () => {
  const atc = { id: 'A4:C1:38:D5:D4:98', rssi: -71, tempc: 21.4, hum: 47, batt: 81 }

  test('a message is explained for a person', async () => {
    const said: string[] = []
    const message = { topic: 'home/OMG_B1/BTtoMQTT/A4C138D5D498', payload: JSON.stringify(atc) }
    const say = (line: string) => said.push(line)
    await readMessages({ config: undefined, json: false, message, input: Readable.from([]), say })
    expect(said).toEqual(['home/OMG_B1/BTtoMQTT/A4C138D5D498  a4:c1:38:d5:d4:98  21.4 °C, 47 %, battery 81 %, -71 dBm'])
  })

  test('one bad line never stops the stream', async () => {
    const good = { topic: 'home/a/BTtoMQTT/A4C138D5D498', payload: JSON.stringify(atc) }
    const all = await printed(['{', '[]', { payload: '1' }, { topic: 'zigbee2mqtt/x', payload: '\u0000' }, good])
    expect(all).toHaveLength(5)
    expect(all.slice(0, 4).every((line) => typeof line.ignored === 'string')).toBe(true)
    expect(all[4].readings).toHaveLength(1)
  })

  test('a state that a bridge repeats, an old time and a retained value are explained like any other', () => {
    const reader = new Reader(null)
    reader.read('zigbee2mqtt/bridge/state', Buffer.from('{"state":"online"}'))
    const old = { temperature: 20.1, last_seen: '2021-01-01T00:00:00.000Z' }
    expect(reader.read('zigbee2mqtt/0x00158d0001a2b3c4', Buffer.from(JSON.stringify(old)))).toMatchObject({
      readings: [{ temperature: 20.1, time: '2021-01-01T00:00:00.000Z' }],
    })
  })

  test('a zigbee2mqtt name is known by itself until the list of devices names its address', () => {
    const reader = new Reader(null)
    const say = (topic: string, said: unknown) => reader.read(topic, Buffer.from(JSON.stringify(said)))
    expect(say('zigbee2mqtt/bath', { temperature: 20 })).toMatchObject({ readings: [{ name: 'bath' }] })
    say('zigbee2mqtt/bridge/devices', [{ friendly_name: 'bath', ieee_address: '0x00158d0001a2b3c4' }])
    expect(say('zigbee2mqtt/bath', { temperature: 20 })).toEqual({
      readings: [{ sensor: '00:15:8d:00:01:a2:b3:c4', temperature: 20 }],
    })
    expect(say('zigbee2mqtt/nobody', { temperature: 20 })).toEqual({ ignored: 'not in the list of devices' })
  })

  test('a time beyond what a calendar knows is no time', () => {
    const payload = Buffer.from('{"time":9007199254740992,"model":"Acurite-606TX","id":41,"temperature_F":68}')
    const read = new Reader(null).read('rtl_433/cellar/events', payload)
    expect(read).toMatchObject({ readings: [{ temperature: 20 }] })
    expect(read).not.toHaveProperty('readings.0.time')
  })

  test('bare BTHome data is read on any topic', () => {
    expect(new Reader(null).read('ble/raw/AABBCCDDEEFF', Buffer.from('4002ca0903bf13'))).toMatchObject({
      readings: [{ sensor: 'aa:bb:cc:dd:ee:ff', temperature: 25.06 }],
    })
  })
})

describe('a generic MQTT sensor', () => {
  const HT = `  mqtt:
    - { sensor: bath, topic: shellyhtg3-1/events/rpc, temperature: 'params["temperature:0"].tC', humidity: 'params["humidity:0"].rh', time: params.ts, unit: C }`
  const params = { ts: 1763200000.5, 'temperature:0': { tC: 19.8 }, 'humidity:0': { rh: 42.2 } }
  const message = (payload: unknown, topic = 'shellyhtg3-1/events/rpc') => ({ topic, payload })

  test('has a name here and a stable id of hexadecimal pairs towards the service', async () => {
    const [first] = await printed([message({ params })], { config: configured(HT) })
    expect(first).toEqual({
      readings: [
        {
          sensor: 'bath',
          id: '0e:e8:ab:63:15:48',
          temperature: 19.8,
          humidity: 42.2,
          time: '2025-11-15T09:46:40.500Z',
        },
      ],
    })
  })

  test('in Fahrenheit becomes Celsius', async () => {
    const config = configured('  mqtt: [{ sensor: hall, topic: a/b, temperature: t, unit: F }]')
    expect(await printed([message({ t: 68 }, 'a/b')], { config })).toMatchObject([{ readings: [{ temperature: 20 }] }])
  })

  test('without a path is the bare message, and numbers in quotes count', async () => {
    const config = configured('  mqtt: [{ sensor: hall, topic: a/b }, { sensor: attic, topic: a/c, temperature: x }]')
    const said = [
      message('21.4', 'a/b'),
      message({ x: '19.5' }, 'a/c'),
      message('nan', 'a/b'),
      message({ x: null }, 'a/c'),
    ]
    expect(await printed(said, { config })).toMatchObject([
      { readings: [{ sensor: 'hall', temperature: 21.4 }] },
      { readings: [{ sensor: 'attic', temperature: 19.5 }] },
      { ignored: '"nan" is not a temperature' },
      { ignored: 'no temperature in it' },
    ])
  })

  test('takes humidity and battery from topics of their own', async () => {
    const config = configured(`  mqtt:
    - { sensor: hall, topic: hall/temp }
    - { sensor: hall, topic: hall/hum, humidity: . }
    - { sensor: hall, topic: hall/batt, battery: . }`)
    const said = [message('55', 'hall/hum'), message('120', 'hall/batt'), message('21.4', 'hall/temp')]
    expect((await printed(said, { config })).at(-1)).toMatchObject({
      readings: [{ sensor: 'hall', temperature: 21.4, humidity: 55, battery: 100 }],
    })
  })

  test('may be a floor probe or a window contact', async () => {
    const config = configured(`  mqtt:
    - { sensor: mat, topic: mat, floor: floor }
    - { sensor: window, topic: win, contact: { path: state, open: 'OPEN', closed: 'CLOSED' } }`)
    const said = [message({ floor: 27.5 }, 'mat'), message({ state: 'OPEN' }, 'win'), message({ state: '?' }, 'win')]
    expect(await printed(said, { config })).toMatchObject([
      { readings: [{ floor: 27.5 }] },
      { readings: [{ sensor: 'window', contact: 'open' }] },
      { ignored: '"?" is no contact' },
    ])
  })

  test.each([-127, 85, 185, 6550.6])('%s °C is no temperature of a room', async (t) => {
    const config = configured('  mqtt: [{ sensor: hall, topic: a/b }]')
    expect(await printed([message(String(t), 'a/b')], { config })).toMatchObject([{ ignored: expect.any(String) }])
  })

  test('a message read by a mapping is not read by a profile as well', async () => {
    const config = configured(HT)
    const [first] = await printed([message({ src: 'shellyhtg3-84fce63ad204', params })], { config })
    expect(first.readings.map(({ sensor }: { sensor: string }) => sensor)).toEqual(['bath'])
  })
})

test('a profile is used by its name, with the topics of this installation', async () => {
  const config = configured('  mqtt: [{ profile: rtl_433, base: radio }, { profile: statestream, base: ha }]')
  const said = [
    { topic: 'radio/pi/events', payload: { model: 'Nexus-TH', id: 1, temperature_C: 20 } },
    { topic: 'ha/sensor/bath/device_class', payload: '"temperature"' },
    { topic: 'ha/sensor/bath/unit_of_measurement', payload: '"°F"' },
    { topic: 'ha/sensor/bath/state', payload: '68' },
    { topic: 'rtl_433/pi/events', payload: { model: 'Nexus-TH', id: 1, temperature_C: 20 } },
  ]
  const read = await printed(said, { config })
  expect(read[0]).toMatchObject({ readings: [{ temperature: 20 }] })
  expect(read[3]).toMatchObject({ readings: [{ temperature: 20 }] })
  expect(read[4]).toEqual({ ignored: 'no profile and no mapping of the configuration knows this topic' })
})
