import { SLOT_S, type StepInput, type StepResult, type WarmUp } from '@hypocaust/control'
import { type AppPromises, DAY_MS, HOUR_MS, localTime, MINUTE_MS, setpointAt } from '@hypocaust/domain'
import type { Compilable } from 'kysely'
import { statement } from '../../store/statement.ts'
import type { Store } from '../../store/store.ts'
import type { RoomScope } from '../rooms/write.ts'

interface Stepped {
  room: { id: string }
  input: StepInput
  step: StepResult
}

const SLOT_MS = SLOT_S * 1000
/** How long before a rise the record takes down what is promised for it: in the night, as at bedtime. */
const LEAST_LEAD_MS = 2 * HOUR_MS
/** Rooms differ in it by so many half hours: most floors rise at the same time of day. */
const LEADS = 8
const KEPT_MS = 35 * DAY_MS
/** A later reading says little about the moment. */
const LATEST_MS = 15 * MINUTE_MS
/** A room that is this close is as warm as promised. */
export const KEPT_WITHIN_K = 0.3
const MORNINGS = 7
const NOON = 12 * 60

/** Each half hour: what is promised for a rise a few hours ahead. */
export function promisedBy({ room, input, step }: Stepped): WarmUp | undefined {
  if (!step.slot) return undefined
  const fromMs = step.slot.endMs + leadOf(room.id)
  const promised = step.state.block?.expected?.warmUp
  if (!promised || input.unreached || promised.atMs < fromMs || promised.atMs >= fromMs + SLOT_MS) return undefined
  return promised
}

/** A room may be warmer than promised, and a little colder. */
export const isKept = (expectedC: number, measuredC: number): boolean => measuredC >= expectedC - KEPT_WITHIN_K

export function newPromise(store: Store, stepped: Stepped): Compilable[] {
  const promised = promisedBy(stepped)
  if (!promised) return []
  const { input } = stepped
  const roomId = stepped.room.id
  const { atMs, setpointC, expectedC } = promised
  return [
    forget.with(store, { roomId, beforeMs: input.nowMs - KEPT_MS }),
    add.with(store, { roomId, atMs, setpointC, expectedC }),
  ]
}

const leadOf = (roomId: string): number =>
  LEAST_LEAD_MS + ((roomId.codePointAt(roomId.length - 1) ?? 0) % LEADS) * SLOT_MS

/** When setpoints change by themselves: how warm the room is, if it is still the setpoint that was promised. */
export function keptPromise(store: Store, { room, input }: Stepped): Compilable[] {
  const { air, settings, nowMs } = input
  const { steering, setpointC } = setpointAt(settings, nowMs)
  if (air.kind !== 'fresh' || steering.kind !== 'automatic') return []
  return [measure.with(store, { roomId: room.id, fromMs: nowMs - LATEST_MS, nowMs, setpointC, airC: air.airC })]
}

const forget = statement((db, { roomId, beforeMs }: { roomId: string; beforeMs: number }) =>
  db.deleteFrom('promises').where('roomId', '=', roomId).where('dueAt', '<', beforeMs),
)

const add = statement(
  (db, { roomId, atMs, setpointC, expectedC }: Pick<WarmUp, 'atMs' | 'setpointC' | 'expectedC'> & { roomId: string }) =>
    db
      .insertInto('promises')
      .values({ roomId, dueAt: atMs, setpointC, expectedC, measuredC: null })
      .onConflict((conflict) => conflict.columns(['roomId', 'dueAt']).doNothing()),
)

type Measured = { roomId: string; fromMs: number; nowMs: number; setpointC: number; airC: number }

const measure = statement((db, { roomId, fromMs, nowMs, setpointC, airC }: Measured) =>
  db
    .updateTable('promises')
    .set({ measuredC: airC })
    .where('roomId', '=', roomId)
    .where('dueAt', '>', fromMs)
    .where('dueAt', '<=', nowMs)
    .where('setpointC', '=', setpointC)
    .where('measuredC', 'is', null),
)

/** Of the last mornings of which it is known, on how many a room was as warm as promised. */
export async function promisesOf({ db }: Store, { roomId }: RoomScope): Promise<AppPromises> {
  const rows = await db
    .selectFrom('promises')
    .innerJoin('rooms', 'rooms.id', 'promises.roomId')
    .innerJoin('buildings', 'buildings.id', 'rooms.buildingId')
    .select(['buildings.timezone', 'promises.dueAt', 'promises.expectedC', 'promises.measuredC'])
    .where('promises.roomId', '=', roomId)
    .orderBy('promises.dueAt', 'desc')
    .execute()
  const mornings = rows
    .filter(({ timezone, dueAt, measuredC }) => measuredC !== null && localTime(timezone, dueAt).minuteOfDay < NOON)
    .slice(0, MORNINGS)
  const kept = mornings.filter(({ expectedC, measuredC }) => isKept(expectedC, Number(measuredC)))
  return { mornings: mornings.length, kept: kept.length }
}
