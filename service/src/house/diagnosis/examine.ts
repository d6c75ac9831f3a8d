import { EXAMINED_DAYS, type Examined, type RoomControl } from '@hypocaust/control'
import { DAY_MS, type FloorType } from '@hypocaust/domain'
import type { Store } from '../../store/store.ts'
import { slotsOf } from '../heating/slots.ts'
import type { Replays } from '../replays/replays.ts'
import type { RoomScope } from '../rooms/write.ts'

interface Parts {
  store: Store
  replays: Pick<Replays, 'ask'>
}

/** Keeps what the last days of a room say about possible faults, beside what those of the other rooms say. */
export async function keepExamination({ store, replays }: Parts, scope: RoomScope, nowMs: number): Promise<void> {
  const { roomId } = scope
  const found = await houseOf(store, scope.buildingId, nowMs)
  const examination = found?.rooms.has(roomId)
    ? await replays.ask({ kind: 'examination', ...found, roomId, nowMs })
    : null
  if (!examination) {
    await store.db.deleteFrom('roomExaminations').where('roomId', '=', roomId).execute()
    return
  }
  const row = { examinedAt: nowMs, examination: JSON.stringify(examination) }
  await store.db
    .insertInto('roomExaminations')
    .values({ roomId, ...row })
    .onConflict((conflict) => conflict.column('roomId').doUpdateSet(row))
    .execute()
}

/** The rooms that are heated here; of one that another thermostat heats the powers are often not known. */
async function houseOf(store: Store, buildingId: string, nowMs: number) {
  const rows = await store.db
    .selectFrom('rooms')
    .innerJoin('buildings', 'buildings.id', 'rooms.buildingId')
    .innerJoin('controlStates', 'controlStates.roomId', 'rooms.id')
    .select(['rooms.id', 'rooms.floorType', 'buildings.lat', 'buildings.lng', 'buildings.timezone'])
    .select('controlStates.state')
    .where('rooms.buildingId', '=', buildingId)
    .where('rooms.watchedSince', 'is', null)
    .orderBy('rooms.id')
    .execute()
  const [first] = rows
  if (!first) return null
  const rooms = new Map<string, Examined>()
  for (const row of rows) rooms.set(row.id, await examinedOf(store, row, nowMs))
  return { rooms, location: { lat: first.lat, lng: first.lng } }
}

interface Row {
  id: string
  floorType: FloorType
  timezone: string
  state: string
}

async function examinedOf(store: Store, row: Row, nowMs: number): Promise<Examined> {
  const { idle, shortfall } = JSON.parse(row.state) as RoomControl
  return {
    floorType: row.floorType,
    timeZone: row.timezone,
    slots: await slotsOf(store, row.id, nowMs - EXAMINED_DAYS * DAY_MS),
    idle: idle ?? null,
    isShort: (shortfall?.sinceMs ?? null) !== null,
  }
}
