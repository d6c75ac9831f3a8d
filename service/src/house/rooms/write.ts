import { NEW_ROOM_TARGET_C } from '@hypocaust/domain'
import { type Compilable, type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Clock } from '../../base/clock.ts'
import { errors } from '../../base/errors.ts'
import { NO_QUOTAS, type Quotas } from '../../base/quotas.ts'
import type { Limit } from '../../store/batch.ts'
import { limitsOf, ofBuilding, refuseBeyond } from '../../store/quotas.ts'
import { type Statement, statement } from '../../store/statement.ts'
import { isStoreError, type Store, type WriteResult } from '../../store/store.ts'
import type { RoomTable } from '../../store/tables/rooms.ts'
import type { Actor } from '../change-log/actor.ts'
import { isRoomAsSeen, recordRoom } from '../change-log/record-settings.ts'
import { recordingValves } from '../change-log/record-valves.ts'
import { raiseRevision } from '../revisions.ts'
import { rememberSensors } from './former-sensors.ts'
import { DEFAULT_SETTING_COLUMNS } from './setting-columns.ts'

export interface RoomScope {
  buildingId: string
  roomId: string
}

export interface RoomValve {
  gatewayId: string
  channel: number
}

/** What a room has unless something else is said. */
export const ROOM_DEFAULTS = {
  targetC: NEW_ROOM_TARGET_C,
  targetHold: null,
  presetMode: 'none',
  nightMode: null,
  programme: null,
  floorSensorId: null,
  watchedSince: null,
  ...DEFAULT_SETTING_COLUMNS,
} as const

/** A new room is left to the heating control, which has not decided yet. */
const START = { manualEnabled: 0, manualPower: 0, controlPower: 0 } as const

type Given = 'id' | 'buildingId' | 'key' | 'name' | 'position' | 'floorType' | 'sensorId' | 'createdAt'
type NewRoomRow = Pick<Insertable<RoomTable>, Given> & Partial<Insertable<RoomTable>>

export const insertRoom = ({ db }: Store, room: NewRoomRow): Compilable =>
  db.insertInto('rooms').values({ ...ROOM_DEFAULTS, ...START, ...room })

/** What a change is conditional on, as the caller has seen it, and what the caller calls it. */
export interface SeenRoom {
  what: string
  columns: Partial<Selectable<RoomTable>>
}

export interface UpdateOptions {
  /** Nothing is written unless the room has these values still: the database itself compares. */
  seen?: Partial<Selectable<RoomTable>> | undefined
  /** Unless it is the one who acts now. */
  actor?: Actor
}

/** The update comes last, after its entries of the change log. */
export function updateRoom(
  store: Store,
  nowMs: number,
  scope: RoomScope,
  changes: Updateable<RoomTable>,
  { seen, actor }: UpdateOptions = {},
): Compilable[] {
  const columns = Object.keys(changes) as Column[]
  if (columns.length === 0) return []
  const entries = [
    ...recordRoom(store, nowMs, scope, changes as RoomChanges, { seen, actor }),
    ...rememberSensors(store, nowMs, scope, changes, seen),
  ]
  if (!seen) return [...entries, updateOf(columns).with(store, { ...changes, ...scope })]
  return [...entries, updateIn(store.db, scope).set(changes).where(isRoomAsSeen(seen))]
}

type RoomChanges = Parameters<typeof recordRoom>[3]

type Column = keyof Updateable<RoomTable>
type RoomUpdate = Statement<Updateable<RoomTable> & RoomScope, unknown>

const updates = new Map<string, RoomUpdate>()

/** One statement for each set of columns that are changed together. */
function updateOf(columns: Column[]): RoomUpdate {
  const name = columns.join()
  const known = updates.get(name)
  if (known) return known
  const made: RoomUpdate = statement((db, values) =>
    updateIn(db, values).set(Object.fromEntries(columns.map((column) => [column, values[column]]))),
  )
  updates.set(name, made)
  return made
}

const updateIn = (db: Store['db'], { buildingId, roomId }: RoomScope) =>
  db.updateTable('rooms').where('id', '=', roomId).where('buildingId', '=', buildingId)

export const deleteRoom = ({ db }: Store, { buildingId, roomId }: RoomScope): Compilable =>
  db.deleteFrom('rooms').where('id', '=', roomId).where('buildingId', '=', buildingId)

export const deleteRoomsBut = ({ db }: Store, buildingId: string, keptIds: string[]): Compilable =>
  db.deleteFrom('rooms').where('buildingId', '=', buildingId).where('id', 'not in', keptIds)

interface ValvesOf {
  roomId: string
  isNew?: boolean
  valves: RoomValve[]
}

/** Exactly these valves work the rooms. A channel works one room: old ties of the rooms and of the channels give way. */
export const replaceValves = (store: Store, nowMs: number, buildingId: string, rooms: ValvesOf[]): Compilable[] =>
  recordingValves(store, nowMs, { buildingId, newRoomIds: newIds(rooms) }, valveWrites(store, rooms))

const newIds = (rooms: ValvesOf[]): string[] => rooms.filter(({ isNew }) => isNew).map(({ roomId }) => roomId)

function valveWrites({ db }: Store, rooms: ValvesOf[]): Compilable[] {
  return [
    ...rooms.map(({ roomId }) => db.deleteFrom('valves').where('roomId', '=', roomId)),
    ...rooms.flatMap(({ roomId, valves }) =>
      valves.flatMap(({ gatewayId, channel }) => [
        db.deleteFrom('valves').where('gatewayId', '=', gatewayId).where('channel', '=', channel),
        db.insertInto('valves').values({ roomId, gatewayId, channel }),
      ]),
    ),
  ]
}

interface CommitOptions {
  quotas?: Quotas
  /** Rooms without which nothing is written: another request may have removed one since it was looked up. */
  needed?: string[]
}

/** All or nothing, with the building's revision, by which every process and every open page notices the change. */
export async function commitRooms(
  store: Store,
  clock: Clock,
  buildingId: string,
  writes: Compilable[],
  { quotas = NO_QUOTAS, needed = [] }: CommitOptions = {},
): Promise<WriteResult[]> {
  if (writes.length === 0) return []
  const revised = raiseRevision.with(store, { buildingId, nowMs: clock.now() })
  const limits = [
    ...limitsOf(quotas, [ofBuilding(store, 'rooms', buildingId)]),
    ...(needed.length > 0 ? [noneMissing(store, buildingId, needed)] : []),
  ]
  try {
    // The building's row comes first, as in its removal: the other way round, the two would wait for each other.
    const [, ...results] = await store.batch([revised, ...writes], limits)
    return results
  } catch (error) {
    refuseBeyond(quotas, error)
    if (isStoreError(error, 'limit')) await refuseMissing(store, buildingId, needed)
    throw error
  }
}

const noneMissing = ({ db }: Store, buildingId: string, needed: string[]): Limit => ({
  ownerId: buildingId,
  count: db
    .selectFrom('rooms')
    .select(({ fn, lit }) => sql<number>`${lit(needed.length)} - ${fn.countAll()}`.as('missing'))
    .where('buildingId', '=', buildingId)
    .where('id', 'in', needed),
  most: 0,
  name: 'needed rooms',
})

async function refuseMissing({ db }: Store, buildingId: string, needed: string[]): Promise<void> {
  const rows = await db.selectFrom('rooms').select('id').where('buildingId', '=', buildingId).execute()
  const missing = needed.find((roomId) => !rows.some(({ id }) => id === roomId))
  if (missing !== undefined) throw errors.noSuchRoom(missing)
}
