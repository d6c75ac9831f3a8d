import {
  Commit,
  DOWN,
  downTopic,
  GatewayConfig,
  GatewayMove,
  PowerCommand,
  parsePayload,
  SourceCommand,
} from '@hypocaust/domain'
import type { Static, TSchema } from 'typebox'
import type { Heard } from '../adapters/adapter.ts'
import type { Counters } from '../adapters/bthome.ts'
import { Adapters } from '../adapters/index.ts'
import { Strongest } from '../adapters/strongest.ts'
import type { Clock } from '../base/clock.ts'
import { ClockCheck } from '../base/clock-check.ts'
import type { Link } from '../base/link.ts'
import { type Complain, type Log, throttled } from '../base/log.ts'
import type { Store } from '../base/store.ts'
import { type GatewaySettings, replyTopic, type ServiceSettings } from '../config/settings.ts'
import { Covers } from '../covers/covers.ts'
import { Heating } from '../heating/heating.ts'
import { GridInputs } from '../inputs/grid.ts'
import { Meters } from '../inputs/meters.ts'
import type { AgentState } from '../page/state.ts'
import { AutoOffProofs } from '../valves/auto-off.ts'
import { ReadingBuffer } from './buffer.ts'
import { Contacts } from './contacts.ts'
import { forgetFormerIdentity } from './former-identity.ts'
import { holdTopic, parseHold } from './hold.ts'
import { NamedAgent } from './named-agent.ts'
import { Presence, presenceTopic } from './presence.ts'
import { Reporter } from './reporter.ts'
import { type Instant, wireReading } from './uplink.ts'

const FLUSH_MS = 5_000
/** A valve that has moved is saved at once; how far its loop is behind, so often. */
const SAVE_MS = 300_000
/** How soon a running agent learns of a proof that `test --auto-off` has written. */
const PROOFS_MS = 60_000

interface AgentParts {
  settings: GatewaySettings & { service: ServiceSettings }
  version: string
  /** Tells this run of the agent from any other, also of the same identity. */
  instance: string
  host: string
  clock: Clock
  clockIsSet(): boolean
  store: Store
  devices: Link
  service: Link
  log: Log
  /** With every reading of a sensor, for the page. */
  onHeard?: (reading: Heard) => void
  /** The building is on another service, whose broker has this address. */
  onMove?: (url: string) => void
}

/** The gateway without its sockets: from the messages and the time it gets, it decides what to publish. */
export class Agent {
  readonly #parts: AgentParts
  readonly #id: string
  readonly #counters: Counters = new Map()
  readonly #adapters: Adapters
  readonly #strongest: Strongest
  readonly #contacts = new Contacts()
  readonly #buffer: ReadingBuffer
  readonly #proofs: AutoOffProofs
  readonly #heating: Heating
  readonly #named: NamedAgent
  readonly #presence: Presence
  readonly #grid: GridInputs
  readonly #meters: Meters
  readonly #covers: Covers
  readonly #clockCheck: ClockCheck
  readonly #complain: Complain
  readonly #reporter: Reporter
  #flushedMs = 0
  #savedMs = 0
  #proofsReadMs = 0

  constructor(parts: AgentParts) {
    const { settings, clock, store, log } = parts
    this.#parts = parts
    this.#proofs = new AutoOffProofs(settings.dataFolder)
    this.#id = settings.service.gatewayId
    this.#adapters = new Adapters(settings.sources, {
      counters: this.#counters,
      beforeTheList: 'wait',
      replyTo: replyTopic(settings),
    })
    this.#strongest = new Strongest(settings)
    this.#buffer = new ReadingBuffer(store, settings.bufferBytes)
    this.#grid = new GridInputs(settings.grid, (line) => this.#complain(line, line))
    this.#clockCheck = new ClockCheck(clock, parts.clockIsSet)
    this.#complain = throttled(log, () => clock.monotonicMs())
    this.#meters = new Meters(settings.meters, (line) => this.#complain(line, line))
    this.#named = new NamedAgent(store)
    this.#presence = new Presence({
      instance: parts.instance,
      host: parts.host,
      isRefused: () => parts.service.refused,
      isOtherNamed: () => this.#named.isOther(clock.monotonicMs()),
      announce: (announcement) =>
        parts.devices.publish(presenceTopic(this.#id), JSON.stringify(announcement), { qos: 0, retain: false }),
      log: (line) => this.#complain(line, line),
    })
    this.#heating = new Heating({
      settings,
      clock,
      store,
      isClockOk: () => this.#clockCheck.ok,
      isAutoOffProven: (relay) => this.#proofs.isProven(relay),
      publish: ({ topic, payload }) => parts.devices.publish(topic, payload, { qos: 0, retain: false }),
      report: (report) => this.#reporter.queueReport(report),
      log: (line) => this.#complain(line, line),
    })
    this.#covers = new Covers({
      ...{ settings: settings.covers, clock, store },
      isClockOk: () => this.#clockCheck.ok,
      publish: ({ topic, payload }) => parts.devices.publish(topic, payload, { qos: 0, retain: false }),
      log: (line) => this.#complain(line, line),
    })
    this.#reporter = new Reporter({
      ...{ settings, clock, version: parts.version, host: parts.host, service: parts.service },
      ...{ buffer: this.#buffer, heating: this.#heating, named: this.#named, presence: this.#presence },
      conditionsOf: { proofs: this.#proofs, grid: this.#grid, meters: this.#meters, covers: this.#covers },
      complain: this.#complain,
    })
  }

  get deviceSubscriptions(): string[] {
    return [
      ...new Set([
        ...this.#adapters.subscriptions,
        ...this.#heating.subscriptions,
        ...this.#grid.subscriptions,
        ...this.#meters.subscriptions,
        ...this.#covers.subscriptions,
        holdTopic(this.#id),
        presenceTopic(this.#id),
      ]),
    ]
  }

  get serviceSubscriptions(): string[] {
    return Object.keys(DOWN).map((name) => downTopic(this.#id, name as keyof typeof DOWN))
  }

  /** The broker says this for us when we fall silent. */
  get will() {
    return this.#reporter.will
  }

  start(): void {
    const { store, clock } = this.#parts
    forgetFormerIdentity(store, this.#id)
    for (const [id, counter] of store.get<[string, { counter: number; atMs: number }][]>('counters') ?? [])
      this.#counters.set(id, counter)
    this.#flushedMs = this.#savedMs = this.#proofsReadMs = clock.monotonicMs()
    this.#reporter.start()
    this.#buffer.start(clock.bootId())
    this.#named.start(this.#buffer.boot)
    this.#heating.start()
    this.#covers.start()
    this.#heating.drive('listens')
  }

  /** Called several times a second; everything that takes time happens here. */
  tick(): void {
    const now = this.#now()
    const due = this.#strongest.due(now.monoMs)
    if (due.length > 0) this.#reporter.keep(due.map(wireReading), now)
    if (!this.#parts.service.connected) this.#named.disconnected(now.monoMs)
    this.#takeRole(now.monoMs)
    this.#heating.step()
    if (this.#presence.drives) this.#covers.step()
    this.#complain.flush()
    if (this.#parts.service.connected) this.#reporter.step(now)
    if (now.monoMs - this.#flushedMs >= FLUSH_MS) {
      this.#flushedMs = now.monoMs
      this.#buffer.flush()
    }
    if (now.monoMs - this.#proofsReadMs >= PROOFS_MS) {
      this.#proofsReadMs = now.monoMs
      this.#proofs.read()
    }
    if (now.monoMs - this.#savedMs >= SAVE_MS) this.#save(now.monoMs)
  }

  /** For the page of the agent. */
  get state(): AgentState {
    const { service, devices, clock, version } = this.#parts
    const { channels, source } = this.#heating
    const nowMs = clock.monotonicMs()
    const supplyC = source.lock.supplyC(nowMs)
    return {
      version,
      role: this.#presence.role,
      isServiceConnected: service.connected,
      areDevicesConnected: devices.connected,
      isClockOk: this.#clockCheck.ok,
      buffered: this.#buffer.readings,
      channels: channels.map((channel) => ({
        ...channel.state(nowMs),
        autoOff: this.#proofs.of(channel.settings, channel.settings.normally),
      })),
      sources: source.outputs.states(nowMs),
      lock: source.lock.reason,
      supplyC: supplyC === null ? null : Math.round(supplyC),
    }
  }

  /** Another agent of this identity drives the outputs. */
  get isStandingBy(): boolean {
    return this.#presence.isStandingBy
  }

  devicesUp(): void {
    this.#presence.connected(this.#parts.clock.monotonicMs())
    this.#heating.devicesUp()
    this.tick()
  }

  deviceMessage(topic: string, payload: Uint8Array, retained: boolean): void {
    if (topic === holdTopic(this.#id)) {
      const hold = retained ? undefined : parseHold(payload)
      if (hold) this.#heating.hold(hold.channel, hold.seconds)
      return
    }
    const { clock } = this.#parts
    if (topic === presenceTopic(this.#id)) {
      if (!retained) this.#presence.receive(payload, clock.monotonicMs())
      return
    }
    this.#heating.deviceMessage(topic, payload, retained)
    this.#grid.receive(topic, payload, clock.monotonicMs())
    this.#covers.receive(topic, payload)
    // A retained counter may be of any age.
    if (!retained) this.#meters.receive(topic, payload, clock.nowMs())
    const news = this.#adapters.read({ topic, payload, retained, nowMs: clock.nowMs() })
    for (const probe of [...news.readings, ...news.floors]) this.#heating.heard(probe)
    for (const reading of news.readings) {
      this.#strongest.hear(reading, clock.monotonicMs())
      this.#parts.onHeard?.(reading)
    }
    const contacts = this.#contacts.hear(news.contacts, clock.monotonicMs())
    if (contacts.length > 0) this.#reporter.keep(contacts, this.#now())
    for (const { topic, payload } of this.#adapters.questions())
      this.#parts.devices.publish(topic, payload, { qos: 0, retain: false })
  }

  serviceUp(): void {
    this.#named.connected(this.#parts.clock.monotonicMs())
    this.#reporter.connected(this.#now())
    this.tick()
  }

  serviceDown(): void {
    this.#named.disconnected(this.#parts.clock.monotonicMs())
  }

  serviceMessage(topic: string, payload: Uint8Array): void {
    const take = <S extends TSchema>(schema: S, use: (value: Static<S>) => void) => {
      const parsed = parsePayload(schema, payload)
      if (parsed.ok) use(parsed.value)
      else this.#complain(topic, `the service sent something on ${topic} that is ${parsed.why}`)
    }
    if (topic === downTopic(this.#id, 'commit')) take(Commit, (commit) => this.#reporter.committed(commit, this.#now()))
    if (topic === downTopic(this.#id, 'power')) take(PowerCommand, (command) => this.#command(command))
    if (topic === downTopic(this.#id, 'source')) take(SourceCommand, (command) => this.#source(command))
    if (topic === downTopic(this.#id, 'config')) take(GatewayConfig, (config) => this.#configure(config))
    if (topic === downTopic(this.#id, 'move')) take(GatewayMove, ({ url }) => this.#parts.onMove?.(url))
  }

  /** Stores what was heard, says goodbye. Valves are left to their relays' auto-off, or closed where there is none. */
  stop(): void {
    const now = this.#now()
    const rest = this.#strongest.rest()
    if (rest.length > 0) this.#reporter.keep(rest.map(wireReading), now)
    this.#heating.leave()
    this.#buffer.flush()
    this.#save(now.monoMs)
    this.#reporter.sayGoodbye()
  }

  /** The service says this when it starts. */
  #configure(config: GatewayConfig): void {
    const { monoMs } = this.#now()
    this.#named.hear(config.agent, monoMs)
    this.#takeRole(monoMs)
    this.#heating.configure(config)
    this.#reporter.serviceStarted()
  }

  #takeRole(monoMs: number): void {
    this.#presence.step(monoMs)
    // The agent that the service has named may not reach the outputs behind this broker.
    if (this.#presence.isStandingBy && this.#presence.other === null) this.#heating.leave()
    this.#heating.drive(this.#presence.role)
  }

  #source(command: SourceCommand): void {
    this.#heating.sourceCommand(command)
    if (this.#presence.drives) this.#covers.command(command)
  }

  #command(command: PowerCommand): void {
    const arrivedMs = this.#parts.clock.monotonicMs()
    const issuedMs = Date.parse(command.issued)
    if (!Number.isNaN(issuedMs)) this.#clockCheck.serviceTime(issuedMs)
    this.#reporter.answer(this.#heating.command(command), command, arrivedMs)
  }

  #save(monoMs: number): void {
    this.#savedMs = monoMs
    this.#heating.save()
    this.#parts.store.put('counters', [...this.#counters])
  }

  #now(): Instant {
    const { clock } = this.#parts
    return { monoMs: clock.monotonicMs(), wallMs: clock.nowMs(), clockOk: this.#clockCheck.ok }
  }
}
