import { describe, expect, test } from 'vitest'
import type { DeviceMessage } from '../src/adapters/adapter.ts'
import { Adapters } from '../src/adapters/index.ts'
import { derivedId } from '../src/base/sensor-id.ts'
import { sourcesOf } from '../src/config/sensors.ts'
import type { FileSensors } from '../src/config/sensors-schema.ts'

const NOW = Date.parse('2026-01-10T08:15:03.000Z')

const message = (topic: string, said: object | string, more: Partial<DeviceMessage> = {}): DeviceMessage => ({
  topic,
  payload: Buffer.from(typeof said === 'string' ? said : JSON.stringify(said)),
  retained: false,
  nowMs: NOW,
  ...more,
})

const withFile = (sensors: FileSensors = {}) =>
  new Adapters(sourcesOf(sensors), { counters: new Map(), beforeTheList: 'wait', replyTo: 'hypocaust-cellar' })

const read = (adapters: Adapters, topic: string, said: object | string, more: Partial<DeviceMessage> = {}) =>
  adapters.read(message(topic, said, more)).readings

describe('OpenMQTTGateway and Theengs', () => {
  const omg = withFile()
  const topic = 'home/OMG_B1/BTtoMQTT/A4C138D5D498'
  const atc = { id: 'A4:C1:38:D5:D4:98', name: 'ATC_D5D498', rssi: -71, tempc: 21.4, tempf: 70.52, hum: 47, batt: 81 }

  test('a thermometer is read, its address in lower case', () => {
    expect(read(omg, topic, atc)).toEqual([
      { id: 'a4:c1:38:d5:d4:98', temperature: 21.4, humidity: 47, batt: 81, rssi: -71, measuredMs: NOW },
    ])
  })

  test('read by connection, a sensor has no signal strength, and a battery beyond 100 is full', () => {
    const { rssi: _, ...connected } = atc
    expect(read(omg, topic, { ...connected, batt: 104 })).toMatchObject([{ rssi: null, batt: 100 }])
  })

  test('a RuuviTag tells a voltage and no battery', () => {
    const ruuvi = {
      id: 'CB:B8:33:4C:88:4F',
      rssi: -80,
      model_id: 'RuuviTag_RAWv2',
      tempc: 24.3,
      hum: 53.49,
      volt: 2.977,
    }
    expect(read(omg, 'home/OMG_B1/BTtoMQTT/CBB8334C884F', ruuvi)).toMatchObject([{ batt: null, humidity: 53.49 }])
  })

  test('an encrypted device tells nothing', () => {
    const { tempc: _, tempf: __, ...sealed } = atc
    expect(read(omg, topic, { ...sealed, cipher: 'a47266c95f73', ctr: '00112233', mic: '78237214' })).toEqual([])
  })

  test("the box's own temperature is no room's", () => {
    const adapters = withFile()
    const status = { uptime: 86400, tempc: 51.2, rssi: -58, mac: 'AA:BB:CC:00:11:22' }
    expect(read(adapters, 'home/OMG_B1/SYStoMQTT', status)).toEqual([])
  })

  test.each([6550.6, 251, 85.1, -40.1, Number.NaN, 'warm', null])('%s °C is no temperature', (tempc) => {
    expect(read(omg, topic, { ...atc, tempc })).toEqual([])
  })

  test('with an id out of form the address in the topic counts', () => {
    expect(read(omg, topic, { ...atc, id: 'the kitchen' })).toMatchObject([{ id: 'a4:c1:38:d5:d4:98' }])
  })

  test('without an id the topic tells whose reading it is', () => {
    const { id: _, ...nameless } = atc
    expect(read(omg, topic, nameless)).toMatchObject([{ id: 'a4:c1:38:d5:d4:98' }])
  })
})

describe('zigbee2mqtt', () => {
  const bath = { battery: 87, temperature: 22.41, humidity: 48.2, voltage: 2985, linkquality: 112 }
  const started = (names: Record<string, string>) => {
    const adapter = withFile()
    const devices = Object.entries(names).map(([friendly_name, ieee_address]) => ({ friendly_name, ieee_address }))
    read(adapter, 'zigbee2mqtt/bridge/devices', devices, { retained: true })
    return adapter
  }

  test('a name becomes the address behind it, and link quality is no dBm', () => {
    const adapter = started({ bath: '0x00158d0001a2b3c4' })
    expect(read(adapter, 'zigbee2mqtt/bath', bath)).toEqual([
      { id: '00:15:8d:00:01:a2:b3:c4', temperature: 22.41, humidity: 48.2, batt: 87, rssi: null, measuredMs: NOW },
    ])
  })

  test('a name may hold slashes', () => {
    const adapter = started({ 'ground floor/bath': '0x00158d0001a2b3c4' })
    expect(read(adapter, 'zigbee2mqtt/ground floor/bath', bath)).toHaveLength(1)
    expect(read(adapter, 'zigbee2mqtt/ground floor/bath/set', bath)).toEqual([])
    expect(read(adapter, 'zigbee2mqtt/ground floor/bath/availability', { state: 'online' })).toEqual([])
  })

  test('a device without a name of its own is known by its address, a group by nothing', () => {
    const adapter = started({})
    expect(read(adapter, 'zigbee2mqtt/0x00158d0001a2b3c4', bath)).toMatchObject([{ id: '00:15:8d:00:01:a2:b3:c4' }])
    expect(read(adapter, 'zigbee2mqtt/all rooms', bath)).toEqual([])
  })

  test('a renamed device is followed', () => {
    const adapter = started({ bath: '0x00158d0001a2b3c4' })
    read(adapter, 'zigbee2mqtt/bridge/devices', [{ friendly_name: 'shower', ieee_address: '0x00158d0001a2b3c4' }])
    expect(read(adapter, 'zigbee2mqtt/bath', bath)).toEqual([])
    expect(read(adapter, 'zigbee2mqtt/shower', bath)).toHaveLength(1)
  })

  test('the states repeated when the bridge starts are no measurements', () => {
    const adapter = started({ bath: '0x00158d0001a2b3c4' })
    read(adapter, 'zigbee2mqtt/bridge/state', { state: 'online' })
    expect(read(adapter, 'zigbee2mqtt/bath', bath, { nowMs: NOW + 5_000 })).toEqual([])
    expect(read(adapter, 'zigbee2mqtt/bath', bath, { nowMs: NOW + 120_000 })).toHaveLength(1)
  })

  test('a bridge that was there before us repeats nothing', () => {
    const adapter = started({ bath: '0x00158d0001a2b3c4' })
    read(adapter, 'zigbee2mqtt/bridge/state', { state: 'online' }, { retained: true })
    expect(read(adapter, 'zigbee2mqtt/bath', bath)).toHaveLength(1)
  })

  test.each(['2026-01-10T08:05:03.000Z', '2026-01-10T09:05:03+01:00', NOW - 600_000])(
    'last_seen %s says when it was measured, also in a repeated or retained state',
    (last_seen) => {
      const adapter = started({ bath: '0x00158d0001a2b3c4' })
      read(adapter, 'zigbee2mqtt/bridge/state', { state: 'online' })
      const readings = read(adapter, 'zigbee2mqtt/bath', { ...bath, last_seen }, { retained: true })
      expect(readings).toMatchObject([{ measuredMs: NOW - 600_000 }])
    },
  )

  test('yesterday’s state is dropped, and nothing was seen in the future', () => {
    const adapter = started({ bath: '0x00158d0001a2b3c4' })
    expect(read(adapter, 'zigbee2mqtt/bath', { ...bath, last_seen: NOW - 86_400_000 })).toEqual([])
    expect(read(adapter, 'zigbee2mqtt/bath', { ...bath, last_seen: NOW + 60_000 })).toMatchObject([{ measuredMs: NOW }])
  })

  test('a retained state without last_seen may be of any age, and is dropped', () => {
    expect(read(started({ bath: '0x00158d0001a2b3c4' }), 'zigbee2mqtt/bath', bath, { retained: true })).toEqual([])
  })
})

describe('Tasmota', () => {
  const mijia = { mac: 'a4c1388bb3af', Temperature: 18.8, Humidity: 53.7, DewPoint: 9.1, Battery: 83, RSSI: -85 }
  const sensor = (parts: object) => ({ Time: '2026-01-10T09:15:56', TempUnit: 'C', ...parts })
  const adapter = withFile({ tasmota: [{ sensor: '02:00:00:00:00:01', device: 'cellar', name: 'AM2301' }] })

  test('a Bluetooth sensor is read; Time has no zone, so its arrival counts', () => {
    expect(read(adapter, 'tele/tasmota_B83024/SENSOR', sensor({ LYWSD038bb3af: mijia }))).toEqual([
      { id: 'a4:c1:38:8b:b3:af', temperature: 18.8, humidity: 53.7, batt: 83, rssi: -85, measuredMs: NOW },
    ])
  })

  test('Fahrenheit becomes Celsius', () => {
    const said = sensor({ TempUnit: 'F', LYWSD038bb3af: { ...mijia, Temperature: 68 } })
    expect(read(adapter, 'tele/tasmota_B83024/SENSOR', said)).toMatchObject([{ temperature: 20 }])
  })

  test('a battery that is not known is null', () => {
    const said = sensor({ LYWSD038bb3af: { ...mijia, Battery: null } })
    expect(read(adapter, 'tele/tasmota_B83024/SENSOR', said)).toMatchObject([{ batt: null }])
  })

  test('several sensors in one message are several readings; wired ones are known by chip, by the file or by their place', () => {
    const said = sensor({
      DS18B20: { Id: '0316B5A2AAFF', Temperature: 27.5 },
      AM2301: { Temperature: 19.1, Humidity: 60 },
      ESP32: { Temperature: 53.3 },
      SI7021: { Temperature: 20 },
    })
    expect(read(adapter, 'tele/cellar/SENSOR', said).map(({ id, temperature }) => [id, temperature])).toEqual([
      ['03:16:b5:a2:aa:ff', 27.5],
      ['02:00:00:00:00:01', 19.1],
      [derivedId('tasmota/cellar/SI7021'), 20],
    ])
  })

  test('a retained message is of unknown age', () => {
    const said = sensor({ LYWSD038bb3af: mijia })
    expect(read(adapter, 'tele/tasmota_B83024/SENSOR', said, { retained: true })).toEqual([])
  })
})

describe('ESPHome', () => {
  const temperatureTopic = 'bath/sensor/temperature/state'
  const humidityTopic = 'bath/sensor/humidity/state'
  const started = () =>
    withFile({ esphome: [{ sensor: '02:00:00:00:00:05', temperature: temperatureTopic, humidity: humidityTopic }] })

  test('a bare number on the named topic is a reading', () => {
    expect(read(started(), temperatureTopic, '21.4')).toMatchObject([
      { id: '02:00:00:00:00:05', temperature: 21.4, humidity: null },
    ])
  })

  test('humidity heard lately goes with the next temperature', () => {
    const adapter = started()
    read(adapter, humidityTopic, '55')
    expect(read(adapter, temperatureTopic, '21.4')).toMatchObject([{ humidity: 55 }])
    expect(read(adapter, temperatureTopic, '21.4', { nowMs: NOW + 3_600_000 })).toMatchObject([{ humidity: null }])
  })

  test('a retained state carries no time and is ignored', () => {
    expect(read(started(), temperatureTopic, '21.4', { retained: true })).toEqual([])
  })

  test.each(['nan', '', ' ', 'unavailable', '1e400', '0x15', '{"t":21}'])('"%s" is no reading', (said) => {
    expect(read(started(), temperatureTopic, said)).toEqual([])
  })
})

describe('Bluetooth sensors behind a Shelly', () => {
  const addr = '7c:c6:b6:65:2d:87'
  const config = (obj_id: number, idx = 0, of = addr) => ({ config: { addr: of, obj_id, idx } })
  const status = (value: unknown) => ({ id: 1, value, last_updated_ts: NOW / 1000 })
  const temperature = message('blugw/status/bthomesensor:207', status(23.7))
  const reply = (id: number, components: object[], more = {}) =>
    message('hypocaust-cellar/rpc', { id, src: 'shellyblugwg3-34cdb077bcd4', result: { components, ...more } })

  const asked = (adapters: Adapters) =>
    adapters.questions().map(({ topic, payload }) => ({ topic, call: JSON.parse(payload) }))

  test('are asked for what they measure once, and known by their own address', () => {
    const adapters = withFile()
    expect(adapters.understand(temperature).why).toContain('does not say what it measures')
    adapters.understand(temperature)
    const [question, ...more] = asked(adapters)
    expect(more).toEqual([])
    expect(question).toMatchObject({
      topic: 'blugw/rpc',
      call: { src: 'hypocaust-cellar', method: 'Shelly.GetComponents', params: { dynamic_only: true, offset: 0 } },
    })
    const parts = [
      { key: 'bthomesensor:205', ...config(46) },
      { key: 'bthomesensor:207', ...config(69) },
    ]
    adapters.read(reply(question?.call.id, parts, { offset: 0, total: 2 }))
    adapters.read(message('blugw/status/bthomesensor:205', status(58)))
    expect(adapters.read(temperature).readings).toEqual([
      { id: addr, temperature: 23.7, humidity: 58, batt: null, rssi: null, measuredMs: NOW },
    ])
    expect(asked(adapters)).toEqual([])
  })

  test('are asked for in parts when there are many', () => {
    const adapters = withFile()
    adapters.understand(temperature)
    const id = asked(adapters)[0]?.call.id
    adapters.understand(reply(id, [{ key: 'bthomesensor:205', ...config(46) }], { offset: 0, total: 2 }))
    expect(asked(adapters)).toMatchObject([{ topic: 'blugw/rpc', call: { params: { offset: 1 } } }])
  })

  test('are no room beside soil moisture or water', () => {
    const adapters = withFile()
    adapters.understand(temperature)
    const id = asked(adapters)[0]?.call.id
    adapters.understand(
      reply(id, [
        { key: 'bthomesensor:206', ...config(47) },
        { key: 'bthomesensor:207', ...config(69) },
      ]),
    )
    expect(adapters.read(temperature).readings).toEqual([])
  })

  test('a window contact is one', () => {
    const adapters = withFile()
    adapters.understand(message('blugw/status/bthomesensor:210', status(true)))
    const id = asked(adapters)[0]?.call.id
    adapters.understand(reply(id, [{ key: 'bthomesensor:210', ...config(45) }]))
    const { contacts } = adapters.read(message('blugw/status/bthomesensor:210', status(true)))
    expect(contacts).toMatchObject([{ id: addr, open: true }])
  })

  test('the target of a BLU thermostat is not a room', () => {
    const adapters = withFile()
    const trv = '28:68:47:fc:9a:6b'
    const parts = [
      { key: 'blutrv:200', config: { addr: trv }, status: { id: 200, current_C: 23.9, target_C: 10 } },
      { key: 'bthomesensor:202', ...config(69, 0, trv) },
      { key: 'bthomesensor:203', ...config(69, 1, trv) },
    ]
    adapters.understand(reply(7, parts))
    const value = message('shellyblugwg3-34cdb077bcd4/status/bthomesensor:202', status(10))
    expect(adapters.understand(value)).toMatchObject({
      readings: [],
      why: 'a value of a BLU thermostat, which reports its temperature itself',
    })
  })
})

describe('a Shelly with a prefix of its own', () => {
  test('is the same sensor on its status topics as in its notifications', () => {
    const adapters = withFile()
    const params = { 'temperature:0': { tC: 20 }, 'humidity:0': { rh: 40 } }
    const message = { src: 'shellyhtg3-84fce63ad204', method: 'NotifyFullStatus', params }
    expect(read(adapters, 'bath/events/rpc', message)).toMatchObject([{ id: '84:fc:e6:3a:d2:04' }])
    expect(read(adapters, 'bath/status/temperature:0', { tC: 20.1 })).toMatchObject([{ id: '84:fc:e6:3a:d2:04' }])
  })
})
