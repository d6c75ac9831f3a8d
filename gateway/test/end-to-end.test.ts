import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GatewayReading, matches, type Readings } from '@hypocaust/domain'
import { type Mosquitto, startMosquitto, withoutMosquitto } from '@hypocaust/testing/mosquitto.ts'
import { Party } from '@hypocaust/testing/party.ts'
import {
  allFamiliesSpeak,
  allRelaysClose,
  CHANNELS,
  SENSORS,
  TEMPERATURES,
} from '@hypocaust/testing/recorded-devices.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { loadGatewayConfig, runGateway } from '../src/index.ts'

const ID = '019bb0f4-6e00-7c3a-9d5e-2f1a6b7c8d9e'
const up = (name: string) => `hypocaust/v1/${ID}/up/${name}`
const down = (name: string) => `hypocaust/v1/${ID}/down/${name}`

const config = (serviceUrl: string, devicesUrl: string) => `
service: { url: "${serviceUrl}", gateway_id: ${ID}, token: hypg_secret }
devices: { url: "${devicesUrl}" }
${SENSORS}
${CHANNELS}`

const CONFIG = {
  revision: 12,
  fallback: { after_s: 2700, power: { 1: 0, 2: 0, 3: 0, 4: 0 } },
  min_open_s: 0,
  exercise_days: 7,
}

const command = (seq: number, power: number) => ({
  epoch: 1,
  seq,
  issued: new Date().toISOString(),
  valid_s: 2700,
  valves: [1, 2, 3, 4].map((channel) => ({ channel, power, window_s: 900 })),
})

describe.skipIf(withoutMosquitto())('the agent on a real broker', () => {
  let devicesBroker: Mosquitto
  let serviceBroker: Mosquitto
  let folder: string
  let devices: Party
  let service: Party
  let stop: AbortController
  let running: Promise<void>

  const startAgent = () => {
    stop = new AbortController()
    const settings = loadGatewayConfig(join(folder, 'gateway.yaml'))
    running = runGateway({ settings, log: () => {}, signal: stop.signal })
  }

  const stopAgent = async () => {
    stop.abort()
    await running
  }

  /** What is heard from now on was said after the start. */
  const restartAgent = async () => {
    await stopAgent()
    await service.on(up('status'), (text) => JSON.parse(text).state === 'offline')
    service.heard.length = 0
    startAgent()
  }

  beforeEach(async () => {
    ;[devicesBroker, serviceBroker] = await Promise.all([
      startMosquitto(),
      startMosquitto({
        passwords: { [ID]: 'hypg_secret', service: 'service' },
        acl: `user service\ntopic readwrite hypocaust/#\n\npattern write hypocaust/v1/%u/up/#\npattern read hypocaust/v1/%u/down/#\n`,
      }),
    ])
    folder = mkdtempSync(join(tmpdir(), 'gateway-'))
    writeFileSync(join(folder, 'gateway.yaml'), config(serviceBroker.url, devicesBroker.url))
    devices = await Party.join(devicesBroker.url)
    service = await Party.join(serviceBroker.url, { username: 'service', password: 'service' })
    startAgent()
  })

  afterEach(async () => {
    await stopAgent()
    await Promise.all([devices.leave(), service.leave()])
    await Promise.all([devicesBroker.stop(), serviceBroker.stop()])
    rmSync(folder, { recursive: true })
  })

  const readings = (heard: { topic: string; text: string }[]) =>
    heard.filter(({ topic }) => topic === up('readings')).map(({ text }) => JSON.parse(text) as Readings)

  test('it is online, beats, and after a clean stop is offline', async () => {
    const online = JSON.parse((await service.on(up('status'))).text)
    expect(online).toMatchObject({ state: 'online', channels: 4, config_revision: null })
    expect(JSON.parse((await service.on(up('heartbeat'))).text)).toMatchObject({
      boot: online.boot,
      buffered: 0,
      clock_ok: true,
    })
    await stopAgent()
    await service.on(up('status'), (text) => JSON.parse(text).state === 'offline')
  })

  test('the service gets the file without its secrets', async () => {
    const { text } = JSON.parse((await service.on(up('file'))).text)
    expect(text).toContain('driver: shelly')
    expect(text).not.toContain('hypg_secret')
  })

  test('sensors of all five families reach the service, and commits empty the buffer', async () => {
    await service.on(up('heartbeat'))
    service.say(down('power'), command(1, 0))
    await devices.on('cmnd/tasmota_B83024/POWER2')
    allFamiliesSpeak(devices)
    const all = await service.until((heard) => {
      const found = readings(heard).flatMap((message) => message.readings)
      return new Set(found.map(({ id }) => id)).size >= 5 ? found : undefined
    })
    expect(all.every((reading) => matches(GatewayReading, reading))).toBe(true)
    expect(Object.fromEntries(all.map((reading) => [reading.id, reading.temperature]))).toEqual(TEMPERATURES)

    for (const { boot, n } of readings(service.heard)) service.say(down('commit'), { boot, n })
    // Said behind the commits on one connection: what answers this has heard them.
    service.say(down('config'), CONFIG, true)
    await service.on(up('status'), (text) => JSON.parse(text).config_revision === CONFIG.revision)
    await restartAgent()
    expect(JSON.parse((await service.on(up('heartbeat'))).text)).toMatchObject({ buffered: 0 })
  })

  test('what is not committed comes again after a restart, under the same boot and n', async () => {
    await service.on(up('heartbeat'))
    service.say(down('power'), command(1, 0))
    await devices.on('cmnd/tasmota_B83024/POWER2')
    devices.say('cellar/sensor/hall_temperature/state', '19.25')
    const first = await service.until((heard) => readings(heard)[0])
    await restartAgent()
    const again = await service.until((heard) => readings(heard)[0])
    expect(again).toEqual({ ...first, backfill: true })
  })

  test('a command opens the relays of all four families, each with its auto-off, and off closes them', async () => {
    await service.on(up('heartbeat'))
    service.say(down('config'), CONFIG, true)
    await service.on(up('status'), (text) => JSON.parse(text).config_revision === CONFIG.revision)
    service.say(down('power'), command(881, 1))

    expect(JSON.parse((await service.on(up('ack'))).text)).toEqual({ epoch: 1, seq: 881, result: 'accepted' })
    const shelly = await devices.on('shellypro4pm-a8032ab1c2d4/rpc', (text) => JSON.parse(text).params.on)
    expect(JSON.parse(shelly.text)).toEqual({
      id: 1,
      src: `hypocaust-${ID}`,
      method: 'Switch.Set',
      params: { id: 0, on: true, toggle_after: 900 },
    })
    const zigbee = await devices.on('zigbee2mqtt/manifold/set', (text) => text.includes('"ON"'))
    expect(JSON.parse(zigbee.text)).toEqual({ state_l1: 'ON', on_time_l1: 900 })
    expect((await devices.on('cmnd/tasmota_B83024/PulseTime2')).text).toBe('1000')
    await devices.on('cmnd/tasmota_B83024/POWER2', (text) => text === 'ON')
    await devices.on('cellar/switch/valve_4/command', (text) => text === 'ON')

    devices.heard.length = 0
    service.say(down('power'), command(882, 0))
    await allRelaysClose(devices)

    service.say(down('power'), command(881, 1))
    await service.on(up('ack'), (text) => JSON.parse(text).result === 'stale')
    expect([...devices.heard, ...service.heard].filter(({ retained }) => retained)).toEqual([])
  })
})
