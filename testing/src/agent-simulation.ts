import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Heartbeat, PowerCommand, Readings, WindowReport } from '@hypocaust/domain'
import { DAY_MS } from '@hypocaust/domain/facts'
import { Agent } from '../../gateway/src/agent/agent.ts'
import type { Link } from '../../gateway/src/base/link.ts'
import { Store } from '../../gateway/src/base/store.ts'
import { parseGatewayFile, settingsOf } from '../../gateway/src/config/load.ts'
import { AutoOffProofs } from '../../gateway/src/valves/auto-off.ts'

export const ID = '019bb0f4-6e00-7c3a-9d5e-2f1a6b7c8d9e'
export const START = Date.parse('2026-01-10T08:00:00.000Z')
/** Before it drives, an agent listens for another of its identity. */
const LISTEN_S = 2

class MemoryLink implements Link {
  connected = false
  refused = false
  readonly sent: { topic: string; payload: string; retain: boolean }[] = []
  /** To another agent of the same identity. */
  readonly announced: typeof this.sent = []

  publish(topic: string, payload: string, { retain }: { retain: boolean }): boolean {
    const list = topic.endsWith('/agent') ? this.announced : this.sent
    if (this.connected) list.push({ topic, payload, retain })
    return this.connected
  }
}

/** The real agent and its real disk, in a house where time passes at will. */
export class Simulation {
  readonly folder = mkdtempSync(join(tmpdir(), 'agent-'))
  readonly logged: string[] = []
  #yaml: string
  readonly #id: string
  readonly #isProven: boolean
  #hasRested: boolean
  wallMs = START - LISTEN_S * 1000
  monoMs = -LISTEN_S * 1000
  /** Which start of the machine it is. */
  bootId = 1
  clockSet = true
  service = new MemoryLink()
  devices = new MemoryLink()
  /** Relays that answer no command. */
  readonly deaf = new Set<number>()
  agent: Agent
  #store: Store
  #answered = 0
  readonly #instance: string
  #lives = 0
  readonly #states = new Map<number, string>()

  /**
   * `isProven`: the relays have been seen to switch off by themselves.
   * `hasRested`: the disk remembers that pumps and boiler have been off for a day.
   */
  constructor(yaml: string, { isProven = true, hasRested = true, instance = 'life' } = {}) {
    this.#instance = instance
    this.#yaml = yaml
    this.#id = /gateway_id: ([0-9a-f-]+)/.exec(yaml)?.[1] ?? ID
    this.#isProven = isProven
    this.#hasRested = hasRested
    ;[this.agent, this.#store] = this.#boot()
  }

  /** Another life on the same disk; the old one simply ends, as without power. */
  reboot(): void {
    this.monoMs = -LISTEN_S * 1000
    this.bootId += 1
    this.restart()
  }

  /** The agent alone: the machine's time runs on. */
  restart(): void {
    this.#store.close()
    this.service = new MemoryLink()
    this.devices = new MemoryLink()
    this.#answered = 0
    ;[this.agent, this.#store] = this.#boot()
  }

  /** Another box in its place, with an empty disk; the relays stay as they are. */
  replace(): void {
    this.#store.close()
    rmSync(join(this.folder, 'gateway.db'))
    this.#hasRested = false
    this.reboot()
  }

  /** The same disk under another identity, as after pairing again. */
  becomeGateway(id: string): void {
    this.#yaml = this.#yaml.replace(ID, id)
    this.reboot()
  }

  end(): void {
    this.#store.close()
    rmSync(this.folder, { recursive: true })
  }

  /** `pass`: where time passes for others too while it listens. */
  connect({ service = true, devices = true, pass = (seconds: number) => this.pass(seconds) } = {}): void {
    if (devices && !this.devices.connected) {
      this.devices.connected = true
      this.agent.devicesUp()
      pass(LISTEN_S)
    }
    if (service && !this.service.connected) {
      this.service.connected = true
      this.agent.serviceUp()
    }
  }

  /** Lets time pass in steps; `each` happens before every step. */
  pass(seconds: number, each: (atS: number) => void = () => {}, stepS = 1): void {
    for (let atS = 0; atS < seconds; atS += stepS) {
      each(atS)
      this.wallMs += stepS * 1000
      this.monoMs += stepS * 1000
      this.agent.tick()
      this.#answer()
    }
  }

  /** The relay goes off by itself, while nobody hears it. */
  autoOff(relay: number): void {
    this.#states.set(relay, 'OFF')
  }

  /** Whether the Tasmota relay with that number is on. */
  relayIsOn(relay: number): boolean {
    return this.#states.get(relay) === 'ON'
  }

  /** The Tasmota manifold obeys and reports its state, as a healthy one does. */
  #answer(): void {
    const { sent } = this.devices
    for (const { topic, payload } of sent.slice(Math.min(this.#answered, sent.length))) {
      const relay = Number(/^cmnd\/manifold\/POWER(\d+)$/.exec(topic)?.[1])
      if (!(relay > 0) || this.deaf.has(relay)) continue
      if (payload !== '') this.#states.set(relay, payload)
      this.hear('stat/manifold/RESULT', { [`POWER${relay}`]: this.#states.get(relay) ?? 'OFF' })
    }
    this.#answered = sent.length
  }

  hear(topic: string, said: object | string, retained = false): void {
    this.agent.deviceMessage(topic, bytes(said), retained)
  }

  /** A thermometer that ESPHome sends for. */
  measure(temperature: number): void {
    this.hear('hall/sensor/temperature/state', temperature.toFixed(2))
  }

  order(name: 'commit' | 'power' | 'config' | 'source', message: object | string): void {
    this.agent.serviceMessage(`hypocaust/v1/${this.#id}/down/${name}`, bytes(message))
  }

  command(seq: number, power: Record<number, number>, more: Partial<PowerCommand> = {}): void {
    const valves = Object.entries(power).map(([channel, share]) => ({
      channel: Number(channel),
      power: share,
      window_s: 900,
    }))
    const issued = new Date(this.wallMs).toISOString()
    this.order('power', { epoch: 1, seq, issued, valid_s: 2700, valves, ...more })
  }

  configure(power: Record<number, number>, more: object = {}): void {
    const fallback = { after_s: 2700, power }
    this.order('config', { revision: 1, fallback, min_open_s: 180, exercise_days: 7, ...more })
  }

  /** What was sent up on a topic, once. */
  taken<T>(name: string): T[] {
    const up = `hypocaust/v1/${this.#id}/up/${name}`
    const mine = this.service.sent.filter(({ topic }) => topic === up)
    this.service.sent.splice(0, Infinity, ...this.service.sent.filter(({ topic }) => topic !== up))
    return mine.map(({ payload }) => JSON.parse(payload) as T)
  }

  readings = () => this.taken<Readings>('readings')
  windows = () => this.taken<WindowReport>('window')
  heartbeats = () => this.taken<Heartbeat>('heartbeat')

  /** Whether the Tasmota relay with that number was last commanded on. */
  isOn(relay: number): boolean {
    return this.devices.sent.findLast(({ topic }) => topic === `cmnd/manifold/POWER${relay}`)?.payload === 'ON'
  }

  /** The share of the time for which it was. */
  shareOpen(relay: number, seconds: number, each: (atS: number) => void = () => {}): number {
    let open = 0
    this.pass(seconds, (atS) => {
      each(atS)
      open += this.isOn(relay) ? 1 : 0
    })
    return open / seconds
  }

  #boot(): [Agent, Store] {
    const settings = settingsOf(parseGatewayFile(this.#yaml, 'gateway.yaml'), this.folder)
    if (!settings.service) throw new Error('the simulation needs a service')
    const proofs = new AutoOffProofs(settings.dataFolder)
    if (this.#isProven) for (const channel of settings.channels) proofs.write(channel, true, new Date(START))
    const store = new Store(this.folder, (line) => this.logged.push(line))
    store.open()
    if (this.#hasRested && store.get('sources') === undefined) store.put('sources', restedSources())
    const agent = new Agent({
      settings: { ...settings, service: settings.service },
      version: '0.0.0',
      instance: `${this.#instance} ${++this.#lives}`,
      host: 'cellar',
      clock: {
        nowMs: () => this.wallMs,
        monotonicMs: () => this.monoMs,
        bootId: () => `boot ${this.bootId}`,
      },
      clockIsSet: () => this.clockSet,
      store,
      devices: this.devices,
      service: this.service,
      log: (line) => this.logged.push(line),
    })
    agent.start()
    return [agent, store]
  }
}

function restedSources() {
  const since = { bootId: 'boot 1', monotonicMs: -DAY_MS, wallMs: START - DAY_MS }
  const ids = ['pump', 'pump 1', 'pump 2', 'boiler', 'both']
  return Object.fromEntries(ids.map((id) => [id, { on: false, since, isClockOk: true }]))
}

const bytes = (said: object | string) => Buffer.from(typeof said === 'string' ? said : JSON.stringify(said))

/** A file with Tasmota channels on one device; entries are added to the channels by number. */
export function house(channels: number, more: Record<number, string> = {}, rest = ''): string {
  const entries = Array.from({ length: channels }, (_, i) => {
    const extra = more[i + 1] ? `, ${more[i + 1]}` : ''
    return `  - { channel: ${i + 1}, driver: tasmota, topic: manifold, output: ${i + 1}${extra} }`
  })
  return `
service: { url: "mqtt://127.0.0.1", gateway_id: ${ID}, token: hypg_secret }
devices: { url: "mqtt://127.0.0.1" }
sensors:
  esphome: [{ sensor: "02:00:00:00:00:05", temperature: hall/sensor/temperature/state }]
channels:
${entries.join('\n')}
${rest}`
}
