import { takenKwhM2 } from '@hypocaust/control'
import { DAY_MS, HOUR_MS, type LimitRecord, timestampOf } from '@hypocaust/domain'
import type { Selectable, Updateable } from 'kysely'
import type { Clock } from '../../base/clock.ts'
import type { Limit } from '../../store/batch.ts'
import { isStoreError, type Store } from '../../store/store.ts'
import type { Tables } from '../../store/tables.ts'
import type { Availability } from '../buildings/buildings.ts'
import { countedBy, metersOf } from '../heat/meters.ts'
import { type ControlInputs, readInputs } from '../heating/inputs.ts'
import { slotsOf } from '../heating/slots.ts'
import { isNotMoving } from '../moving.ts'
import type { Replays } from '../replays/replays.ts'
import { lawSourceOf } from '../source/energy.ts'
import type { KnownLimit } from '../source/power-limit.ts'
import { knownPower } from './known-power.ts'
import { roomsNow } from './rooms.ts'

interface Parts {
  store: Store
  clock: Clock
  availability: Availability
  replays: Replays
}

/** The last half hour of a room, and the last reading of a meter, are there by then. */
const COUNTED_AFTER_MS = HOUR_MS
/** A count that failed is tried again after this time. */
const COUNTED_AGAIN_MS = HOUR_MS
const METERED = 0.9
/** So many records of a building are shown, and kept. */
const SHOWN = 20

/**
 * Keeps what the power limit of a building is expected to bring, where its power is known. One that is replaced or
 * withdrawn before it is over counts no more.
 */
export async function recordLimit(parts: Parts, buildingId: string): Promise<void> {
  const { store, clock } = parts
  const { db } = store
  const nowMs = clock.now()
  const inputs = await readInputs(store, buildingId, nowMs)
  if (!inputs) return
  const replaced = db
    .updateTable('limitRecords')
    .set({ withdrawn: 1, dueAt: null })
    .where('buildingId', '=', buildingId)
    .where('untilAt', '>', nowMs)
    .where('dueAt', 'is not', null)
  const shown = db
    .selectFrom('limitRecords')
    .select('promisedAt')
    .where('buildingId', '=', buildingId)
    .orderBy('promisedAt', 'desc')
    .limit(SHOWN)
  const old = db.deleteFrom('limitRecords').where('buildingId', '=', buildingId).where('promisedAt', 'not in', shown)
  const row = await promiseNow(parts, inputs, nowMs)
  const added = row
    ? [
        db
          .insertInto('limitRecords')
          .values(row)
          .onConflict((conflict) => conflict.doNothing()),
      ]
    : []
  try {
    await store.batch([replaced, ...added, old], [isStillSet(store, inputs.building)])
  } catch (error) {
    if (!isStoreError(error, 'limit')) throw error
    // Another limit was set meanwhile: its own record says what becomes of this one.
  }
}

/** Fails the whole transaction where another limit has been set since this one was read. */
const isStillSet = ({ db }: Store, { id, powerLimit }: ControlInputs['building']): Limit => ({
  ownerId: id,
  name: 'another power limit',
  most: 0,
  count: db
    .selectFrom('buildings')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('id', '=', id)
    .where('powerLimit', 'is distinct from', powerLimit),
})

async function promiseNow({ store, availability, replays }: Parts, inputs: ControlInputs, nowMs: number) {
  const { building } = inputs
  if (building.powerLimit === null) return null
  const limit = JSON.parse(building.powerLimit) as KnownLimit
  const power = await knownPower(store, inputs, nowMs)
  if (power.unknown !== null || limit.untilMs <= nowMs) return null
  const { source, scale } = power
  const rooms = roomsNow(inputs, availability, nowMs)
  const promise = await replays.ask({ kind: 'limit', rooms, limit, source, nowMs })
  return (
    promise && {
      buildingId: building.id,
      promisedAt: nowMs,
      fromAt: Math.max(nowMs, limit.fromMs),
      untilAt: limit.untilMs,
      limitW: limit.powerW,
      roomIds: JSON.stringify(promise.roomIds),
      plannedKwh: scale * promise.plannedKwh,
      promisedKwh: scale * promise.promisedKwh,
      scale,
      withdrawn: 0 as const,
      dueAt: limit.untilMs + COUNTED_AFTER_MS,
    }
  )
}

/** Counts what was taken while limits lasted, where that is due: one of the grid ends for many buildings at once. */
export async function countDueLimits(store: Store, clock: Clock, stopping?: AbortSignal): Promise<number> {
  let counted = 0
  while (!stopping?.aborted && (await countNextLimit(store, clock))) counted++
  return counted
}

/** One that cannot be counted is tried again later, and holds up no other. */
async function countNextLimit(store: Store, clock: Clock): Promise<boolean> {
  const { db } = store
  const nowMs = clock.now()
  const row = await db
    .selectFrom('limitRecords')
    .selectAll()
    .where('dueAt', '<=', nowMs)
    .where(isNotMoving('limitRecords.buildingId'))
    .orderBy('dueAt')
    .limit(1)
    .executeTakeFirst()
  if (!row) return false
  const againAt = nowMs + COUNTED_AGAIN_MS
  const set = (changes: Updateable<Tables['limitRecords']>, dueAt: number | null) =>
    db
      .updateTable('limitRecords')
      .set(changes)
      .where('buildingId', '=', row.buildingId)
      .where('promisedAt', '=', row.promisedAt)
      .where('dueAt', '=', dueAt)
      .executeTakeFirst()
  const { numUpdatedRows } = await set({ dueAt: againAt }, row.dueAt)
  if (numUpdatedRows === 0n) return true
  const counted = { takenKwh: await takenKwh(store, row, nowMs), meteredKwh: await meteredKwh(store, row) }
  await set({ ...counted, dueAt: null }, againAt)
  return true
}

type Row = Selectable<Tables['limitRecords']>

/** By the openings of the loops; null where a room is gone. */
async function takenKwh(store: Store, { buildingId, roomIds, scale, fromAt, untilAt }: Row, nowMs: number) {
  const inputs = await readInputs(store, buildingId, nowMs)
  if (!inputs) return null
  const source = lawSourceOf(inputs.building)
  const taken = await Promise.all(
    (JSON.parse(roomIds) as string[]).map(async (id) => {
      const room = inputs.rooms.find((each) => each.id === id)
      if (!room?.state || room.areaM2 === null) return null
      const history = await slotsOf(store, id, fromAt - DAY_MS)
      return scale * room.areaM2 * takenKwhM2(room.state, history, source, fromAt, untilAt)
    }),
  )
  return taken.reduce((sum, each) => (sum === null || each === null ? null : sum + each), 0)
}

/** One reading an hour is kept, so parts of an hour are as if the source had taken the same in all of it. */
async function meteredKwh(store: Store, { buildingId, fromAt, untilAt }: Row): Promise<number | null> {
  const counted = countedBy(await metersOf(store, buildingId, fromAt, untilAt), 'electricity', fromAt, untilAt)
  return counted && counted.covered >= METERED ? counted.kwh : null
}

/** The newest first. */
export async function recordOf({ db }: Store, buildingId: string): Promise<LimitRecord[]> {
  const rows = await db
    .selectFrom('limitRecords')
    .selectAll()
    .where('buildingId', '=', buildingId)
    .orderBy('promisedAt', 'desc')
    .limit(SHOWN)
    .execute()
  return rows.map(recordView)
}

function recordView(row: Row): LimitRecord {
  const { plannedKwh, promisedKwh, takenKwh, meteredKwh } = row
  const delivered = takenKwh === null ? null : plannedKwh - takenKwh
  return {
    from: timestampOf(row.fromAt),
    until: timestampOf(row.untilAt),
    limit_w: row.limitW,
    promised_at: timestampOf(row.promisedAt),
    withdrawn: row.withdrawn === 1,
    planned_kwh: kwh(plannedKwh),
    promised_kwh: kwh(promisedKwh),
    taken_kwh: kwh(takenKwh),
    delivered_kwh: kwh(delivered),
    missed_kwh: kwh(delivered === null ? null : Math.max(0, promisedKwh - delivered)),
    metered_kwh: kwh(meteredKwh),
  }
}

const kwh = (value: number | null): number | null => (value === null ? null : Number(value.toFixed(2)))
