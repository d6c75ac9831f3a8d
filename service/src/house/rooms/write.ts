import { DEFAULT_COMFORT_BAND_K, MAX_FLOOR_C, NEW_ROOM_TARGET_C } from '@hypocaust/domain'
import type { Compilable, Insertable, Selectable, Updateable } from 'kysely'
import type { Clock } from '../../base/clock.ts'
import { NO_QUOTAS } from '../../base/quotas.ts'
import { batchWithin, ofBuilding } from '../../store/quotas.ts'
import { type Statement, statement } from '../../store/statement.ts'
import type { Store, WriteResult } from '../../store/store.ts'
import type { RoomTable } from '../../store/tables.ts'
import { raiseRevision } from '../revisions.ts'

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
  presetMode: 'none',
  comfortBandK: DEFAULT_COMFORT_BAND_K,
  nightMode: null,
  programme: null,
  maxFloorC: MAX_FLOOR_C,
  floorSensorId: null,
  areaM2: null,
} as const

/** A new room is left to the heating control, which has not decided yet. */
const START = { manualEnabled: 0, manualPower: 0, controlPower: 0 } as const

type Given = 'id' | 'buildingId' | 'key' | 'name' | 'position' | 'floorType' | 'sensorId' | 'createdAt'
export type NewRoomRow = Pick<Insertable<RoomTable>, Given> & Partial<Insertable<RoomTable>>

export const insertRoom = ({ db }: Store, room: NewRoomRow): Compilable =>
  db.insertInto('rooms').values({ ...ROOM_DEFAULTS, ...START, ...room })

/** What a holder sets and reads back; another change of it in between makes a conditional one fail. */
const SETTINGS = ['name', 'targetC', 'presetMode', 'manualEnabled', 'manualPower'] as const
export type RoomSettings = Pick<Selectable<RoomTable>, (typeof SETTINGS)[number]>

/** With `seen`, nothing is written unless the settings are still those: the database itself compares. */
export function updateRoom(
  store: Store,
  scope: RoomScope,
  changes: Updateable<RoomTable>,
  seen?: RoomSettings,
): Compilable[] {
  const columns = Object.keys(changes) as Column[]
  if (columns.length === 0) return []
  if (!seen) return [updateOf(columns).with(store, { ...changes, ...scope })]
  const update = updateIn(store.db, scope).set(changes)
  return [SETTINGS.reduce((query, name) => query.where(name, '=', seen[name]), update)]
}

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

export const deleteRoomsBut = ({ db }: Store, buildingId: string, keptIds: string[]): Compilable => {
  const all = db.deleteFrom('rooms').where('buildingId', '=', buildingId)
  return keptIds.length === 0 ? all : all.where('id', 'not in', keptIds)
}

/** Exactly these valves work the rooms. A channel works one room: old ties of the rooms and of the channels give way. */
export function replaceValves({ db }: Store, rooms: { roomId: string; valves: RoomValve[] }[]): Compilable[] {
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

/** All or nothing, with the building's revision, by which every process and every open page notices the change. */
export async function commitRooms(
  store: Store,
  clock: Clock,
  buildingId: string,
  writes: Compilable[],
  quotas = NO_QUOTAS,
): Promise<WriteResult[]> {
  if (writes.length === 0) return []
  const revised = raiseRevision.with(store, { buildingId, nowMs: clock.now() })
  // The building's row comes first, as in its removal: the other way round, the two would wait for each other.
  const [, ...results] = await batchWithin(
    store,
    quotas,
    [revised, ...writes],
    [ofBuilding(store, 'rooms', buildingId)],
  )
  return results
}
