import {
  BUILDING_SETTINGS,
  ROLE_COLUMNS,
  ROOM_SETTINGS,
  type Setting,
} from '../../service/src/house/change-log/settings.ts'
import type { Store } from '../../service/src/store/store.ts'

export type LogRow = Awaited<ReturnType<typeof logOf>>[number]

/** The change log of a building, the oldest entry first. */
export async function logOf({ db }: Store, buildingId: string) {
  const rows = await db
    .selectFrom('changeLog')
    .selectAll()
    .where('buildingId', '=', buildingId)
    .orderBy('sequence')
    .execute()
  const parsed = (value: string | null): unknown => (value === null ? null : JSON.parse(value))
  return rows.map(({ oldValue, newValue, ...row }) => ({ ...row, before: parsed(oldValue), after: parsed(newValue) }))
}

/** What is logged of a building, as it is stored: by field and subject. */
export type LoggedState = Map<string, unknown>

const key = (field: string, subjectId: string) => `${field} ${subjectId}`

export async function loggedStateOf({ db }: Store, buildingId: string): Promise<LoggedState> {
  const [building, rooms, valves, gateways, members, contacts, sensors] = await Promise.all([
    db.selectFrom('buildings').selectAll().where('id', '=', buildingId).executeTakeFirstOrThrow(),
    db.selectFrom('rooms').selectAll().where('buildingId', '=', buildingId).execute(),
    db.selectFrom('valves').selectAll().orderBy('gatewayId').orderBy('channel').execute(),
    db.selectFrom('gateways').selectAll().where('buildingId', '=', buildingId).execute(),
    db.selectFrom('members').selectAll().where('buildingId', '=', buildingId).execute(),
    db.selectFrom('contacts').selectAll().where('buildingId', '=', buildingId).execute(),
    db.selectFrom('sensors').selectAll().where('buildingId', '=', buildingId).execute(),
  ])
  const address = (id: unknown) => sensors.find((sensor) => sensor.id === id)?.address ?? null
  const valuesOf = (settings: Setting[], row: Record<string, unknown> & { id: string }) =>
    settings.map(({ field, columns }): [string, unknown] => [
      key(field, row.id),
      columns.map(({ name, isSensor }) => (isSensor ? address(row[name]) : row[name])),
    ])
  return new Map<string, unknown>([
    ...valuesOf(BUILDING_SETTINGS, building),
    ...rooms.flatMap((room) => [
      [key('room', room.id), [room.name]] as [string, unknown],
      [
        key('valves', room.id),
        valves.filter(({ roomId }) => roomId === room.id).map(({ gatewayId, channel }) => [gatewayId, channel]),
      ] as [string, unknown],
      ...valuesOf(ROOM_SETTINGS, room),
    ]),
    ...gateways.map(({ id, name }): [string, unknown] => [key('gateway', id), [name]]),
    ...members.map((member): [string, unknown] => [
      key('role', member.accountId),
      ROLE_COLUMNS.map(({ name }) => member[name]),
    ]),
    ...contacts.flatMap(({ id, roomId }): [string, unknown][] =>
      roomId === null ? [] : [[key('contact', id), [roomId]]],
    ),
  ])
}

/** What a state becomes by the entries, each of which must begin with what it finds. */
export function replayed(state: LoggedState, entries: LogRow[]): LoggedState {
  const after = new Map(state)
  for (const { field, subjectId, subject, sequence, before, after: value } of entries) {
    if (['gateway_paired', 'gateway_token', 'invitation', 'key', 'learning', 'building'].includes(field)) continue
    const name = key(field, subjectId)
    const found = after.get(name) ?? null
    if (field !== 'room' && after.has(name) && JSON.stringify(found) !== JSON.stringify(before))
      throw new Error(
        `entry ${sequence} (${name}, ${subject}): from ${JSON.stringify(before)}, but it was ${JSON.stringify(found)}`,
      )
    if (value === null) after.delete(name)
    else after.set(name, value)
    if (field === 'name' && after.has(key('room', subjectId))) after.set(key('room', subjectId), value)
    if (field === 'room' && value === null) forgetRoom(after, subjectId)
  }
  return after
}

/** With a room go its settings; a window contact of it has none. */
function forgetRoom(state: LoggedState, roomId: string): void {
  for (const [name, value] of state) {
    const isOfRoom = name.endsWith(` ${roomId}`)
    const isContactOfRoom = name.startsWith('contact ') && Array.isArray(value) && value[0] === roomId
    if (isOfRoom || isContactOfRoom) state.delete(name)
  }
}
