import { type Decision, stepRoom } from '@hypocaust/control'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import { KeyedQueue } from '../keyed-queue.ts'
import type { Metrics } from '../metrics.ts'
import { isStoreError, type Store } from '../store/store.ts'
import { readInputs, stateOf, stepInputOf } from './inputs.ts'
import { isWorthKeeping, writesOf } from './writes.ts'

export interface HeatingParts {
  store: Store
  clock: Clock
  metrics: Metrics
  logger: Logger
  /** The building's powers may have changed, and are on disk. */
  onControlled(buildingId: string): void
}

/** A building with a live gateway that has been quiet this long is stepped all the same. */
const QUIET_AFTER_MS = 15 * 60_000
const TRIES = 3
const MOST_REMEMBERED = 100_000

/** Runs the law for buildings: when they speak, when a wish changes, and when they have been quiet for long. */
export class Heating {
  readonly #parts: HeatingParts
  readonly #queue = new KeyedQueue()
  readonly #lastDecisions = new Map<string, Decision>()

  constructor(parts: HeatingParts) {
    this.#parts = parts
  }

  control(buildingId: string): Promise<void> {
    const { logger, onControlled } = this.#parts
    return this.#queue.request(buildingId, async () => {
      try {
        await this.#step(buildingId)
      } catch (err) {
        logger.error({ err, building: buildingId }, 'heating not controlled; the next reading tries again')
      }
      onControlled(buildingId)
    })
  }

  /** Work on a building's states that must not meet a step. */
  exclusively(buildingId: string, work: () => Promise<void>): Promise<void> {
    return this.#queue.run(buildingId, work)
  }

  async controlQuiet(silentAfterS: number): Promise<void> {
    const nowMs = this.#parts.clock.now()
    const quiet = await this.#parts.store.db
      .selectFrom('buildings')
      .innerJoin('gateways', 'gateways.buildingId', 'buildings.id')
      .select('buildings.id')
      .distinct()
      .where('buildings.controlledAt', '<=', nowMs - QUIET_AFTER_MS)
      .where('gateways.lastSeenAt', '>=', nowMs - silentAfterS * 1000)
      .execute()
    for (const { id } of quiet) await this.control(id)
  }

  async stop(): Promise<void> {
    await this.#queue.idle()
  }

  async #step(buildingId: string): Promise<void> {
    for (let attempt = 1; attempt <= TRIES; attempt++) if (await this.#tryStep(buildingId)) return
  }

  /** False when another process was faster with a room: then its state is read anew. */
  async #tryStep(buildingId: string): Promise<boolean> {
    const { store, clock, metrics } = this.#parts
    const nowMs = clock.now()
    const inputs = await readInputs(store, buildingId, nowMs)
    if (!inputs) return true
    const stepped = inputs.rooms.map((room) => {
      const state = stateOf(room)
      return { room, step: stepRoom(state, stepInputOf(inputs, room, state, nowMs)) }
    })
    const results = await store.batchEach([
      ...stepped.map(({ room, step }) => writesOf(store, room, step, this.#lastDecisions.get(room.id))),
      [store.db.updateTable('buildings').set({ controlledAt: nowMs }).where('id', '=', buildingId)],
    ])
    const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
    stepped.forEach(({ room, step }, i) => {
      if (results[i]?.status === 'fulfilled') this.#remember(room.id, step.decision)
      else this.#lastDecisions.delete(room.id)
    })
    metrics.controlSteps.inc(stepped.length)
    const serious = failures.find((error) => !isStoreError(error, 'unique'))
    if (serious) throw serious
    return failures.length === 0
  }

  /** Only to keep no decision twice; forgotten, one more row is written. */
  #remember(roomId: string, decision: Decision): void {
    const last = this.#lastDecisions.get(roomId)
    if (this.#lastDecisions.size >= MOST_REMEMBERED) this.#lastDecisions.clear()
    if (isWorthKeeping(decision, last)) this.#lastDecisions.set(roomId, decision)
  }
}
