import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { GatewayStatus, Readings } from '@hypocaust/domain'
import { startMain } from '@hypocaust/testing/agent-process.ts'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { LIVES } from '@hypocaust/testing/lives.ts'
import { type Mosquitto, startMosquitto, withoutMosquitto } from '@hypocaust/testing/mosquitto.ts'
import { type Heard, Party } from '@hypocaust/testing/party.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { AutoOffProofs, loadGatewayConfig, runGateway } from '../src/index.ts'

const ID = '019bb0f4-6e00-7c3a-9d5e-2f1a6b7c8d9e'
const up = (name: string) => `hypocaust/v1/${ID}/up/${name}`
const down = (name: string) => `hypocaust/v1/${ID}/down/${name}`

describe.skipIf(withoutMosquitto())('things that end without warning', () => {
  let devicesBroker: Mosquitto
  let serviceBroker: Mosquitto
  let folder: string

  beforeEach(async () => {
    ;[devicesBroker, serviceBroker] = await Promise.all([startMosquitto(), startMosquitto()])
    folder = mkdtempSync(join(tmpdir(), 'killed-'))
    writeFileSync(
      join(folder, 'gateway.yaml'),
      `service: { url: "${serviceBroker.url}", gateway_id: ${ID}, token: hypg_secret }
devices: { url: "${devicesBroker.url}" }
sensors: { collect_s: 0.1, every_s: 0 }
channels: [{ channel: 1, driver: tasmota, topic: manifold }]
`,
    )
  })

  afterEach(async () => {
    await Promise.all([devicesBroker.stop(), serviceBroker.stop()])
    rmSync(folder, { recursive: true })
  })

  test('the agent, killed again and again while it sends: every reading sent keeps its number, none is lost', {
    timeout: 400_000,
  }, async () => {
    const devices = await Party.join(devicesBroker.url)
    const service = await Party.join(serviceBroker.url)
    const sensor = everChanging(devices)
    const ledger = new Ledger()
    for (let life = 0; life < LIVES; life += 1) {
      const { child, exit } = startMain(['run'], folder)
      const { boot } = await service.until((heard) => online(heard, life))
      command(service, life + 1, 0)
      await devices.until((heard) => heard.filter(({ topic }) => topic === 'cmnd/manifold/POWER1')[life])
      sensor.speak(20)
      await service.until((heard) => ledger.look(heard).find((key) => key.startsWith(boot)))
      for (const key of ledger.uncommitted.slice(0, life % 2)) ledger.commit(service, key)
      sensor.speak(10)
      child.kill('SIGKILL')
      await exit
    }

    const { child, exit } = startMain(['run'], folder)
    service.heard.length = 0
    const before = [...ledger.uncommitted]
    await service.until((heard) => {
      ledger.look(heard)
      for (const message of readingsIn(heard.splice(0))) ledger.commit(service, keyOf(message))
      return ledger.uncommitted.length === 0 ? true : undefined
    })
    child.kill('SIGTERM')
    expect(await exit).toBe(0)
    expect(before.length).toBeGreaterThanOrEqual(LIVES / 2)
    expect(ledger.changed).toEqual([])
    for (const keys of ledger.numbers.values()) expect(keys.size).toBe(1)
    await Promise.all([devices.leave(), service.leave()])
  })

  /** A Tasmota that switches off by itself, a thousand times as fast as it was set to. */
  function timedRelay(devices: Party) {
    const relay = { on: false, timer: undefined as NodeJS.Timeout | undefined, pulseS: 0 }
    devices.client.on('message', (topic, payload) => {
      const text = payload.toString()
      if (topic === 'cmnd/manifold/PulseTime1') relay.pulseS = Number(text) - 100
      if (topic !== 'cmnd/manifold/POWER1' || text === '') return
      relay.on = text === 'ON'
      clearTimeout(relay.timer)
      if (relay.on)
        relay.timer = setTimeout(() => {
          relay.on = false
        }, relay.pulseS)
      devices.say('stat/manifold/POWER1', text)
    })
    return relay
  }

  test.each([
    ['SIGKILL', true],
    ['SIGTERM', false],
  ] as const)(
    '%s with an open valve, its auto-off proven: %s: the relay is off soon after',
    async (signal, isProven) => {
      new AutoOffProofs(join(folder, 'data')).write(
        { driver: 'tasmota', topic: 'manifold', output: '1' },
        isProven,
        new Date(),
      )
      const [devices, service] = await Promise.all([Party.join(devicesBroker.url), Party.join(serviceBroker.url)])
      const relay = timedRelay(devices)
      const { child, exit } = startMain(['run'], folder)
      await service.until((heard) => online(heard, 0))
      command(service, 1, 1)
      await devices.on('cmnd/manifold/POWER1', (text) => text === 'ON')
      await eventually(() => relay.on)
      devices.heard.length = 0
      child.kill(signal)
      await exit
      // On a busy machine its own time may be over before the broker has passed on what the agent said last.
      if (!isProven) await devices.on('cmnd/manifold/POWER1', (text) => text === 'OFF')
      await eventually(() => !relay.on)
      const closed = devices.heard.filter(({ topic, text }) => topic === 'cmnd/manifold/POWER1' && text === 'OFF')
      expect(closed.length > 0).toBe(!isProven)
      expect(relay.pulseS).toBe(900)
      await Promise.all([devices.leave(), service.leave()])
    },
  )

  test('the service’s broker, gone and back: the agent finds it again and nothing is lost', async () => {
    const stop = new AbortController()
    const settings = loadGatewayConfig(join(folder, 'gateway.yaml'))
    const running = runGateway({ settings, log: () => {}, signal: stop.signal })
    const devices = await Party.join(devicesBroker.url)
    const first = await Party.join(serviceBroker.url)
    await first.until((heard) => online(heard, 0))
    command(first, 1, 0)
    await devices.on('cmnd/manifold/POWER1')
    await first.leave()
    await serviceBroker.kill()
    const sensor = everChanging(devices)
    sensor.speak(5)
    await serviceBroker.restart()
    const service = await Party.join(serviceBroker.url)
    const found = await service.until((heard) => {
      const ids = new Set(readingsIn(heard).flatMap(({ readings }) => readings.map(({ id }) => id)))
      return ids.size >= 5 ? ids : undefined
    })
    expect(found).toEqual(new Set(sensor.ids))
    stop.abort()
    await running
    await Promise.all([devices.leave(), service.leave()])
  })

  test('the device broker, gone and back: the relays get their commands again, the sensors are heard again', async () => {
    const service = await Party.join(serviceBroker.url)
    const before = await Party.join(devicesBroker.url)
    const { child, exit } = startMain(['run'], folder)
    await service.until((heard) => online(heard, 0))
    command(service, 1, 0)
    await before.on('cmnd/manifold/POWER1')
    await before.leave()
    // Held, so that it cannot be back before the test listens to it.
    child.kill('SIGSTOP')
    await devicesBroker.restart()
    const devices = await Party.join(devicesBroker.url)
    child.kill('SIGCONT')
    await devices.on('cmnd/manifold/POWER1', (text) => text === 'OFF')
    everChanging(devices).speak(1)
    await service.until((heard) => readingsIn(heard)[0])
    child.kill('SIGTERM')
    expect(await exit).toBe(0)
    await Promise.all([devices.leave(), service.leave()])
  })
})

/** Before its first command an agent moves nothing for a while. */
function command(service: Party, seq: number, power: number): void {
  const valves = [{ channel: 1, power, window_s: 900 }]
  service.say(down('power'), { epoch: 1, seq, issued: new Date().toISOString(), valid_s: 2700, valves })
}

/** A sensor with a new address each time it speaks, so that no two readings are alike. */
function everChanging(devices: Party) {
  const ids: string[] = []
  const speak = (times: number) => {
    for (let i = 0; i < times; i += 1) {
      const hex = (0xa4c138000000 + ids.length).toString(16)
      ids.push(hex.replace(/..(?=.)/g, '$&:'))
      devices.say(`home/OMG_B1/BTtoMQTT/${hex.toUpperCase()}`, { rssi: -71, tempc: 21.4, hum: 47 })
    }
  }
  return { ids, speak }
}

/** What the service has seen and committed. */
class Ledger {
  readonly numbers = new Map<string, Set<string>>()
  readonly changed: string[] = []
  readonly #content = new Map<string, string>()
  readonly #committed = new Set<string>()

  look(heard: Heard[]): string[] {
    for (const message of readingsIn(heard)) {
      const key = keyOf(message)
      const content = JSON.stringify(message.readings)
      if ((this.#content.get(key) ?? content) !== content) this.changed.push(key)
      this.#content.set(key, content)
      for (const { id } of message.readings) this.numbers.set(id, (this.numbers.get(id) ?? new Set()).add(key))
    }
    return [...this.#content.keys()]
  }

  get uncommitted(): string[] {
    return [...this.#content.keys()].filter((key) => !this.#committed.has(key))
  }

  commit(service: Party, key: string): void {
    this.#committed.add(key)
    const [boot = '', n] = key.split('/')
    service.say(down('commit'), { boot, n: Number(n) })
  }
}

const keyOf = ({ boot, n }: { boot: string; n: number }) => `${boot}/${n}`

const readingsIn = (heard: Heard[]) =>
  heard.filter(({ topic }) => topic === up('readings')).map(({ text }) => JSON.parse(text) as Readings)

/** The status of the agent's life with that number, from 0. */
function online(heard: Heard[], life: number): GatewayStatus | undefined {
  const boots = heard
    .filter(({ topic }) => topic === up('status'))
    .map(({ text }) => JSON.parse(text) as GatewayStatus)
    .filter(({ state }) => state === 'online')
  return [...new Map(boots.map((status) => [status.boot, status])).values()][life]
}
