import { fallbackAfterS, MINUTE_MS, WINDOW_S } from '@hypocaust/domain'
import { type Compilable, sql } from 'kysely'
import type { Logger } from 'pino'
import type { Clock } from '../../base/clock.ts'
import type { Metrics } from '../../base/metrics.ts'
import { inSpan, nowMs as nowInTraceMs, parseTraceparent, type Span, within } from '../../base/tracing/span.ts'
import { NO_TRACES, type Tracer } from '../../base/tracing/tracer.ts'
import { atMost } from '../../processes/at-most.ts'
import { KeyedQueue } from '../../processes/keyed-queue.ts'
import { Slices } from '../../processes/slices.ts'
import { MicroBatch } from '../../store/micro-batch.ts'
import { isOutrun } from '../../store/outrun.ts'
import { statement } from '../../store/statement.ts'
import { isStoreError, type Store } from '../../store/store.ts'
import type { Availability } from '../buildings/buildings.ts'
import { type CommandsAlong, dueNow } from '../gateways/commands.ts'
import type { GatewayValves } from '../gateways/valves.ts'
import { noteFollowed, raiseLive } from '../revisions.ts'
import { gatewaysWith } from './commanded-gateways.ts'
import type { ControlledBuilding } from './controlled-building.ts'
import { coverWrites } from './covers.ts'
import { newGridShares, withGridShares, writeGridShares } from './grid-shares.ts'
import { withHotWater } from './hot-water.ts'
import { inSeason, isCooled } from './in-season.ts'
import { type ControlInputs, readInputs, settingsIn, stepInputsOf } from './inputs.ts'
import { KeptStates } from './kept-states.ts'
import { ownChanges } from './own-changes.ts'
import { keptPromise, newPromise } from './promises.ts'
import { recommendedWrites } from './recommended.ts'
import { noteNextChange } from './setpoint-changes.ts'
import { supplyWrites } from './supply.ts'
import { stepWithVacancy } from './warm-again.ts'
import { decidedOf, isNews, steppedOf, writesOf } from './writes.ts'

export interface HeatingParts {
  store: Store
  clock: Clock
  metrics: Metrics
  logger: Logger
  availability: Availability
  commands: Commands
  /** Left out, nothing is traced. */
  tracer?: Tracer
  /** Called after every control of a building. */
  onControlled(buildingId: string): void
}

/** The way to the gateways. */
export interface Commands {
  /** The commands for powers that are about to be written; undefined if they have to wait until those are on disk. */
  along(buildingId: string, gateways: GatewayValves[]): CommandsAlong | undefined
  /** Sends what is due. */
  update(buildingId: string): Promise<void>
}

/** Whether the gateways of a building are still due the command that belongs to their powers. */
type Controlled = 'commanded' | 'due'

/** One control of a building. */
interface Turn {
  buildingId: string
  /** Whether every room is stepped. */
  isWhole: boolean
  /** The trace of the readings that have led to it. */
  trace: string | undefined
  span: Span | undefined
}

/** A building that has been quiet this long is stepped all the same, */
const QUIET_AFTER_MS = 15 * MINUTE_MS
/** up to so much sooner: every note of a step is a write in an index, */
const NOTED_EVERY_MS = 5 * MINUTE_MS
/** and after its last gateway was lost once more when each of its last commands has expired. */
const LONGEST_VALIDITY_MS = 1000 * fallbackAfterS(Object.values(WINDOW_S))
const TRIES = 3
const STOP_LIMIT_MS = 1000

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

/** Runs the law for buildings: when they report, when a setting changes, when a setpoint changes by itself, and when they
 * have been quiet for long. */
export class Heating {
  readonly #parts: HeatingParts
  readonly #queue = new KeyedQueue()
  readonly #kept: KeptStates
  /** Buildings whose next turn steps every room. */
  readonly #whole = new Set<string>()
  /** Traces of readings that the next turn of a building is part of; the last one of several. */
  readonly #traces = new Map<string, string>()
  /** What is read for many buildings at once comes for all of them at once. */
  readonly #slices = new Slices()
  /** Buildings that are stepped in one turn of the event loop share a transaction. */
  readonly #writes: MicroBatch<StepWrites, PromiseSettledResult<unknown>>

  constructor(parts: HeatingParts) {
    this.#parts = parts
    this.#kept = new KeptStates(parts.clock)
    this.#writes = new MicroBatch((steps) => writeSteps(parts.store, steps))
  }

  /** Steps every room. `trace` is of what has led to it. */
  control(buildingId: string, trace?: string): Promise<void> {
    this.#whole.add(buildingId)
    if (trace !== undefined) this.#traces.set(buildingId, trace)
    return this.follow(buildingId)
  }

  /** Steps the rooms whose settings have changed since their last step; the others go on with their next reading. */
  follow(buildingId: string): Promise<void> {
    const { logger, commands, onControlled } = this.#parts
    return this.#queue.request(buildingId, async () => {
      const turn = this.#takeTurn(buildingId)
      let done: Controlled = 'due'
      try {
        done = await this.#step(turn)
      } catch (err) {
        if (!this.#queue.isStopped && !isStoreError(err, 'moving'))
          logger.error({ err, building: buildingId }, 'heating not controlled; the next reading tries again')
      }
      onControlled(buildingId)
      // A command that was not sent stays due in the database, and is repeated within seconds.
      if (done === 'due') void within(turn.span, () => commands.update(buildingId))
      turn.span?.end()
    })
  }

  #takeTurn(buildingId: string): Turn {
    const isWhole = this.#whole.delete(buildingId)
    const trace = this.#traces.get(buildingId)
    this.#traces.delete(buildingId)
    return { buildingId, isWhole, trace, span: undefined }
  }

  /** Work on a building's states that must not meet a step. */
  exclusively(buildingId: string, work: () => Promise<void>): Promise<void> {
    return this.#queue.run(buildingId, work)
  }

  /** Controls buildings for which nothing else does: those that have been quiet, and those with a new setpoint. */
  async controlQuiet(stopping?: AbortSignal): Promise<void> {
    const nowMs = this.#parts.clock.now()
    const due = [
      ...(await this.#dueSince('controlledAt', nowMs - QUIET_AFTER_MS)),
      ...(await this.#dueSince('setpointsChangeAt', nowMs)),
    ]
    for (const { id, controlledAt } of due) {
      if (stopping?.aborted) return
      if (await this.#claim(id, controlledAt, nowMs)) await this.control(id)
    }
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

  /** Until everything that was asked for is done. */
  settled(): Promise<void> {
    return this.#queue.idle()
  }

  /** A building that is not done by then is controlled with its next reading, by whichever process takes that. */
  stop(): Promise<void> {
    return atMost(STOP_LIMIT_MS, this.#queue.stop())
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

  async #step(turn: Turn): Promise<Controlled> {
    for (let attempt = 1; attempt <= TRIES; attempt++) {
      const done = await this.#tryStep(turn)
      if (done !== 'outrun') return done
    }
    return 'due'
  }

  /** Outrun when another process was faster with a room or a command: then nothing is written, and all is read anew. */
  async #tryStep(turn: Turn): Promise<Controlled | 'outrun'> {
    const { store, clock } = this.#parts
    const startMs = nowInTraceMs()
    const nowMs = clock.now()
    const read = await readInputs(store, turn.buildingId, nowMs, this.#kept)
    if (!read) return 'due'
    turn.span ??= this.#spanOf(turn, read.building, startMs)
    while (this.#slices.isOver()) await this.#slices.next()
    return within(turn.span, () => this.#decide(turn, read, nowMs))
  }

  /** Part of the change that it follows, or else of the readings. */
  #spanOf({ trace }: Turn, { revisedAt, followedRevision, revisedTrace }: ControlledBuilding, startMs: number) {
    const { tracer = NO_TRACES } = this.#parts
    const parent = parseTraceparent(revisedAt > followedRevision && revisedTrace !== null ? revisedTrace : trace)
    return parent && tracer.join(parent, 'control', { kind: 'consumer', startMs })
  }

  async #decide(
    { buildingId, isWhole, span }: Turn,
    read: ControlInputs,
    nowMs: number,
  ): Promise<Controlled | 'outrun'> {
    const { store, metrics, availability, commands } = this.#parts
    const gridShares = newGridShares(read, availability, nowMs)
    const shared = gridShares ? withGridShares(read, gridShares) : read
    const hotWater = withHotWater(store, shared, availability, nowMs)
    const { inputs, isSeasonNew, isWaterNew, coolingWrites } = inSeason(store, hotWater.inputs, availability, nowMs)
    const { building } = inputs
    const isRevised = building.revisedAt > building.followedRevision
    const inputOf = stepInputsOf(inputs, availability, nowMs)
    const settingsOf = settingsIn(inputs, nowMs)
    // A setpoint that has changed by itself is no change of a setting.
    const isSetpointNew = building.setpointsChangeAt <= nowMs
    const isEveryRoomDue = isWhole || isSetpointNew || isSeasonNew || gridShares !== null
    const stepped = inputs.rooms.flatMap((room) => {
      const settings = settingsOf(room)
      if (!isEveryRoomDue && this.#kept.isOf(room, settings)) return []
      const { input, step, warmAgainK } = stepWithVacancy(building, room, inputOf)
      return { ...steppedOf(room, step, warmAgainK, this.#kept.of(room)), input, settings }
    })
    const isEveryRoomStepped = stepped.length === inputs.rooms.length
    const recommended = isEveryRoomStepped ? recommendedWrites(store, building, stepped) : []
    const covers = coverWrites(store, inputs, stepped, nowMs)
    const isSourceNew = isSeasonNew || isWaterNew || hotWater.isOrderNew
    const isCommandDue = isRevised || isSourceNew || stepped.some(isNews) || recommended.length + covers.length > 0
    const supply = isEveryRoomStepped && !isCooled(building) ? supplyWrites(store, inputs, stepped, nowMs) : []
    // A new supply temperature, recommendation or order for covers goes along with the command, which is made once that is on disk.
    const canGoAlong = isCommandDue && supply.length + recommended.length + covers.length === 0
    const along = canGoAlong ? commands.along(buildingId, gatewaysWith(inputs, stepped.map(decidedOf))) : undefined
    const queries = [
      // The building's row comes first, as in a change of a room: the other way round, the two would wait for each other.
      ...(isEveryRoomStepped && Math.abs(nowMs - building.controlledAt) >= NOTED_EVERY_MS
        ? [setControlled.with(store, { buildingId, nowMs })]
        : []),
      ...(isRevised ? [noteFollowed.with(store, building)] : []),
      ...coolingWrites,
      ...hotWater.writes,
      ...(isSeasonNew || stepped.some(isNews) ? [raiseLive.with(store, { buildingId, nowMs })] : []),
      ...stepped.flatMap((each) => writesOf(store, each)),
      ...stepped.flatMap((each) => [...(isSetpointNew ? keptPromise(store, each) : []), ...newPromise(store, each)]),
      ...noteNextChange(store, inputs, isRevised, nowMs),
      ...ownChanges(store, inputs, nowMs),
      ...supply,
      ...recommended,
      ...covers,
      ...(gridShares ? writeGridShares(store, buildingId, gridShares, nowMs) : []),
      // In one transaction with the powers: should this process end now, another one sends the command.
      ...(isCommandDue && !along ? [dueNow(store, { buildingId })] : []),
      ...(along?.numberings ?? []),
    ]
    const result = await inSpan('commit', () => this.#writes.ask({ buildingId, queries }))
    if (span) span.attributes['hypocaust.rooms'] = stepped.length
    metrics.controlSteps.inc(stepped.length)
    if (result.status === 'rejected') {
      if (isOutrun(result.reason)) return 'outrun'
      throw result.reason
    }
    for (const { room, version, state, settings } of stepped)
      this.#kept.keep(room.id, { version, state: state.compacted, settings })
    along?.send()
    return isCommandDue && !along ? 'due' : 'commanded'
  }
}
