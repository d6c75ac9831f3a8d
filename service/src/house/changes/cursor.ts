import { hash } from 'node:crypto'

/** What is shown of a building and of each of its rooms, each boiled down to a few characters. */
export interface SeenBuilding {
  id: string
  mark: string
  rooms: { id: string; mark: string }[]
}

export interface ChangedBuilding {
  id: string
  /** Empty where only the building itself has changed. */
  rooms: string[]
}

const MARK_LENGTH = 6
/** What fits into the address of a request, with room to spare. */
const LONGEST_CURSOR = 6000

export const markOf = (text: string): string => digestOf(text, MARK_LENGTH)

/**
 * The marks in a fixed order, behind a digest of what they belong to. The client keeps it, so that any process can
 * compare, also after a restart. Where the marks of all rooms do not fit, one digest of everything has to do.
 */
export function cursorOf(seen: SeenBuilding[]): string {
  const cursor = `${scopeOf(seen)}${marksOf(seen).join('')}`
  return cursor.length <= LONGEST_CURSOR ? cursor : `${scopeOf(seen)}~${digestOf(cursor, 24)}`
}

/** What is shown otherwise than when the cursor was made; everything for a cursor that is of something else. */
export function changesSince(cursor: string | undefined, seen: SeenBuilding[]): ChangedBuilding[] {
  const everything = seen.map(({ id, rooms }) => ({ id, rooms: rooms.map((room) => room.id) }))
  if (cursor === undefined) return everything
  const now = cursorOf(seen)
  if (cursor === now) return []
  const marks = cursor.slice(MARK_LENGTH)
  if (!now.startsWith(cursor.slice(0, MARK_LENGTH)) || cursor.length !== now.length || marks.startsWith('~'))
    return everything
  const before = marks.match(new RegExp(`.{${MARK_LENGTH}}`, 'g')) ?? []
  return seen.flatMap((building) => {
    const isBuildingChanged = before.shift() !== building.mark
    const rooms = building.rooms.filter(({ mark }) => before.shift() !== mark).map(({ id }) => id)
    return isBuildingChanged || rooms.length > 0 ? [{ id: building.id, rooms }] : []
  })
}

const marksOf = (seen: SeenBuilding[]): string[] =>
  seen.flatMap(({ mark, rooms }) => [mark, ...rooms.map((room) => room.mark)])

/** Another one when a building or room is added or removed. */
const scopeOf = (seen: SeenBuilding[]): string =>
  digestOf(JSON.stringify(seen.map(({ id, rooms }) => [id, ...rooms.map((room) => room.id)])), MARK_LENGTH)

const digestOf = (text: string, length: number): string => hash('sha256', text, 'base64url').slice(0, length)
