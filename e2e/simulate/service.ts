import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../service/src/base/clock.ts'
import { createLogger } from '../../service/src/base/logger.ts'
import { createMetrics } from '../../service/src/base/metrics.ts'
import { CommitNews } from '../../service/src/processes/commit-news.ts'
import { runUnshared } from '../../service/src/processes/exclusive.ts'
import { noNews } from '../../service/src/processes/news.ts'
import { buildApp } from '../../service/src/roles/api.ts'
import { startIngest } from '../../service/src/roles/ingest.ts'
import { readSettings } from '../../service/src/settings.ts'
import { openStore } from '../../service/src/store/open.ts'
import { JobWriter } from '../../service/src/store/sqlite/job-writer.ts'
import type { Store } from '../../service/src/store/store.ts'
import type { Disk } from './disk.ts'
import type { Network } from './network.ts'
import { Process, type Scheduler } from './scheduler.ts'

export const LIMITS = { read: 60, write: 40 }
const SILENT_AFTER_S = 300
const SETTINGS = readSettings({}, {}, '/nonexistent')
const quiet = createLogger('silent')

interface ServiceParts {
  scheduler: Scheduler
  disk: Disk
  network: Network
  startMs: number
  folder(life: number): string
  paceMs(): number
}

interface Running {
  process: Process
  store: Store
  app: FastifyInstance
  /** What a route does after a change. */
  control(buildingId: string): void
  stop(): Promise<void>
}

/** The machine of the service, and the service in both roles, wired as `main.ts` wires it, without sockets and alerts. */
export class ServiceMachine {
  readonly #parts: ServiceParts
  #life = 0
  clockOffMs = 0
  running: Running | undefined
  #process: Process | undefined

  constructor(parts: ServiceParts) {
    this.#parts = parts
    parts.disk.openWriter = (file) => new JobWriter(file) as never
  }

  get file(): string {
    return resolve(this.#parts.folder(this.#life), 'hypocaust.db')
  }

  readonly clock: Clock = {
    now: () => Math.floor(this.#parts.startMs + this.#parts.scheduler.nowMs + this.clockOffMs),
    elapsedMs: () => this.#parts.scheduler.nowMs,
  }

  get isStarted(): boolean {
    return this.#process !== undefined
  }

  start(): void {
    const { scheduler, network, folder, paceMs } = this.#parts
    const process = new Process(`service ${this.#life}`, paceMs)
    this.#process = process
    const { clock } = this
    const begin = async () => {
      const data = folder(this.#life)
      mkdirSync(data, { recursive: true })
      const store = await openStore(data)
      const metrics = createMetrics()
      const availability = { silentAfterS: SILENT_AFTER_S }
      const common = { store, clock, metrics, logger: quiet }
      const ingest = await startIngest({
        ...common,
        settings: SETTINGS,
        broker: { kind: 'external', url: 'mqtt://broker' },
        link: network.brokerOf(process),
        alone: runUnshared,
        news: noNews,
      })
      const app = await buildApp({
        ...common,
        limits: LIMITS,
        availability,
        onBuildingChanged: (buildingId) => ingest.control(buildingId),
        news: new CommitNews(store),
        mqttAddress: () => ingest.mqtt,
        version: '0.0.0',
        shedding: { isLate: () => false },
      })
      const stop = async () => {
        await app.close()
        await ingest.stop()
        await store.close()
      }
      this.running = { process, store, app, control: (buildingId) => ingest.control(buildingId), stop }
    }
    // A service that cannot start is started again, as a supervisor does.
    const again = () => {
      if (this.#process !== process) return
      this.crash()
      scheduler.in(5000, () => this.#process ?? this.start(), scheduler.outside)
    }
    scheduler.in(0, () => void begin().catch(again), process)
  }

  /** As without power. */
  crash(): void {
    const { disk, network, folder } = this.#parts
    const process = this.#process
    if (!process) return
    process.isAlive = false
    this.#process = undefined
    this.running = undefined
    network.brokerEnds()
    disk.leave(process, folder(this.#life), folder(++this.#life))
  }

  /** Ends in order; `after` is called when it has. */
  stop(after: () => void): void {
    const { scheduler, disk, folder } = this.#parts
    const running = this.running
    if (!running) {
      after()
      return
    }
    this.running = undefined
    const end = async () => {
      await running.stop()
      if (this.#process !== running.process) return
      running.process.isAlive = false
      this.#process = undefined
      disk.leave(running.process, folder(this.#life), folder(++this.#life))
      after()
    }
    scheduler.in(0, () => void end(), running.process)
  }
}
