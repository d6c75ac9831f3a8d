import { setTimeout as sleep } from 'node:timers/promises'
import { sensorOf } from '../faults/codes.ts'
import { Sender } from '../faults/sender.ts'
import { CERTIFICATE, Installation } from '../test/installation.ts'
import { SecureClient } from '../test/secure-client.ts'
import { trialHouse } from '../trial-house.ts'
import { Course } from './course.ts'
import { Reader, Seen, Writer } from './owners.ts'
import type { Servers } from './servers.ts'

const HOUSES = [0, 1]
const WELL_WITHIN_MS = 180_000
const WELL_TIMES = 5

/** By their index in the installation. */
export const API = [0, 1] as const
export const INGEST = [2, 3] as const

/** What the trial is not about: no budget. */
const UNLIMITED = { HYPOCAUST_RATE_LIMIT_READS: '0', HYPOCAUST_RATE_LIMIT_WRITES: '0' }

export const roleOf = (index: number) => (index < API.length ? 'api' : 'ingest')

/**
 * Two PostgreSQL servers, Mosquitto and HAProxy with TLS, two processes of each role, and the owners and gateways of two
 * houses that use them.
 */
export class FailoverStage<S extends Servers = Servers> {
  readonly servers: S
  readonly installation: Installation
  readonly seen = { reads: new Seen(), writes: new Seen() }
  readonly readings = new Course()
  readonly writers: Writer[]
  readonly senders: Sender[]
  readonly #readers: Reader[]
  readonly #client: SecureClient

  private constructor(servers: S, installation: Installation) {
    this.servers = servers
    this.installation = installation
    const { houses, ports, url } = installation
    const client = new SecureClient(url)
    this.#client = client
    this.#readers = houses.map((house) => new Reader(client, house, this.seen.reads))
    this.writers = houses.flatMap((house) =>
      house.roomIds.map((roomId) => new Writer(client, house, roomId, this.seen.writes)),
    )
    const broker = { url: `mqtts://127.0.0.1:${ports.mqtts}`, ca: CERTIFICATE, keepaliveS: 10 }
    this.senders = houses.map(({ gatewayId, token }, house) => {
      const onCommit = () => this.readings.success()
      // One of them has no clock: its readings are stamped at arrival, so that none taken in twice hides.
      return new Sender({ ...broker, house, gatewayId, token, hasClock: house === 1, onCommit }, () => '')
    })
  }

  /** `nodeFlags` are those of the service's processes. The servers are the stage's from here on. */
  static async start<S extends Servers>(servers: S, nodeFlags: string[] = []): Promise<FailoverStage<S>> {
    const houses = HOUSES.map((i) => trialHouse(i, [sensorOf(i, 0), sensorOf(i, 1)]))
    const installation = await Installation.build(servers.address, houses, API.length + INGEST.length, nodeFlags)
    await installation.startBroker()
    await installation.startProxy([...API])
    await Promise.all([...API, ...INGEST].map((index) => startService(installation, index)))
    const stage = new FailoverStage(servers, installation)
    for (const sender of stage.senders) sender.start()
    await stage.well()
    return stage
  }

  startService(index: number): Promise<void> {
    return startService(this.installation, index)
  }

  get courses(): { reads: Course; writes: Course; readings: Course } {
    return { reads: this.seen.reads.course, writes: this.seen.writes.course, readings: this.readings }
  }

  /** Owners read and write again, and readings are committed. */
  async well(): Promise<void> {
    const before = Object.entries(this.courses).map(([kind, course]) => ({ kind, course, count: course.count }))
    for (const giveUp = Date.now() + WELL_WITHIN_MS; ; await sleep(50)) {
      const missing = before.filter(({ course, count }) => course.count < count + WELL_TIMES)
      if (missing.length === 0) return
      if (Date.now() < giveUp) continue
      const kinds = missing.map(({ kind }) => kind).join(', ')
      throw new Error(`no ${kinds} for ${WELL_WITHIN_MS / 1000} s\n${this.installation.lastWords}`)
    }
  }

  /** Nothing new; every message is sent again until it is committed. */
  async finish(): Promise<void> {
    for (const reader of this.#readers) reader.stop()
    await Promise.all(this.writers.map((writer) => writer.stop()))
    for (const sender of this.senders) sender.finish()
    for (const giveUp = Date.now() + WELL_WITHIN_MS; this.senders.some(({ waiting }) => waiting > 0); await sleep(50))
      if (Date.now() > giveUp) throw new Error('readings are left that are not committed')
  }

  async remove(): Promise<void> {
    for (const reader of this.#readers) reader.stop()
    for (const sender of this.senders) await sender.stop()
    this.#client.close()
    await this.installation.remove()
    await this.servers.stop()
  }
}

const startService = (installation: Installation, index: number): Promise<void> =>
  installation.startService(index, ['serve', '--role', roleOf(index)], UNLIMITED)
