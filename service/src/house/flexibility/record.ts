import { limitPromise, takenKwhM2 } from '@hypocaust/control'
import { DAY_MS, HOUR_MS, type LimitRecord, timestampOf } from '@hypocaust/domain'
import type { Selectable } from 'kysely'
import type { Clock } from '../../base/clock.ts'
import type { Store } from '../../store/store.ts'
import type { Tables } from '../../store/tables.ts'
import type { Availability } from '../buildings/buildings.ts'
import { countedBy, metersOf } from '../heat/meters.ts'
import { type ControlInputs, readInputs } from '../heating/inputs.ts'
import { slotsOf } from '../heating/slots.ts'
import { isNotMoving } from '../moving.ts'
import { lawSourceOf } from '../source/energy.ts'
import type { KnownLimit } from '../source/power-limit.ts'
import { knownPower } from './known-power.ts'
import { roomsNow } from './rooms.ts'

interface Parts {
  store: Store
  clock: Clock
  availability: Availability
}

/** The last half hour of a room, and the last reading of a meter, are there by then. */
const COUNTED_AFTER_MS = HOUR_MS
const METERED = 0.9
const SHOWN = 20
const KEPT_MS = 400 * DAY_MS

/**
 * Keeps what the power limit of a building is expected to bring, where its power is known. One that is replaced or
 * withdrawn before it is over counts no more.
 */
export async function recordLimit({ store, clock, availability }: Parts, buildingId: string): Promise<void> {
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
  const old = db
    .deleteFrom('limitRecords')
    .where('buildingId', '=', buildingId)
    .where('promisedAt', '<', nowMs - KEPT_MS)
  const row = await promiseNow(store, inputs, availability, nowMs)
  const added = row
    ? [
        db
          .insertInto('limitRecords')
          .values(row)
          .onConflict((conflict) => conflict.doNothing()),
      ]
    : []
  await store.batch([replaced, old, ...added])
}

async function promiseNow(store: Store, inputs: ControlInputs, availability: Availability, nowMs: number) {
  const { building } = inputs
  if (building.powerLimit === null) return null
  const limit = JSON.parse(building.powerLimit) as KnownLimit
  const power = await knownPower(store, inputs, nowMs)
  if (power.unknown !== null || limit.untilMs <= nowMs) return null
  const { source, scale } = power
  const promise = limitPromise(roomsNow(inputs, availability, nowMs), limit, source, nowMs)
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

async function countNextLimit(store: Store, clock: Clock): Promise<boolean> {
  const { db } = store
  const row = await db
    .selectFrom('limitRecords')
    .selectAll()
    .where('dueAt', '<=', clock.now())
    .where(isNotMoving('limitRecords.buildingId'))
    .orderBy('dueAt')
    .limit(1)
    .executeTakeFirst()
  if (!row) return false
  const counted = { takenKwh: await takenKwh(store, row, clock.now()), meteredKwh: await meteredKwh(store, row) }
  await db
    .updateTable('limitRecords')
    .set({ ...counted, dueAt: null })
    .where('buildingId', '=', row.buildingId)
    .where('promisedAt', '=', row.promisedAt)
    .where('dueAt', '=', row.dueAt)
    .execute()
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
