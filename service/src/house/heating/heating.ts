import { stepRoom } from '@hypocaust/control'
import { fallbackAfterS, MINUTE_MS, WINDOW_S } from '@hypocaust/domain'
import { type Compilable, sql } from 'kysely'
import type { Logger } from 'pino'
import type { Clock } from '../../base/clock.ts'
import type { Metrics } from '../../base/metrics.ts'
import { KeyedQueue } from '../../processes/keyed-queue.ts'
import { Slices } from '../../processes/slices.ts'
import { Gathered } from '../../store/gathered.ts'
import { statement } from '../../store/statement.ts'
import type { Store } from '../../store/store.ts'
import type { Availability } from '../buildings/buildings.ts'
import { dueNow } from '../gateways/commands.ts'
import { noteFollowed, raiseLive } from '../revisions.ts'
import { type ControlledBuilding, readInputs, settingsIn, stepInputsOf } from './inputs.ts'
import { KeptStates } from './kept-states.ts'
import { isOutrun } from './next-state.ts'
import { ownChanges } from './own-changes.ts'
import { noteNextChange } from './setpoint-changes.ts'
import { supplyWrites } from './supply.ts'
import { isNews, steppedOf, writesOf } from './writes.ts'

export interface HeatingParts {
  store: Store
  clock: Clock
  metrics: Metrics
  logger: Logger
  availability: Availability
  /** The building's powers are on disk. If one is another than before, or may be, its gateways are due a command. */
  onControlled(buildingId: string, powers: Powers): void
}

export type Powers = 'as before' | 'changed'

interface Controlled {
  powers: Powers
  /** The building, where its settings or structure had changed. */
  followed?: ControlledBuilding
}

/** A building that has been quiet this long is stepped all the same, */
const QUIET_AFTER_MS = 15 * MINUTE_MS
/** up to so much sooner: every note of a step is a write in an index, */
const NOTED_EVERY_MS = 5 * MINUTE_MS
/** and after its last gateway was lost once more when each of its last commands has expired. */
const LONGEST_VALIDITY_MS = 1000 * fallbackAfterS(Object.values(WINDOW_S))
const TRIES = 3

const setControlled = statement((db, { buildingId, nowMs }: { buildingId: string; nowMs: number }) =>
  db.updateTable('buildings').set({ controlledAt: nowMs }).where('id', '=', buildingId),
)

interface StepWrites {
  buildingId: string
  queries: Compilable[]
}

async function writeSteps(store: Store, steps: StepWrites[]): Promise<PromiseSettledResult<unknown>[]> {
  const locks = store.statements.lockBuildings(new Set(steps.map(({ buildingId }) => buildingId)))
  return (await store.batchEach([...locks, ...steps])).slice(locks.length)
}

/** Runs the law for buildings: when they speak, when a wish changes, when a setpoint changes by itself, and when they
 * have been quiet for long. */
export class Heating {
  readonly #parts: HeatingParts
  readonly #queue = new KeyedQueue()
  readonly #kept = new KeptStates()
  /** Buildings whose next turn steps every room. */
  readonly #whole = new Set<string>()
  /** What is read for many buildings at once comes for all of them at once. */
  readonly #slices = new Slices()
  /** Buildings that are stepped in one turn of the event loop share a transaction. */
  readonly #writes: Gathered<StepWrites, PromiseSettledResult<unknown>>

  constructor(parts: HeatingParts) {
    this.#parts = parts
    this.#writes = new Gathered((steps) => writeSteps(parts.store, steps))
  }

  /** Steps every room. */
  control(buildingId: string): Promise<void> {
    this.#whole.add(buildingId)
    return this.follow(buildingId)
  }

  /** Steps the rooms whose settings have changed since their last step; the others go on with their next reading. */
  follow(buildingId: string): Promise<void> {
    const { logger, onControlled } = this.#parts
    return this.#queue.request(buildingId, async () => {
      const isWhole = this.#whole.delete(buildingId)
      let done: Controlled = { powers: 'changed' }
      try {
        done = await this.#step(buildingId, isWhole)
      } catch (err) {
        logger.error({ err, building: buildingId }, 'heating not controlled; the next reading tries again')
      }
      onControlled(buildingId, done.powers)
      // After the command was begun: what is written for the two then shares a transaction.
      if (done.followed) await this.#noteFollowed(done.followed)
    })
  }

  /** Work on a building's states that must not meet a step. */
  exclusively(buildingId: string, work: () => Promise<void>): Promise<void> {
    return this.#queue.run(buildingId, work)
  }

  /** Controls buildings for which nothing else does: those that have been quiet, and those with a new setpoint. */
  async controlQuiet(): Promise<void> {
    const nowMs = this.#parts.clock.now()
    const due = [
      ...(await this.#dueSince('controlledAt', nowMs - QUIET_AFTER_MS)),
      ...(await this.#dueSince('setpointsChangeAt', nowMs)),
    ]
    for (const { id, controlledAt } of due) if (await this.#claim(id, controlledAt, nowMs)) await this.control(id)
  }

  /** One column at a time: each has its index. */
  #dueSince(column: 'controlledAt' | 'setpointsChangeAt', untilMs: number) {
    return this.#parts.store.db
      .selectFrom('buildings')
      .select(['buildings.id', 'buildings.controlledAt'])
      .where(`buildings.${column}`, '<=', untilMs)
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('gateways')
            .select('gateways.id')
            .whereRef('gateways.buildingId', '=', 'buildings.id')
            .where(sql<boolean>`gateways.last_seen_at + ${LONGEST_VALIDITY_MS} >= buildings.controlled_at`),
        ),
      )
      .execute()
  }

  async stop(): Promise<void> {
    await this.#queue.idle()
  }

  /** Of several processes that find a building quiet, one. */
  async #claim(buildingId: string, controlledAt: number, nowMs: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#parts.store.db
      .updateTable('buildings')
      .set({ controlledAt: nowMs })
      .where('id', '=', buildingId)
      .where('controlledAt', '=', controlledAt)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  async #step(buildingId: string, isWhole: boolean): Promise<Controlled> {
    for (let attempt = 1; attempt <= TRIES; attempt++) {
      const done = await this.#tryStep(buildingId, isWhole)
      if (done !== 'outrun') return done
    }
    return { powers: 'changed' }
  }

  async #noteFollowed(building: ControlledBuilding): Promise<void> {
    try {
      await noteFollowed(this.#parts.store, building)
    } catch (err) {
      this.#parts.logger.error({ err, building: building.id }, 'a change counts as not followed; it is followed again')
    }
  }

  /** Outrun when another process was faster with a room: then nothing is written, and the states are read anew. */
  async #tryStep(buildingId: string, isWhole: boolean): Promise<Controlled | 'outrun'> {
    const { store, clock, metrics, availability } = this.#parts
    const nowMs = clock.now()
    const inputs = await readInputs(store, buildingId, nowMs, this.#kept)
    if (!inputs) return { powers: 'changed' }
    while (this.#slices.isOver()) await this.#slices.next()
    const { revisedAt, followedRevision } = inputs.building
    const isRevised = revisedAt > followedRevision
    const inputOf = stepInputsOf(inputs, availability, nowMs)
    const settingsOf = settingsIn(inputs)
    // A setpoint that has changed by itself is no change of a setting.
    const isEveryRoomDue = isWhole || inputs.building.setpointsChangeAt <= nowMs
    const stepped = inputs.rooms.flatMap((room) => {
      const settings = settingsOf(room)
      if (!isEveryRoomDue && this.#kept.isOf(room, settings)) return []
      const input = inputOf(room)
      return { ...steppedOf(room, stepRoom(room.state, input), this.#kept.of(room)), input, settings }
    })
    const isEveryRoomStepped = stepped.length === inputs.rooms.length
    const powers: Powers = isRevised || stepped.some(isNews) ? 'changed' : 'as before'
    const queries = [
      // The building's row comes first, as in a change of a room: the other way round, the two would wait for each other.
      ...(isEveryRoomStepped && Math.abs(nowMs - inputs.building.controlledAt) >= NOTED_EVERY_MS
        ? [setControlled.with(store, { buildingId, nowMs })]
        : []),
      ...(stepped.some(isNews) ? [raiseLive.with(store, { buildingId, nowMs })] : []),
      ...stepped.flatMap((each) => writesOf(store, each)),
      ...noteNextChange(store, inputs, isRevised, nowMs),
      ...ownChanges(store, inputs, nowMs),
      ...(isEveryRoomStepped ? supplyWrites(store, inputs.building, stepped, nowMs) : []),
      // In the same breath as the powers: should this process end now, another one sends the command.
      ...(powers === 'changed' ? [dueNow(store, { buildingId })] : []),
    ]
    const result = await this.#writes.ask({ buildingId, queries })
    metrics.controlSteps.inc(stepped.length)
    if (result.status === 'rejected') {
      if (isOutrun(result.reason)) return 'outrun'
      throw result.reason
    }
    for (const { room, version, state, settings } of stepped) this.#kept.keep(room.id, { version, state, settings })
    return { powers, ...(isRevised && { followed: inputs.building }) }
  }
}
