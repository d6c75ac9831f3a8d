import type { Override } from '@hypocaust/domain'
import type { Clock } from '../../base/clock.ts'
import { errors, ServiceError } from '../../base/errors.ts'
import type { Store } from '../../store/store.ts'
import { actionOfUndo, hiddenFrom } from '../change-log/fields.ts'
import { BUILDING_SETTINGS, ROOM_SETTINGS, type Setting } from '../change-log/settings.ts'
import { type Membership, requirePermission } from '../membership.ts'
import { overrideColumn } from '../rooms/override.ts'
import { NOBODY_AWAY } from '../rooms/schedule-inputs.ts'
import { commitRooms, replaceValves, updateRoom } from '../rooms/write.ts'
import { sensorIdOf } from '../sensors.ts'
import { updateBuilding } from './write.ts'

type Values = (string | number | null)[]
type Columns = Record<string, string | number | null>

interface Undone {
  buildingId: string
  roomId: string | null
  field: string
  before: Values
  after: Values
}

/** A setting gets the value it had before one of its changes, unless it has been changed again since. */
export async function undoChange(
  store: Store,
  clock: Clock,
  { buildingId, sequence }: { buildingId: string; sequence: number },
  membership: Membership,
): Promise<void> {
  const row = await store.db
    .selectFrom('changeLog')
    .select(['roomId', 'field', 'actorKind', 'oldValue', 'newValue'])
    .where('buildingId', '=', buildingId)
    .where('sequence', '=', sequence)
    .executeTakeFirst()
  if (!row || hiddenFrom(membership.role).includes(row.field)) throw errors.noSuch('change', String(sequence))
  const action = actionOfUndo(row)
  if (!action || row.oldValue === null || row.newValue === null)
    throw errors.invalidValue('Only changes of settings can be undone.')
  requirePermission(membership, action)
  const { roomId, field } = row
  const undone = { buildingId, roomId, field, before: JSON.parse(row.oldValue), after: JSON.parse(row.newValue) }
  const isDone = field === 'valves' ? await undoValves(store, clock, undone) : await undoSetting(store, clock, undone)
  if (!isDone) throw errors.taken('This setting has been changed again since. Only its latest change can be undone.')
}

/** Later changes of the same settings stay. */
export async function undoTogether(
  store: Store,
  clock: Clock,
  { buildingId, sequences }: { buildingId: string; sequences: number[] },
  membership: Membership,
): Promise<void> {
  for (const sequence of sequences.toReversed()) {
    try {
      await undoChange(store, clock, { buildingId, sequence }, membership)
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'taken') throw error
    }
  }
}

async function undoSetting(store: Store, clock: Clock, undone: Undone): Promise<boolean> {
  const { buildingId, roomId, field, before, after } = undone
  const settings: Setting[] = roomId === null ? BUILDING_SETTINGS : ROOM_SETTINGS
  const setting = settings.find((each) => each.field === field)
  if (!setting) return false
  const nowMs = clock.now()
  const changes = renewed(field, await columnsOf(store, buildingId, setting, before), nowMs)
  const seen = await columnsOf(store, buildingId, setting, after)
  const results =
    roomId === null
      ? await store.batch(updateBuilding(store, nowMs, buildingId, changes, { seen }))
      : await commitRooms(store, clock, buildingId, updateRoom(store, nowMs, { buildingId, roomId }, changes, { seen }))
  return results.at(-1)?.affectedRows === 1
}

async function columnsOf(store: Store, buildingId: string, { columns }: Setting, values: Values): Promise<Columns> {
  const entries = columns.map(async ({ name, isSensor }, i): Promise<[string, string | number | null]> => {
    const value = values[i] ?? null
    return [name, isSensor && value !== null ? await sensorIdOf(store, buildingId, String(value)) : value]
  })
  return Object.fromEntries(await Promise.all(entries))
}

/** What counts for a while was set just now; it does not come back once its time is over. */
function renewed(field: string, columns: Columns, nowMs: number): Columns {
  if (field === 'away') return isOver(columns, nowMs) ? { ...NOBODY_AWAY } : { ...columns, awaySetAt: nowMs }
  if (field !== 'override' || typeof columns.override !== 'string') return columns
  const override = JSON.parse(columns.override) as Override
  return { override: override.untilMs > nowMs ? overrideColumn({ ...override, setAtMs: nowMs }) : null }
}

const isOver = ({ awayC = null, awayUntil = null }: Columns, nowMs: number): boolean =>
  awayC === null || (awayUntil !== null && Number(awayUntil) <= nowMs)

/** Valves of a gateway that is gone do not come back. */
async function undoValves(store: Store, clock: Clock, { buildingId, roomId, before, after }: Undone): Promise<boolean> {
  const { db } = store
  const now = await db
    .selectFrom('valves')
    .select(['gatewayId', 'channel'])
    .where('roomId', '=', roomId ?? '')
    .orderBy('gatewayId')
    .orderBy('channel')
    .execute()
  const isAsLogged = JSON.stringify(now.map(({ gatewayId, channel }) => [gatewayId, channel])) === JSON.stringify(after)
  if (!isAsLogged || roomId === null) return false
  const gateways = await db.selectFrom('gateways').select('id').where('buildingId', '=', buildingId).execute()
  const valves = (before as unknown as [string, number][])
    .map(([gatewayId, channel]) => ({ gatewayId, channel }))
    .filter(({ gatewayId }) => gateways.some(({ id }) => id === gatewayId))
  await commitRooms(store, clock, buildingId, replaceValves(store, clock.now(), buildingId, [{ roomId, valves }]))
  return true
}
