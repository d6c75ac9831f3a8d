import { Worker } from 'node:worker_threads'
import { FITTED_DAYS, type RoomControl, type Slot } from '@hypocaust/control'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@hypocaust/domain'
import type { Clock } from '../../base/clock.ts'
import type { Metrics } from '../../base/metrics.ts'
import { TaskThread } from '../../base/task-thread.ts'
import { threadEnv } from '../../base/thread-env.ts'
import { isOutrun } from '../../store/outrun.ts'
import type { Store } from '../../store/store.ts'
import { isNotMoving } from '../moving.ts'
import type { RoomScope } from '../rooms/write.ts'
import type { Heating } from './heating.ts'
import { nextState } from './next-state.ts'
import { slotsOf } from './slots.ts'

const FIT_EVERY_MS = 20 * HOUR_MS
const TRIED_AGAIN_AFTER_MS = 2 * HOUR_MS
const FEWEST_SLOTS = 40
const TRIES = 3
/** The building of a room is not controlled while the room is fitted; a fit takes seconds on a small machine. */
const MOST_MS = 5 * MINUTE_MS

type Fit = 'fitted' | 'too_little_data' | 'outrun'

interface FittingParts {
  store: Store
  clock: Clock
  metrics: Metrics
  heating: Heating
  /** What is computed with the model of a room, about once a day. */
  afterFit(room: RoomScope): Promise<void>
}

/** Learns rooms from their last days, one at a time, on a thread of its own: fitting takes long, polling must not wait. */
export class Fitting {
  readonly #parts: FittingParts
  readonly #thread = new TaskThread<{ state: RoomControl; slots: Slot[] }, RoomControl>(
    () => new Worker(new URL('./fit-thread.ts', import.meta.url), { env: threadEnv() }),
  )
  readonly #stopping = new AbortController()

  constructor(parts: FittingParts) {
    this.#parts = parts
  }

  /** The room that has waited longest, if one is due. */
  async fitNext(): Promise<boolean> {
    const { store, clock, heating, afterFit } = this.#parts
    const room = await store.db
      .selectFrom('rooms')
      .select(['id', 'buildingId', 'fittedAt'])
      .where('fittedAt', '<=', clock.now() - FIT_EVERY_MS)
      .where(isNotMoving('rooms.buildingId'))
      .orderBy('fittedAt')
      .limit(1)
      .executeTakeFirst()
    if (!room) return false
    if (!(await this.#claim(room))) return true
    await heating.exclusively(room.buildingId, () => this.#fit(room.id))
    await afterFit({ buildingId: room.buildingId, roomId: room.id })
    return true
  }

  /** Of several processes, one fits the room; should it end meanwhile, the room is due again in two hours. */
  async #claim({ id, fittedAt }: { id: string; fittedAt: number }): Promise<boolean> {
    const { store, clock } = this.#parts
    const { numUpdatedRows } = await store.db
      .updateTable('rooms')
      .set({ fittedAt: clock.now() - FIT_EVERY_MS + TRIED_AGAIN_AFTER_MS })
      .where('id', '=', id)
      .where('fittedAt', '=', fittedAt)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#thread.end()
  }

  async #fit(roomId: string): Promise<void> {
    const { fits } = this.#parts.metrics
    try {
      fits.inc({ outcome: await this.#fitPatiently(roomId) })
    } catch (error) {
      fits.inc({ outcome: 'failed' })
      throw error
    }
  }

  async #fitPatiently(roomId: string): Promise<Fit> {
    for (let attempt = 1; attempt <= TRIES; attempt++) {
      try {
        return await this.#tryFit(roomId)
      } catch (error) {
        // Another process has stepped the room meanwhile: what was learned belongs to a state that is gone.
        if (!isOutrun(error)) throw error
      }
    }
    return 'outrun'
  }

  async #tryFit(roomId: string): Promise<Fit> {
    const { store, clock } = this.#parts
    const { db } = store
    const nowMs = clock.now()
    const last = await db
      .selectFrom('controlStates')
      .select(['version', 'state', 'keptAt', 'keptGist'])
      .where('roomId', '=', roomId)
      .executeTakeFirst()
    const slots = await slotsOf(store, roomId, nowMs - FITTED_DAYS * DAY_MS)
    if (!last || slots.length < FEWEST_SLOTS) return 'too_little_data'
    const givenUp = AbortSignal.any([AbortSignal.timeout(MOST_MS), this.#stopping.signal])
    const state = await this.#thread.run({ state: JSON.parse(last.state) as RoomControl, slots }, givenUp)
    await store.batch([
      nextState(store, { ...last, roomId, state: JSON.stringify(state) }),
      db.updateTable('rooms').set({ fittedAt: nowMs }).where('id', '=', roomId),
      db
        .deleteFrom('roomSlots')
        .where('roomId', '=', roomId)
        .where('endsAt', '<', nowMs - 2 * FITTED_DAYS * DAY_MS),
    ])
    return 'fitted'
  }
}
