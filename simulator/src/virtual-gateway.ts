import {
  type Ack,
  brokerAddress,
  DOWN,
  downTopic,
  type GatewayConfig,
  type GatewayReading,
  type GatewayStatus,
  type Heartbeat,
  type PowerCommand,
  parsePayload,
  type SourceCommand,
  TOPIC_ROOT,
  type UP,
  upTopic,
} from '@hypocaust/domain'
import mqtt, { type MqttClient } from 'mqtt'
import type { Clock } from './clock.ts'
import { Outbox } from './outbox.ts'
import type { Hysteresis } from './thermostat.ts'
import { type Order, ValveWindow } from './valve-window.ts'
import type { HouseReading, VirtualHouse } from './virtual-house.ts'
import { VirtualSource } from './virtual-source.ts'

type VirtualGatewayOptions = {
  url: string
  gatewayId: string
  token: string
  /** The authority that vouches for the broker, PEM; the system's unless given. */
  ca?: string
  house: VirtualHouse
  clock: Clock
  /**
   * House seconds per second of the clock. The house, its weather and its windows run this much faster, while all
   * time stamps stay the clock's. For a service that shares a fast clock with the gateway, leave it at 1.
   */
  speed?: number
  /** Differs at every start of a gateway. */
  boot: string
  /** Thermostats of others, by channel: they work the valves that the configuration leaves to them. */
  thermostats?: ReadonlyMap<number, Hysteresis>
}

const TICK_MS = 1000
const HEARTBEAT_MS = 60_000
const RESEND_MS = 30_000
const RESEND_AT_ONCE = 50
const DEFAULT_WINDOW_S = 1800

/** A gateway as far as anybody on the broker can tell; behind it stands the virtual house. */
export class VirtualGateway {
  readonly house: VirtualHouse
  private readonly options: VirtualGatewayOptions
  private readonly outbox: Outbox
  private readonly windows: ValveWindow[]
  private readonly source = new VirtualSource()
  private readonly stops: (() => void)[] = []
  private client: MqttClient | null = null
  private command: { value: PowerCommand; arrivedMs: number } | null = null
  private config: GatewayConfig | null = null
  private movedMs: number
  private readonly startedMs: number

  constructor(options: VirtualGatewayOptions) {
    this.options = options
    this.house = options.house
    this.outbox = new Outbox(options.boot)
    this.startedMs = options.clock.now()
    this.movedMs = this.startedMs
    this.windows = options.house.plan.rooms.map((room) => new ValveWindow(room.channel, this.startedMs))
  }

  /** Resolves when the broker has let it in and the subscriptions stand. */
  async start() {
    const { url, gatewayId, token, clock, ca } = this.options
    this.client = await mqtt.connectAsync({
      ...brokerAddress(url),
      protocolVersion: 4,
      clientId: gatewayId,
      username: gatewayId,
      password: token,
      clean: true,
      reconnectPeriod: 1000,
      ...(ca !== undefined && { ca }),
      will: { topic: upTopic(gatewayId, 'status'), payload: Buffer.from(this.status('offline')), qos: 1, retain: true },
    })
    this.client.on('message', (topic, payload) => this.hear(topic, payload))
    this.client.on('connect', () => this.greet())
    await this.client.subscribeAsync(`${TOPIC_ROOT}/${gatewayId}/down/#`, { qos: 1 })
    this.greet()
    this.stops.push(
      clock.every(TICK_MS, () => this.tick()),
      clock.every(HEARTBEAT_MS, () => this.beat()),
      clock.every(RESEND_MS, () => this.resend(clock.now() - RESEND_MS)),
    )
  }

  async stop() {
    for (const stop of this.stops.splice(0)) stop()
    if (!this.client) return
    this.publish('status', this.status('offline'), { qos: 1, retain: true })
    await this.client.endAsync()
    this.client = null
  }

  /** The command of each channel, and where it came from. */
  order(channel: number): Order {
    const { command, config } = this
    const valve = command?.value.valves.find((each) => each.channel === channel)
    if (config?.watched?.includes(channel)) {
      const power = this.options.thermostats?.get(channel)?.isOn ? 1 : 0
      return { power, windowS: valve?.window_s ?? DEFAULT_WINDOW_S, seq: null, source: 'watched' }
    }
    if (command && valve && this.commandHolds(command))
      return { power: valve.power, windowS: valve.window_s, seq: command.value.seq, source: 'command' }
    const power = config?.fallback.power[String(channel)] ?? 0
    return { power, windowS: valve?.window_s ?? DEFAULT_WINDOW_S, seq: null, source: 'fallback' }
  }

  private commandHolds({ value, arrivedMs }: { value: PowerCommand; arrivedMs: number }): boolean {
    const holdsS = Math.min(value.valid_s, this.config?.fallback.after_s ?? value.valid_s)
    return this.options.clock.now() - arrivedMs <= holdsS * 1000
  }

  private greet() {
    this.publish('status', this.status('online'), { qos: 1, retain: true })
    this.beat()
    this.resend(this.options.clock.now())
  }

  private tick() {
    const nowMs = this.options.clock.now()
    const houseS = ((nowMs - this.movedMs) / 1000) * (this.options.speed ?? 1)
    this.movedMs = nowMs
    this.warmWater(nowMs)
    const readings: HouseReading[] = []
    // The valves may move every ten seconds of the house, however fast it runs.
    for (let leftS = houseS; leftS > 0; leftS -= 10) readings.push(...this.moveHouse(Math.min(10, leftS), nowMs))
    if (readings.length > 0) this.publish('readings', this.outbox.add(latestOf(readings, nowMs), nowMs), { qos: 1 })
  }

  private moveHouse(dtS: number, nowMs: number): HouseReading[] {
    const minOpenS = this.config?.min_open_s ?? 0
    const open = new Map<number, number>()
    for (const window of this.windows) {
      const result = window.advance(dtS, this.order(window.channel), minOpenS, nowMs)
      open.set(window.channel, result.open)
      if (result.report) this.publish('window', result.report, { qos: 1 })
    }
    const { readings } = this.house.advance(dtS, open)
    for (const { channel, sensorId } of this.house.plan.rooms) {
      const reading = readings.find((each) => each.sensorId === sensorId)
      if (reading) this.options.thermostats?.get(channel)?.measure(reading.temperature, reading.atMs)
    }
    return readings
  }

  /** As the source is asked for; every change is reported. */
  private warmWater(nowMs: number) {
    const waterC = this.source.waterC(nowMs)
    if (waterC === this.house.waterC) return
    this.house.setWater(waterC)
    this.reportSource(nowMs)
  }

  private reportSource(nowMs: number) {
    const report = this.source.report(nowMs)
    if (report) this.publish('source', report, { qos: 1 })
  }

  private beat() {
    const nowMs = this.options.clock.now()
    this.reportSource(nowMs)
    const heartbeat: Heartbeat = {
      boot: this.options.boot,
      timestamp: new Date(nowMs).toISOString(),
      uptime_s: Math.round((nowMs - this.startedMs) / 1000),
      buffered: this.outbox.size,
      clock_ok: true,
    }
    this.publish('heartbeat', heartbeat, { qos: 0 })
  }

  private resend(beforeMs: number) {
    for (const message of this.outbox.waiting(beforeMs, RESEND_AT_ONCE)) this.publish('readings', message, { qos: 1 })
  }

  private hear(topic: string, payload: Uint8Array) {
    const { gatewayId } = this.options
    if (topic === downTopic(gatewayId, 'commit')) {
      const commit = parsePayload(DOWN.commit, payload)
      if (commit.ok) this.outbox.commit(commit.value.boot, commit.value.n)
    } else if (topic === downTopic(gatewayId, 'config')) {
      const config = parsePayload(DOWN.config, payload)
      if (config.ok) this.applyConfig(config.value)
    } else if (topic === downTopic(gatewayId, 'power')) {
      const command = parsePayload(DOWN.power, payload)
      if (command.ok) this.publish('ack', this.obey(command.value), { qos: 1 })
    } else if (topic === downTopic(gatewayId, 'source')) {
      const command = parsePayload(DOWN.source, payload)
      if (command.ok) this.askSource(command.value)
    }
  }

  private applyConfig(config: GatewayConfig) {
    this.config = config
    this.publish('status', this.status('online'), { qos: 1, retain: true })
  }

  private askSource(command: SourceCommand) {
    const nowMs = this.options.clock.now()
    this.source.take(command, nowMs)
    this.warmWater(nowMs)
  }

  private obey(command: PowerCommand): Ack {
    const { epoch, seq } = command
    const nowMs = this.options.clock.now()
    const last = this.command?.value
    if (last && (epoch < last.epoch || (epoch === last.epoch && seq < last.seq))) return { epoch, seq, result: 'stale' }
    if (Date.parse(command.issued) + command.valid_s * 1000 < nowMs) return { epoch, seq, result: 'expired' }
    const unnamed = this.windows.find(({ channel }) => !command.valves.some((valve) => valve.channel === channel))
    if (unnamed) return { epoch, seq, result: 'rejected', why: `channel ${unnamed.channel} is not named` }
    this.command = { value: command, arrivedMs: nowMs }
    return { epoch, seq, result: 'accepted' }
  }

  private status(state: GatewayStatus['state']): string {
    const status: GatewayStatus = {
      state,
      boot: this.options.boot,
      version: 'virtual',
      channels: this.options.house.plan.rooms.length,
      config_revision: this.config?.revision ?? null,
      watches: true,
    }
    return JSON.stringify(status)
  }

  private publish(name: keyof typeof UP, body: object | string, options: { qos: 0 | 1; retain?: boolean }) {
    const payload = typeof body === 'string' ? body : JSON.stringify(body)
    // Readings wait in the outbox and the rest is said again, so nothing needs the client's own queue.
    if (this.client?.connected) this.client.publish(upTopic(this.options.gatewayId, name), payload, options)
  }
}

/** One per sensor: a fast house brings many within a tick, and they would all bear the same time stamp. */
function latestOf(readings: HouseReading[], nowMs: number): GatewayReading[] {
  const bySensor = new Map(readings.map((reading) => [reading.sensorId, reading]))
  const timestamp = new Date(nowMs).toISOString()
  return [...bySensor.values()].map(({ sensorId, temperature, humidity, batt, rssi }) => ({
    id: sensorId,
    temperature,
    humidity,
    batt,
    rssi,
    timestamp,
  }))
}
