import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseGatewayFile } from '../src/config/load.ts'
import { Finder } from '../src/discover/finder.ts'
import { pathOf, payloadOf } from '../src/discover/home-assistant.ts'
import { startingFile } from '../src/discover/starting-file.ts'
import { parsePath } from '../src/profiles/path.ts'

function heard(messages: Record<string, object>) {
  const finder = new Finder()
  for (const [topic, said] of Object.entries(messages))
    finder.hear({ topic, payload: Buffer.from(JSON.stringify(said)), retained: true, nowMs: 0 })
  return finder
}

const sensorsOf = (messages: Record<string, object>) => heard(messages).offers.sensors.map(({ entry }) => entry)
const channelsOf = (messages: Record<string, object>) => heard(messages).offers.channels.map(({ entry }) => entry)

const device = { identifiers: ['ble-1'], name: 'Bedroom', model: 'LYWSD03MMC' }

describe('sensors announced to Home Assistant', () => {
  test('are offered with name, unit, humidity and battery', () => {
    const common = { '~': 'ble2mqtt/bedroom', stat_t: '~/state', dev: { ids: ['ble-1'], name: 'Bedroom', mdl: 'X' } }
    expect(
      sensorsOf({
        'homeassistant/sensor/ble/t/config': {
          ...common,
          name: 'Temperature',
          dev_cla: 'temperature',
          unit_of_meas: '°F',
          val_tpl: '{{ value_json.temperature | round(1) }}',
        },
        'homeassistant/sensor/ble/h/config': { ...common, dev_cla: 'humidity', val_tpl: "{{ value_json['hum'] }}" },
        'homeassistant/sensor/ble/b/config': {
          ...common,
          stat_t: '~/battery',
          dev_cla: 'battery',
          ent_cat: 'diagnostic',
        },
      }),
    ).toEqual([
      {
        sensor: 'Bedroom',
        topic: 'ble2mqtt/bedroom/state',
        temperature: 'temperature',
        humidity: '["hum"]',
        unit: 'F',
      },
      { sensor: 'Bedroom', topic: 'ble2mqtt/bedroom/battery', battery: '.' },
    ])
  })

  test('of a device with several components, and the room of a thermostat', () => {
    expect(
      sensorsOf({
        'homeassistant/device/a/config': {
          device,
          components: {
            t: { platform: 'sensor', device_class: 'temperature', unit_of_measurement: '°C', state_topic: 'a/t' },
            x: { platform: 'light', command_topic: 'a/light' },
          },
        },
        'homeassistant/climate/hall/config': {
          name: null,
          device: { name: 'Hall' },
          current_temperature_topic: 'trv/hall',
          current_temperature_template: '{{ value_json.local_temperature }}',
        },
      }),
    ).toEqual([
      { sensor: 'Bedroom', topic: 'a/t', unit: 'C' },
      { sensor: 'Hall', topic: 'trv/hall', temperature: 'local_temperature' },
    ])
  })

  test('are offered of a thermostat named after what it heats with, and not of one for water', () => {
    const climate = (name: string) => ({ name: null, device: { name }, current_temperature_topic: name })
    expect(
      sensorsOf({
        'homeassistant/climate/a/config': climate('Fußbodenheizung Bad'),
        'homeassistant/climate/b/config': climate('Pool heater'),
      }),
    ).toEqual([{ sensor: 'Fußbodenheizung Bad', topic: 'Fußbodenheizung Bad' }])
  })

  test.each([
    ['Boiler', 'Temperature'],
    ['Heating', 'Return water temperature'],
    ['Heating', 'Vorlauf'],
    ['Ecodan', 'DHW temperature'],
    ['Station', 'Outdoor temperature'],
    ['Bridge', 'CPU temperature'],
  ])('are not offered as a room: %s, %s', (owner, name) => {
    const said = { name, device: { name: owner }, device_class: 'temperature', state_topic: 'a' }
    expect(sensorsOf({ 'homeassistant/sensor/x/config': said })).toEqual([])
  })

  test.each(['binary_sensor', 'sensor'])('are left out where a %s of their device finds moisture', (component) => {
    const common = { device: { name: 'Cellar' }, state_topic: 'cellar' }
    expect(
      sensorsOf({
        'homeassistant/sensor/cellar/t/config': { ...common, name: 'Temperature', device_class: 'temperature' },
        [`homeassistant/${component}/cellar/m/config`]: { ...common, name: 'Cellar', device_class: 'moisture' },
      }),
    ).toEqual([])
  })

  test('are left out where a profile reads them, and where a template computes', () => {
    const said = { name: 'Temperature', device, device_class: 'temperature' }
    const value_template = '{{ value_json.temperature }}'
    expect(
      sensorsOf({
        'homeassistant/sensor/z/config': { ...said, state_topic: 'zigbee2mqtt/bath', value_template },
        'homeassistant/sensor/c/config': { ...said, state_topic: 'a', value_template: '{{ value_json.t / 10 }}' },
      }),
    ).toEqual([])
  })
})

describe('outputs announced to Home Assistant', () => {
  test('are offered as channels: switches, valves and numbers that are positions', () => {
    expect(
      channelsOf({
        'homeassistant/switch/a/config': {
          name: 'Loop 1',
          device,
          command_topic: 'm/1/set',
          state_topic: 'm/1',
          payload_on: '1',
          payload_off: '0',
          value_template: '{{ value_json.on }}',
        },
        'homeassistant/valve/b/config': { name: 'Valve', device, command_topic: 'v/set', reports_position: true },
        'homeassistant/number/c/config': {
          name: 'Valve opening',
          device,
          command_topic: 'n/set',
          max: 255,
          command_template: '{"level": {{ value }}}',
        },
        'homeassistant/number/d/config': { name: 'Calibration', device, command_topic: 'n/cal', max: 10 },
      }),
    ).toEqual([
      {
        name: 'Bedroom Loop 1',
        driver: 'mqtt',
        set: { topic: 'm/1/set', on: '1', off: '0' },
        state: { topic: 'm/1', path: 'on', on: '1', off: '0' },
      },
      { name: 'Bedroom Valve', driver: 'mqtt', set: { topic: 'v/set', percent: true } },
      {
        name: 'Bedroom Valve opening',
        driver: 'mqtt',
        set: { topic: 'n/set', percent: true, scale: 255, payload: '{"level": {value}}' },
      },
    ])
  })

  test('are left out where a driver of the gateway knows the device', () => {
    const said = { name: 'Relay 1', device, command_topic: 'cmnd/heater/POWER1', state_topic: 'stat/heater/RESULT' }
    expect(channelsOf({ 'stat/heater/RESULT': { POWER1: 'OFF' }, 'homeassistant/switch/t/config': said })).toEqual([])
  })
})

test('the file that is written loads, as it is and with every offer taken over', () => {
  const { offers } = heard({
    'homeassistant/sensor/t/config': { name: 'Temperature: north', device_class: 'temperature', state_topic: 'a/t' },
    'homeassistant/switch/a/config': { name: 'Loop "1"', device, command_topic: 'm/1/set' },
  })
  const text = startingFile({ url: 'mqtt://127.0.0.1', sensors: [], relays: [], offers, proposals: [] })
  expect(parseGatewayFile(text, 'found.yaml').channels).toEqual([])
  const taken = text.replaceAll('  # - {', '  - {').replace(/^# {5}- \{/m, 'sensors:\n  mqtt:\n    - {')
  const file = parseGatewayFile(taken, 'found.yaml')
  expect(file.channels).toMatchObject([{ channel: 1, set: { topic: 'm/1/set', on: 'ON', off: 'OFF' } }])
  expect(file.sensors?.mqtt).toEqual([{ sensor: 'Temperature  north', topic: 'a/t' }])
})

test('a name with a line break in it adds no line to the file', () => {
  const name = 'x\n  - { channel: 1, driver: tasmota, topic: pump, output: 1 }\n'
  const { offers, relays } = heard({
    'homeassistant/switch/a/config': { name, device: { name }, command_topic: 'm/1/set' },
    'homeassistant/sensor/a/config': { name, device_class: 'temperature', state_topic: 'a/t' },
    'tasmota/discovery/A1/config': { t: 'heater', fn: [name], rl: [1] },
  })
  const text = startingFile({
    url: 'mqtt://127.0.0.1',
    sensors: [],
    relays: [...relays.values()],
    offers,
    proposals: [],
  })
  expect(text).toContain('topic: pump')
  expect(parseGatewayFile(text, 'found.yaml').channels).toEqual([])
})

describe('templates', () => {
  test('that only read a field become a path of gateway.yaml', () => {
    const name = fc.stringMatching(/^[A-Za-z_]\w{0,9}$/)
    const filter = fc.constantFrom('', ' | float', ' | round(1)', '|float(0)|round', ' | is_defined')
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), filter, fc.boolean(), (names, filters, quoted) => {
        const path = names.map((each) => (quoted ? `['${each}']` : `.${each}`)).join('')
        expect(parsePath(pathOf(`{{ value_json${path}${filters} }}`) ?? '')).toEqual(names)
      }),
    )
  })

  test.each(['{{ value_json.t / 10 }}', '{{ value_json.t if true }}', '{% if x %}1{% endif %}', 'x', '{{ value.t }}'])(
    'that compute are not guessed: %s',
    (template) => expect(pathOf(template)).toBeNull(),
  )

  test.each([
    [undefined, '{value}'],
    ['{{ value | int }}', '{value}'],
    ['{"a":{{value}}}', '{"a":{value}}'],
    ['{{ value * 2 }}', null],
    ['open', null],
  ])('of commands: %j becomes %j', (template, payload) => expect(payloadOf(template)).toBe(payload))
})
