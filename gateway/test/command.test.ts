import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runMain, startMain } from '@hypocaust/testing/agent-process.ts'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { type Mosquitto, startMosquitto, withoutMosquitto } from '@hypocaust/testing/mosquitto.ts'
import { Party } from '@hypocaust/testing/party.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { writeCredentials } from '../src/config/credentials.ts'
import { AutoOffProofs, loadGatewayConfig, parseGatewayFile, testAutoOff, testChannel } from '../src/index.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'command-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('the command', () => {
  test('helps', async () => {
    const { code, output } = await runMain(['--help'], folder)
    expect(code).toBe(0)
    for (const word of ['run', 'test', 'discover', 'read', 'pair']) expect(output).toContain(word)
  })

  test('helps with each command by itself', async () => {
    const pair = await runMain(['pair', '--help'], folder)
    expect(pair.output).toContain('Usage: hypocaust gateway pair --service')
    expect(pair.output).toContain('--authority')
    expect(pair.output).not.toContain('--auto-off')
    const wrong = await runMain(['rehearse', '--confg', 'x'], folder)
    expect(wrong).toEqual({ code: 2, output: expect.stringContaining('Usage: hypocaust gateway rehearse --power') })
  })

  test('keeps compiled code between starts, where only its user can change it', async () => {
    const { NODE_COMPILE_CACHE: _, CACHE_DIRECTORY: __, ...env } = process.env
    await startMain(['--help'], folder, { ...env, XDG_CACHE_HOME: folder }).exit
    const kept = join(folder, 'hypocaust/compiled')
    expect(statSync(kept).mode & 0o077).toBe(0)
    expect(readdirSync(kept)).not.toEqual([])
  })

  test.each([[[]], [['walk']], [['run', '--confg', 'x']], [['test', '--channel', 'three']], [['discover']]])(
    'refuses the arguments %j with status 2',
    async (args) => {
      writeFileSync(join(folder, 'gateway.yaml'), 'devices: { url: "mqtt://127.0.0.1:1" }\nchannels: []\n')
      const { code, output } = await runMain(args, folder)
      expect(output).toMatch(/^hypocaust: .*\nUsage: /)
      expect(code).toBe(2)
    },
  )

  test('names what is wrong in one line, with status 1', async () => {
    expect(await runMain(['run'], folder)).toEqual({
      code: 1,
      output: 'hypocaust: cannot read the configuration gateway.yaml: there is no such file\n',
    })
    writeFileSync(join(folder, 'gateway.yaml'), 'devices: { url: "mqtt://127.0.0.1:1" }\nchannels: []\n')
    const nobody = await runMain(['discover', '--mqtt', 'mqtt://127.0.0.1:1', '--seconds', '1', '--out', 'o'], folder)
    expect(nobody.output).toContain('hypocaust: no connection to mqtt://127.0.0.1:1')
    expect(nobody.code).toBe(1)
    const there = await runMain(['discover', '--mqtt', 'mqtt://127.0.0.1:1'], folder)
    expect(there.output).toBe('hypocaust: gateway.yaml is there already; name another file with --out\n')
  })
})

test('the unit starts an agent that is not paired yet: its page is where a person may pair it', () => {
  const unit = readFileSync(join(import.meta.dirname, '../../deploy/systemd/hypocaust-gateway.service'), 'utf8')
  expect(unit.match(/^Condition.*/gm)).toEqual(['ConditionPathExists=/var/lib/hypocaust-gateway/gateway.yaml'])
})

describe.skipIf(withoutMosquitto())('the command on a real broker', () => {
  let broker: Mosquitto
  let devices: Party

  beforeEach(async () => {
    broker = await startMosquitto()
    devices = await Party.join(broker.url)
  })

  afterEach(async () => {
    await devices.leave()
    await broker.stop()
  })

  test('an agent that is not paired waits for the pairing and runs from then on', async () => {
    writeFileSync(join(folder, 'gateway.yaml'), `devices: { url: "${broker.url}" }\nchannels: []\n`)
    const agent = startMain(['run'], folder)
    await eventually(() => agent.output().includes('pair it by hypocaust gateway pair'))
    const gatewayId = '019bb0f4-6e00-7c3a-9d5e-2f1a6b7c8d9e'
    writeCredentials(join(folder, 'data'), { url: broker.url, gatewayId, token: 'hypg_secret', ca: null })
    await devices.on(`hypocaust-${gatewayId}/agent`)
    agent.child.kill('SIGTERM')
    expect(await agent.exit).toBe(0)
  })

  test('discover lists sensors and relays of every family and writes a file that loads', async () => {
    const bridge = [
      { friendly_name: 'bath', ieee_address: '0x00158d0001a2b3c4', definition: { exposes: [] } },
      {
        friendly_name: 'manifold',
        ieee_address: '0x00158d0001a2b3c5',
        definition: {
          vendor: 'Tuya',
          model: 'TS0601',
          exposes: [
            { type: 'switch', features: [{ property: 'state_l1' }], endpoint: 'l1' },
            { type: 'switch', features: [{ property: 'state_l2' }], endpoint: 'l2' },
          ],
        },
      },
    ]
    devices.say('zigbee2mqtt/bridge/devices', bridge, true)
    devices.say('someone/elses/box', { inside: { temperature: 20.5 }, chip_temperature: 31 }, true)
    devices.say('cellar/switch/valve_4/state', 'OFF', true)
    const announced = { device: { name: 'Nursery', model: 'LYWSD03MMC' }, state_topic: 'ble2mqtt/nursery' }
    const temperature = { ...announced, name: 'Temperature', device_class: 'temperature', unit_of_measurement: '°C' }
    const humidity = { ...announced, name: 'Humidity', device_class: 'humidity', value_template: '{{ value_json.h }}' }
    devices.say('homeassistant/sensor/n/t/config', { ...temperature, value_template: '{{ value_json.t }}' }, true)
    devices.say('homeassistant/sensor/n/h/config', humidity, true)
    devices.say('homeassistant/sensor/r/t/config', { ...temperature, name: 'Return temperature' }, true)
    const { child, output, exit } = startMain(
      ['discover', '--mqtt', broker.url, '--seconds', '600', '--out', 'found.yaml'],
      folder,
    )
    await devices.on('cmnd/tasmotas/STATE')
    const seen = '2026-01-10T08:15:03.000Z'
    devices.say('home/OMG_B1/BTtoMQTT/A4C138D5D498', { id: 'A4:C1:38:D5:D4:98', rssi: -71, tempc: 21.4, hum: 47 })
    devices.say('box/events/ble', { srcBle: { mac: '54:48:e6:8f:80:a5' }, payload: '41a47266c95f730011223378237214' })
    devices.say('zigbee2mqtt/bath', { temperature: 22.41, last_seen: new Date().toISOString() })
    devices.say('tele/heater/SENSOR', { Time: seen, AM2301: { Temperature: 19.5 }, ESP32: { Temperature: 55 } })
    devices.say('cellar/sensor/hall_temperature/state', '19.25')
    devices.say('shellypro4pm-a8032ab1c2d4/status/switch:0', { id: 0, output: false })
    devices.say('shellyplus1-1/events/rpc', { method: 'NotifyStatus', params: { 'switch:0': { output: true } } })
    devices.say('stat/heater/RESULT', { POWER1: 'OFF', POWER2: 'ON' })
    const found = (kind: RegExp) => output().match(kind)?.length ?? 0
    await eventually(() => found(/^sensor /gm) >= 5 && found(/^relay /gm) >= 7)
    child.kill('SIGINT')
    expect(await exit).toBe(0)

    const text = readFileSync(join(folder, 'found.yaml'), 'utf8')
    for (const id of ['a4:c1:38:d5:d4:98', '00:15:8d:00:01:a2:b3:c4', '54:48:e6:8f:80:a5']) expect(text).toContain(id)
    expect(output()).toContain('bthome, encrypted: needs its key')
    expect(output()).toMatch(/5 sensors and 7 relays; written to found\.yaml/)
    const file = parseGatewayFile(text, 'found.yaml')
    expect(file.devices.url).toBe(broker.url)
    expect(file.sensors?.mqtt).toEqual([{ profile: 'esphome' }])
    expect(text).toContain(`topic: "someone/elses/box", temperature: 'inside.temperature' }   # 20.5 °C now`)
    expect(text).not.toContain('chip_temperature')
    expect(text).toContain(
      '#     - { sensor: Nursery, topic: ble2mqtt/nursery, temperature: t, humidity: h, unit: C }   # Nursery Temperature, LYWSD03MMC',
    )
    expect(text).not.toContain('Return')

    expect(file.channels, 'an unedited file switches nothing').toEqual([])
    expect(text).toContain('# zigbee2mqtt  zigbee2mqtt/manifold  output l1  (manifold l1, Tuya TS0601, no auto-off)')
    const chosen = parseGatewayFile(text.replaceAll('  # - {', '  - {'), 'found.yaml')
    expect(chosen.channels.map(({ driver, topic, output }) => [driver, topic, output]).sort()).toEqual([
      ['esphome', 'cellar', 'valve_4'],
      ['shelly', 'shellyplus1-1', 0],
      ['shelly', 'shellypro4pm-a8032ab1c2d4', 0],
      ['tasmota', 'heater', 1],
      ['tasmota', 'heater', 2],
      ['zigbee2mqtt', 'zigbee2mqtt/manifold', 'l1'],
      ['zigbee2mqtt', 'zigbee2mqtt/manifold', 'l2'],
    ])
  })

  const file = () => {
    writeFileSync(
      join(folder, 'gateway.yaml'),
      `devices: { url: "${broker.url}" }\nchannels: [{ channel: 3, driver: tasmota, topic: heater, output: 2 }]\n`,
    )
    return join(folder, 'gateway.yaml')
  }

  test('test opens one loop with its auto-off, tells a running agent to leave it alone, and closes it', async () => {
    file()
    const { code, output } = await runMain(['test', '--channel', '3', '--seconds', '1'], folder)
    expect(output).toMatch(/channel 3 opens for 1 s.*channel 3 closes/s)
    expect(code).toBe(0)
    await devices.on('cmnd/heater/POWER2', (text) => text === 'OFF')
    const said = devices.heard.map(({ topic, text }) => `${topic} ${text}`)
    expect(said).toEqual([
      'hypocaust-gateway/hold {"channel":3,"seconds":31}',
      'cmnd/heater/PowerOnState ',
      'cmnd/heater/PulseTime2 116',
      'cmnd/heater/POWER2 ON',
      'cmnd/heater/POWER2 OFF',
    ])
  })

  test('test opens and closes a three-point motor, with a stop in between', async () => {
    const set = '{ topic: motor, open: OPEN, close: CLOSE, stop: STOP, run_s: 60 }'
    const channels = `[{ channel: 3, driver: mqtt, set: ${set} }]`
    writeFileSync(join(folder, 'gateway.yaml'), `devices: { url: "${broker.url}" }\nchannels: ${channels}\n`)
    const { output } = await runMain(['test', '--channel', '3', '--seconds', '3'], folder)
    expect(output).not.toContain('has not reported')
    await devices.on('motor', (text) => text === 'CLOSE')
    const said = devices.heard.filter(({ topic }) => topic === 'motor').map(({ text }) => text)
    expect([...new Set(said.slice(0, 2)), ...new Set(said.slice(2))]).toEqual(['STOP', 'OPEN', 'STOP', 'CLOSE'])
  })

  test('test --auto-off proves which relays switch off by themselves, keeps it, and shows what they do after a power cut', async () => {
    writeFileSync(
      join(folder, 'gateway.yaml'),
      `devices: { url: "${broker.url}" }
channels:
  - { channel: 1, driver: tasmota, topic: good }
  - { channel: 2, driver: tasmota, topic: welded }
  - { channel: 3, driver: esphome, topic: esp, output: valve }
`,
    )
    devices.client.on('message', (topic, payload) => {
      const [, device] = topic.split('/')
      if (topic.endsWith('/PowerOnState')) devices.say(`stat/${device}/RESULT`, { PowerOnState: 3 })
      if (!topic.endsWith('/POWER1') || payload.toString() !== 'ON') return
      devices.say(`stat/${device}/RESULT`, { POWER1: 'ON' })
      if (device === 'good') setTimeout(() => devices.say('stat/good/RESULT', { POWER1: 'OFF' }), 300)
    })
    const settings = loadGatewayConfig(join(folder, 'gateway.yaml'))
    const logged: string[] = []
    const stop = new AbortController()
    const log = (line: string) => logged.push(line)
    const all = testAutoOff({ settings, channel: null, seconds: 15, log, signal: stop.signal })
    await eventually(() => logged.some((line) => line.startsWith('channel 1: auto-off')))
    await devices.on('cmnd/welded/POWER1', (text) => text === 'ON')
    stop.abort()
    const results = await all
    expect(results.map(({ channel, auto_off }) => [channel, auto_off])).toEqual([
      [1, 'proven'],
      [2, 'unproven'],
    ])
    await devices.on('cmnd/welded/POWER1', (text) => text === 'OFF')
    expect(logged).toContain(
      'channel 1: after a power cut its relay is: the saved state (PowerOnState); set it to off for a normally closed actuator',
    )
    const proofs = new AutoOffProofs(settings.dataFolder)
    expect(settings.channels.map((channel) => proofs.of(channel, channel.normally))).toEqual([
      'proven',
      'unproven',
      'none',
    ])
    expect((await runMain(['test', '--auto-off', '--seconds', '5'], folder)).output).toContain(
      '--seconds must be a number from 12 to 600',
    )
  })

  test('test --auto-off of a normally open loop says which way its relay has to go', async () => {
    writeFileSync(
      join(folder, 'gateway.yaml'),
      `devices: { url: "${broker.url}" }
channels: [{ channel: 1, driver: tasmota, topic: good, normally: open }]
`,
    )
    const settings = loadGatewayConfig(join(folder, 'gateway.yaml'))
    const signal = new AbortController().signal
    const [result] = await testAutoOff({ settings, channel: 1, seconds: 15, log: () => {}, signal })
    expect(result).toEqual({
      channel: 1,
      auto_off: 'none',
      why: 'a tasmota relay has no timer that switches it on',
    })
  })

  test('test closes the loop when it is interrupted, and knows which channels there are', async () => {
    file()
    const { child, exit } = startMain(['test', '--channel', '3'], folder)
    await devices.on('cmnd/heater/POWER2', (text) => text === 'ON')
    child.kill('SIGINT')
    await devices.on('cmnd/heater/POWER2', (text) => text === 'OFF')
    expect(await exit).toBe(0)
    const settings = loadGatewayConfig(file())
    const wrong = testChannel({ settings, channel: 4, seconds: 1, log: () => {}, signal: AbortSignal.timeout(1) })
    await expect(wrong).rejects.toThrow('there is no channel 4 in the configuration; there are: 3')
  })
})
