import {
  type Ack,
  type Commit,
  type GatewayStatus,
  type Heartbeat,
  MOST_FILE_CHARACTERS,
  type PowerCommand,
  timestampOf,
  type UP,
  upTopic,
  type WindowReport,
} from '@hypocaust/domain'
import type { Clock } from '../base/clock.ts'
import type { Link } from '../base/link.ts'
import type { Complain } from '../base/log.ts'
import type { GatewaySettings, ServiceSettings } from '../config/settings.ts'
import type { Heating } from '../heating/heating.ts'
import type { ReadingBuffer } from './buffer.ts'
import { type ConditionParts, Conditions } from './conditions.ts'
import type { NamedAgent } from './named-agent.ts'
import type { Presence } from './presence.ts'
import { type Instant, Uplink, type WireReading } from './uplink.ts'

const HEARTBEAT_MS = 60_000
const MOST_REPORTS = 2_000

interface ReporterParts {
  settings: GatewaySettings & { service: ServiceSettings }
  version: string
  host: string
  clock: Clock
  service: Link
  buffer: ReadingBuffer
  heating: Heating
  named: NamedAgent
  presence: Presence
  conditionsOf: Pick<ConditionParts, 'proofs' | 'grid' | 'meters' | 'covers'>
  complain: Complain
}

/** What the gateway sends to its service: readings, its own state, acknowledgements and reports. */
export class Reporter {
  readonly #parts: ReporterParts
  readonly #uplink: Uplink
  readonly #conditions: Conditions
  #saidAgent: GatewayStatus['agent']
  /** Whether the service has been sent the file: it is read at the start, so once is enough. */
  #isCopied = false
  #reports: WindowReport[] = []
  /** Of the last command, until it has been sent. */
  #ack: Ack | null = null
  /** Of the command that is to be acknowledged. */
  #trace: { traceparent: string; arrivedMs: number } | null = null
  #startedMs = 0
  #beatMs = Number.NEGATIVE_INFINITY

  constructor(parts: ReporterParts) {
    const { buffer, clock, heating, presence, conditionsOf } = parts
    this.#parts = parts
    this.#uplink = new Uplink(buffer, (message) => this.#say('readings', message, 1))
    const say = (name: 'relays' | 'source', message: object) => this.#say(name, message, 1)
    this.#conditions = new Conditions({ ...conditionsOf, clock, heating, presence, say })
  }

  /** The broker says this for us when we fall silent. */
  get will() {
    return { topic: this.#topic('status'), payload: JSON.stringify(this.#status('offline')) }
  }

  start(): void {
    this.#startedMs = this.#parts.clock.monotonicMs()
  }

  /** A new connection to the service. */
  connected(now: Instant): void {
    this.#uplink.connected()
    this.#sayStatus()
    this.#conditions.forget()
    this.#beat(now)
  }

  /** Sends what is due on the connection there is. */
  step(now: Instant): void {
    const { presence, named } = this.#parts
    if (this.#agent !== this.#saidAgent) this.#sayStatus()
    if (presence.drives && !this.#isCopied) this.#sendCopy()
    this.#uplink.pump(now)
    this.#acknowledge()
    this.#sendReports()
    // The agent that is named reports them.
    if (!named.isOther(now.monoMs)) this.#conditions.send(now.monoMs)
    if (now.monoMs - this.#beatMs >= HEARTBEAT_MS) this.#beat(now)
  }

  /** Stores the readings until the service has committed them, and sends them if it can. */
  keep(readings: WireReading[], now: Instant): void {
    const { service, complain } = this.#parts
    const lost = this.#uplink.add(readings, service.connected, now)
    if (lost > 0) complain('full', `the buffer is full: the oldest ${lost} readings were dropped`)
  }

  committed(commit: Commit, now: Instant): void {
    this.#uplink.committed(commit)
    this.#uplink.pump(now)
  }

  /** The service has started anew: what it did not answer before, it has not. */
  serviceStarted(): void {
    this.#uplink.connected()
    this.#sayStatus()
  }

  sayGoodbye(): void {
    this.#say('status', this.#status('offline'), 1, true)
  }

  /** To be sent: `ack`, of a command that arrived then. */
  answer(ack: Ack, { traceparent }: PowerCommand, arrivedMs: number): void {
    this.#ack = ack
    this.#trace = typeof traceparent === 'string' ? { traceparent, arrivedMs } : null
    this.#acknowledge()
  }

  queueReport(report: WindowReport): void {
    this.#reports.push(report)
    if (this.#reports.length > MOST_REPORTS) this.#reports = this.#reports.slice(-MOST_REPORTS)
  }

  /** What this agent does with the outputs; unknown until the service has said on this connection which one it named. */
  get #agent(): GatewayStatus['agent'] {
    const { named, presence } = this.#parts
    if (!named.isHeard || presence.role === 'listens') return undefined
    return presence.drives ? 'drives' : 'stands_by'
  }

  #sayStatus(): void {
    const { named, host } = this.#parts
    const agent = this.#agent
    if (agent === 'drives') named.claim()
    const status = { ...this.#status('online'), ...(agent && { agent, host }) }
    if (this.#say('status', status, 1, true)) this.#saidAgent = agent
  }

  #sendCopy(): void {
    const { settings, complain } = this.#parts
    const { copy } = settings
    const isTooLong = copy !== null && copy.length > MOST_FILE_CHARACTERS
    if (isTooLong) complain('copy', 'gateway.yaml is too long for the service to keep a copy')
    this.#isCopied = copy === null || isTooLong || this.#say('file', { text: copy }, 1)
  }

  /** A command that waits for another agent to leave the outputs is acknowledged when this one carries it out. */
  #acknowledge(): void {
    const { presence, heating } = this.#parts
    if (!this.#ack || presence.isStandingBy) return
    if (this.#ack.result === 'accepted' && !heating.follows(this.#ack)) this.#ack = null
    else if (this.#say('ack', { ...this.#ack, ...this.#traced() }, 1)) this.#ack = null
  }

  /** Of a command that is part of a trace: what the service needs to show the gateway's share of it. */
  #traced(): Pick<Ack, 'traceparent' | 'took_ms'> {
    if (!this.#trace) return {}
    const { traceparent, arrivedMs } = this.#trace
    return { traceparent, took_ms: Math.round(this.#parts.clock.monotonicMs() - arrivedMs) }
  }

  #sendReports(): void {
    const reports = this.#reports
    this.#reports = []
    for (const report of reports) if (!this.#say('window', report, 1)) this.queueReport(report)
  }

  #beat({ monoMs, wallMs, clockOk }: Instant): void {
    const { buffer } = this.#parts
    this.#beatMs = monoMs
    const heartbeat: Heartbeat = {
      boot: buffer.boot,
      timestamp: timestampOf(wallMs),
      uptime_s: Math.floor((monoMs - this.#startedMs) / 1000),
      buffered: buffer.readings,
      clock_ok: clockOk,
    }
    this.#say('heartbeat', heartbeat, 0)
  }

  #status(state: GatewayStatus['state']): GatewayStatus {
    const { settings, version, buffer, heating } = this.#parts
    return {
      state,
      boot: buffer.boot,
      version,
      channels: settings.channels.length,
      config_revision: heating.configRevision,
      watches: true,
      moves: true,
    }
  }

  #say(name: keyof typeof UP, message: object, qos: 0 | 1, retain = false): boolean {
    return this.#parts.service.publish(this.#topic(name), JSON.stringify(message), { qos, retain })
  }

  #topic(name: keyof typeof UP): string {
    return upTopic(this.#parts.settings.service.gatewayId, name)
  }
}
