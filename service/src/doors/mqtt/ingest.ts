import { downTopic, SILENT_AFTER_S } from '@hypocaust/domain'
import type { Compilable } from 'kysely'
import type { Logger } from 'pino'
import type { MaybePromise } from '../../base/at-once.ts'
import { type Clock, LatestTime } from '../../base/clock.ts'
import type { Metrics } from '../../base/metrics.ts'
import { OncePerMinute } from '../../base/once-per-minute.ts'
import { nowMs, type Span, traceparentOf } from '../../base/tracing/span.ts'
import type { Tracer } from '../../base/tracing/tracer.ts'
import { movedAmong } from '../../house/gateways/moved.ts'
import { meterUpserts } from '../../house/heat/meters.ts'
import { type Intake, intakeOf, type KnownSensors, knownSensors } from '../../house/readings/intake.ts'
import { type IntakeStatements, intakeStatements } from '../../house/readings/statements.ts'
import type { Traces } from '../../processes/building-shares.ts'
import { type Store, StoreError } from '../../store/store.ts'
import { traceAnswer } from './command-traces.ts'
import {
  ackUpdate,
  fileUpdate,
  hasCommand,
  heartbeatUpdate,
  isConfirmation,
  relaysUpdate,
  sourceUpdate,
  statusUpdate,
  windowInsert,
} from './gateway-updates.ts'
import { type KnownGateway, knownGateways } from './known-gateways.ts'
import type { MqttLink, MqttMessage } from './link.ts'
import { isMoving, isPassing, outcomeOf } from './message-outcome.ts'
import { publishMove } from './moves.ts'
import { byKey, type MessageKey, storedBefore } from './repeated-messages.ts'
import { readUpMessage, type UnreadableMessage, type UpMessage, type UpName } from './up-message.ts'

export interface IngestParts {
  store: Store
  clock: Clock
  link: MqttLink
  metrics: Metrics
  tracer: Tracer
  logger: Logger
  /**
   * Buildings whose live readings have just been committed, or whose gateway reports for the first time in a while; with
   * the traces that are recorded.
   */
  onReadings(buildingIds: string[], traces: Traces): void
  /** Sensors a building may have; 500 unless given. */
  mostSensors?: number
  /** How long a message waits for others, to be written with them; a quarter of a second unless given. */
  gatherMs?: number
  /** A gateway has come up: it is to hear its command at once. */
  onGatewayOnline(buildingId: string): void
  /** A gateway has reported what it asks of the heat source of its building, which another gateway works. */
  onHeatRequest(buildingId: string): void
}

const DEFAULT_GATHER_MS = 250
const MAX_BATCH = 200
const MAX_BATCH_BYTES = 512 * 1024
/** Beyond either, senders wait: what does not fit stays in their buffers, not in our memory. */
const MAX_WAITING = 1000
const MAX_WAITING_BYTES = 8 * 1024 * 1024
const RETRY_AFTER_MS = 1000
const MOST_TRIES = 5
const DEFAULT_MOST_SENSORS = 500

/** Read when it is written: messages that are read one after the other take a fraction of the time. */
interface Arrived {
  message: MqttMessage
  receivedAt: number
  latestMs: number
  tries: number
  arrivedMs: number
  /** Of readings, where their trace is recorded. */
  span: Span | undefined
}

interface Understood extends UpMessage {
  arrived: Arrived
}

type Refused =
  | (UnreadableMessage & { outcome: 'malformed' })
  | { gatewayId: string; name: UpName; outcome: 'unknown_gateway' }

interface Job extends Understood, Work {
  gateway: KnownGateway
  /** Of a message of readings, which counts once however often it comes. */
  key: MessageKey | undefined
}

interface Work {
  queries: Compilable[]
  intake?: Intake
  online?: 'comes up' | 'confirms'
  /** Of an answer to a command: one that comes again is not traced again. */
  isFirst?: boolean
}

type Done = { job: Job; result: PromiseSettledResult<unknown> }

/** Takes messages in: gathers them for a moment, writes them in one transaction, then says which are safe. */
export class Ingest {
  readonly #parts: IngestParts
  readonly #statements: IntakeStatements
  readonly #complaints: OncePerMinute
  readonly #latest: LatestTime
  #waiting: Arrived[] = []
  #waitingBytes = 0
  #flushing: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #stopped = false
  /** After an outage gateways send again what they had sent, until they hear of it. */
  #areRepeatsComing = false

  constructor(parts: IngestParts) {
    this.#parts = parts
    this.#statements = intakeStatements(parts.store)
    this.#complaints = new OncePerMinute(parts.clock)
    this.#latest = new LatestTime(parts.clock)
    const { beforeRead, messagesWaiting, saturation } = parts.metrics
    beforeRead.push(() => {
      messagesWaiting.set(this.#waiting.length)
      saturation.set({ resource: 'intake' }, this.#fullness)
    })
  }

  /** A promise where there is no room for more; it resolves when there is. */
  accept(message: MqttMessage): MaybePromise<void> {
    if (this.#stopped) return
    const receivedAt = this.#parts.clock.now()
    const isReadings = message.topic.endsWith('/up/readings')
    const span = isReadings ? this.#parts.tracer.begin('readings', 'consumer') : undefined
    this.#waiting.push({ message, receivedAt, latestMs: this.#latest.now(), tries: 0, arrivedMs: nowMs(), span })
    this.#waitingBytes += message.payload.length
    this.#flushSoon()
    if (this.#fullness >= 1) return this.#untilRoom()
  }

  async #untilRoom(): Promise<void> {
    while (this.#fullness >= 1 && !this.#stopped) await (this.#flushing ?? this.#flush())
  }

  /** Writes what is still waiting, unless the database is away: then the gateways send it again. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.#flushing
    for (let before = Number.POSITIVE_INFINITY; this.#waiting.length > 0 && this.#waiting.length < before; ) {
      before = this.#waiting.length
      await this.#flush()
    }
  }

  /** Half full: what else the process does can wait. */
  get isBehind(): boolean {
    return this.#fullness >= 0.5
  }

  get #fullness(): number {
    return Math.max(this.#waiting.length / MAX_WAITING, this.#waitingBytes / MAX_WAITING_BYTES)
  }

  #flushSoon(): void {
    if (this.#flushing || this.#stopped) return
    const isBatch = this.#waiting.length >= MAX_BATCH || this.#waitingBytes >= MAX_BATCH_BYTES
    if (this.#timer && !isBatch) return
    clearTimeout(this.#timer)
    const { gatherMs = DEFAULT_GATHER_MS } = this.#parts
    this.#timer = setTimeout(() => this.#flush(), isBatch ? 0 : gatherMs)
  }

  #flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#flushing ??= this.#writeWaiting().finally(() => {
      this.#flushing = undefined
      if (this.#waiting.length > 0) this.#flushSoon()
    })
    return this.#flushing
  }

  async #writeWaiting(): Promise<void> {
    const batch = this.#nextBatch()
    if (batch.length === 0) return
    try {
      const { jobs, refused } = await this.#jobsOf(batch)
      const done = await this.#write(jobs)
      const again = new Set(done.filter((each) => isWorthAnotherTry(each)).map(({ job }) => job.arrived))
      this.#waiting = this.#waiting.filter((arrived, i) => i >= batch.length || again.has(arrived))
      const over = batch.filter((arrived) => !again.has(arrived))
      this.#waitingBytes -= bytesOf(over)
      for (const { message } of over) message.confirm?.()
      for (const each of refused) this.#refuse(each)
      this.#sendOn(refused).catch((err) => this.#parts.logger.warn({ err }, 'a gateway that has moved was not told'))
      this.#conclude(done.filter(({ job }) => !again.has(job.arrived)))
      for (const { span } of over) span?.end()
    } catch (error) {
      // The database is away: everything stays where it is, and senders are held back until it returns.
      this.#parts.logger.error({ err: error }, 'readings cannot be stored; trying again')
      await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS))
    }
  }

  /**
   * A message that was stored before fails all that are written with it, and then each has to be written by itself. So
   * where some were, the next are looked up first: else gateways that send again would be faster than the database.
   */
  async #write(jobs: Job[]): Promise<Done[]> {
    const keys = jobs.flatMap(({ key }) => key ?? [])
    const isStored = await storedBefore(this.#parts.store, this.#areRepeatsComing ? keys : [])
    const firsts = byKey(jobs)
    const fresh = [...new Set(firsts.values())].filter(({ key }) => !(key && isStored(key)))
    const written = await this.#writeFresh(fresh)
    const done = jobs.map((job) => ({ job, result: resultOf(job, firsts, written) }))
    this.#areRepeatsComing = done.some(({ result }) => outcomeOf(result) === 'duplicate')
    return done
  }

  async #writeFresh(jobs: Job[]): Promise<Map<Job, Done['result']>> {
    const { store } = this.#parts
    if (jobs.length === 0) return new Map()
    const locks = store.statements.lockBuildings(new Set(jobs.map(({ gateway }) => gateway.buildingId)))
    const batches = jobs.map(({ queries, intake }) => ({ queries, ...(intake && { limits: intake.limits }) }))
    const commits = jobs.flatMap(({ arrived }) => arrived.span?.child('commit') ?? [])
    const results = (await store.batchEach([...locks, ...batches])).slice(locks.length)
    for (const commit of commits) commit.end()
    const [first] = results
    if (first && results.every(isPassing)) throw (first as PromiseRejectedResult).reason
    return new Map(jobs.map((job, i) => [job, results[i] as Done['result']]))
  }

  /** At least one message, however large. */
  #nextBatch(): Arrived[] {
    const batch: Arrived[] = []
    let bytes = 0
    for (const arrived of this.#waiting) {
      bytes += arrived.message.payload.length
      if (batch.length === MAX_BATCH || (batch.length > 0 && bytes > MAX_BATCH_BYTES)) break
      batch.push(arrived)
    }
    return batch
  }

  async #jobsOf(batch: Arrived[]): Promise<{ jobs: Job[]; refused: Refused[] }> {
    const { store, mostSensors = DEFAULT_MOST_SENSORS } = this.#parts
    const jobs: Job[] = []
    const refused: Refused[] = []
    const understood: Understood[] = []
    for (const arrived of batch) {
      const read = readUpMessage(arrived.message)
      if (!read) continue
      if ('why' in read) refused.push({ ...read, outcome: 'malformed' })
      else understood.push({ arrived, ...read })
    }
    if (understood.length === 0) return { jobs, refused }
    const gateways = await knownGateways(store, new Set(understood.map(({ gatewayId }) => gatewayId)))
    const heardBy = understood.flatMap(({ gatewayId, payload }) =>
      payload.name === 'readings' ? (gateways.get(gatewayId)?.buildingId ?? []) : [],
    )
    const sensors = await knownSensors(store, new Set(heardBy), mostSensors)
    for (const each of understood) {
      const { gatewayId, payload } = each
      const gateway = gateways.get(gatewayId)
      const key = payload.name === 'readings' ? { gatewayId, boot: payload.value.boot, n: payload.value.n } : undefined
      if (gateway) jobs.push({ ...each, gateway, key, ...this.#workOf(each, gateway, sensors) })
      else refused.push({ gatewayId, name: payload.name, outcome: 'unknown_gateway' })
    }
    return { jobs, refused }
  }

  #workOf({ arrived, gatewayId, payload }: Understood, gateway: KnownGateway, sensors: KnownSensors): Work {
    const { store } = this.#parts
    const { receivedAt, latestMs } = arrived
    switch (payload.name) {
      case 'heartbeat':
        gateway.clockOk = payload.value.clock_ok !== false
        return { queries: [heartbeatUpdate(store, gatewayId, payload.value, receivedAt)] }
      case 'status': {
        const online = isConfirmation(gateway, payload.value) ? 'confirms' : 'comes up'
        // What it is after this message is known once that is stored: another one of the batch confirms nothing.
        gateway.state = null
        const queries = statusUpdate(store, gatewayId, payload.value, receivedAt)
        return { queries, ...(payload.value.state === 'online' && { online }) }
      }
      case 'ack': {
        const before = gateway.ackedSeq ?? 0
        gateway.ackedSeq = Math.max(before, payload.value.seq)
        return { queries: [ackUpdate(store, gatewayId, payload.value)], isFirst: payload.value.seq > before }
      }
      case 'window':
        return { queries: windowInsert(store, gatewayId, payload.value) }
      case 'relays':
        return { queries: [relaysUpdate(store, gatewayId, payload.value)] }
      case 'file':
        return { queries: [fileUpdate(store, gatewayId, payload.value)] }
      case 'source':
        return {
          queries: [
            sourceUpdate(store, gatewayId, payload.value),
            ...meterUpserts(store, gatewayId, payload.value.meters ?? [], receivedAt),
          ],
        }
      case 'readings': {
        const intake = intakeOf(
          this.#statements,
          { ...gateway, gatewayId, receivedAt, latestMs, envelope: payload.value },
          sensors,
        )
        return { intake, queries: intake.queries }
      }
    }
  }

  #conclude(done: Done[]): void {
    const { metrics, tracer, onReadings, onGatewayOnline, onHeatRequest } = this.#parts
    const traces: Traces = new Map()
    const steered = new Set<string>()
    const asking = new Set<string>()
    const online = new Set<string>()
    for (const { job, result } of done) {
      const { arrived, gatewayId, payload, gateway, intake } = job
      const outcome = outcomeOf(result)
      metrics.messages.inc({ topic: payload.name, outcome })
      if (arrived.span) arrived.span.attributes['hypocaust.outcome'] = outcome
      if (outcome === 'failed' && !isMoving(result)) {
        this.#complain(gatewayId, `${payload.name} not stored: ${(result as PromiseRejectedResult).reason}`)
      }
      if (payload.name === 'ack' && outcome === 'stored') {
        metrics.acknowledgements.inc({ result: payload.value.result })
        if (job.isFirst) traceAnswer(tracer, gatewayId, payload.value, arrived.arrivedMs)
      }
      if (job.online === 'comes up' || (job.online === 'confirms' && !hasCommand(gateway)))
        online.add(gateway.buildingId)
      if (payload.name === 'source' && payload.value.heat_request) asking.add(gateway.buildingId)
      if (payload.name === 'heartbeat' && isBack(gateway, arrived)) steered.add(gateway.buildingId)
      if (payload.name !== 'readings' || outcome === 'failed') continue
      this.#commit(gatewayId, payload.value)
      if (outcome === 'duplicate' || !intake) continue
      this.#count(gatewayId, intake)
      if (intake.accepted === 0 || payload.value.backfill === true) continue
      steered.add(gateway.buildingId)
      if (arrived.span) traces.set(gateway.buildingId, traceparentOf(arrived.span))
    }
    if (steered.size > 0) onReadings([...steered], traces)
    for (const buildingId of online) onGatewayOnline(buildingId)
    for (const buildingId of asking) onHeatRequest(buildingId)
  }

  /** Not waited for: a gateway slow to hear, or a broker busy with what we hold back, must not stop the intake. */
  #commit(gatewayId: string, { boot, n }: { boot: string; n: number }): void {
    const payload = JSON.stringify({ boot, n })
    void this.#parts.link.publish(downTopic(gatewayId, 'commit'), payload, { qos: 1, retain: false })
  }

  #count(gatewayId: string, { accepted, dropped }: Intake): void {
    this.#parts.metrics.readingsStored.inc(accepted)
    for (const reason of dropped) this.#parts.metrics.readingsDropped.inc({ reason })
    if (dropped.length > 0)
      this.#complain(gatewayId, `${dropped.length} readings dropped: ${[...new Set(dropped)].join(', ')}`)
  }

  /** Gateways whose building has left for another service are told where it is. */
  async #sendOn(refused: Refused[]): Promise<void> {
    const ids = new Set(refused.flatMap(({ outcome, gatewayId }) => (outcome === 'unknown_gateway' ? gatewayId : [])))
    if (ids.size === 0) return
    for (const gateway of await movedAmong(this.#parts.store, ids)) void publishMove(this.#parts.link, gateway)
  }

  #refuse(refused: Refused): void {
    const { gatewayId, name, outcome } = refused
    if (outcome === 'malformed') this.#complain(gatewayId, `${name}: ${refused.why}`)
    this.#parts.metrics.messages.inc({ topic: name, outcome })
  }

  #complain(gatewayId: string, why: string): void {
    if (this.#complaints.isFirst(gatewayId))
      this.#parts.logger.warn({ gateway: gatewayId, why }, 'bad input from a gateway')
  }
}

const bytesOf = (batch: Arrived[]): number => batch.reduce((sum, { message }) => sum + message.payload.length, 0)

/** Its rooms can be heated from now on, or again. */
const isBack = ({ lastSeenAt }: KnownGateway, { receivedAt }: Arrived): boolean =>
  lastSeenAt === null || receivedAt - lastSeenAt > SILENT_AFTER_S * 1000

const STORED_BEFORE: Done['result'] = { status: 'rejected', reason: new StoreError('unique', 'stored before') }

/** One that came again with the first of its key is stored if that one is, and tried again with it. */
function resultOf(job: Job, firsts: Map<Job, Job>, written: Map<Job, Done['result']>): Done['result'] {
  const own = written.get(job)
  if (own) return own
  const ofFirst = written.get(firsts.get(job) ?? job)
  return ofFirst?.status === 'rejected' ? ofFirst : STORED_BEFORE
}

const isWorthAnotherTry = ({ job, result }: Done): boolean => isPassing(result) && ++job.arrived.tries < MOST_TRIES
