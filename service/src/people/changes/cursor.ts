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

export const markOf = (text: string): string => hash('sha256', text, 'base64url').slice(0, MARK_LENGTH)

/** What one mark of a cursor stands for. */
interface Share {
  mark: string
  /** What has changed where the mark is another. */
  changed: ChangedBuilding[]
}

/**
 * The marks in a fixed order, behind a digest of what they belong to. The client keeps it, so that any process can
 * compare, also after a restart. Where the marks of all rooms do not fit, each stands for a building, or for several.
 */
export const cursorOf = (seen: SeenBuilding[]): string =>
  cursorOfMarks(
    scopeOf(seen),
    sharesOf(seen).map(({ mark }) => mark),
  )

/** What is shown otherwise than when the cursor was made; everything for a cursor that is of something else. */
export function changesSince(cursor: string | undefined, seen: SeenBuilding[]): ChangedBuilding[] {
  const shares = sharesOf(seen)
  const before = marksIn(cursor, scopeOf(seen), shares.length)
  if (!before) return seen.map(wholeOf)
  const changed = shares.flatMap((share, i) => (before[i] === share.mark ? [] : share.changed))
  return [...Map.groupBy(changed, ({ id }) => id)].map(([id, parts]) => ({
    id,
    rooms: parts.flatMap(({ rooms }) => rooms),
  }))
}

const MOST_SHARES = Math.floor(LONGEST_CURSOR / MARK_LENGTH) - 1

function sharesOf(seen: SeenBuilding[]): Share[] {
  const all = seen.reduce((count, { rooms }) => count + 1 + rooms.length, 0)
  if (all <= MOST_SHARES)
    return seen.flatMap(({ id, mark, rooms }) => [
      { mark, changed: [{ id, rooms: [] }] },
      ...rooms.map((room) => ({ mark: room.mark, changed: [{ id, rooms: [room.id] }] })),
    ])
  const together = Math.ceil(seen.length / MOST_SHARES)
  return Array.from({ length: Math.ceil(seen.length / together) }, (_, i) => {
    const some = seen.slice(i * together, (i + 1) * together)
    const marks = some.flatMap(({ mark, rooms }) => [mark, ...rooms.map((room) => room.mark)])
    return { mark: markOf(marks.join('')), changed: some.map(wholeOf) }
  })
}

const wholeOf = ({ id, rooms }: SeenBuilding): ChangedBuilding => ({ id, rooms: rooms.map((room) => room.id) })

/** Another one when a building or room is added or removed. */
const scopeOf = (seen: SeenBuilding[]): string =>
  JSON.stringify(seen.map(({ id, rooms }) => [id, ...rooms.map((room) => room.id)]))

/** Marks behind a digest of what they belong to. */
export const cursorOfMarks = (scope: string, marks: string[]): string => markOf(scope) + marks.join('')

/** The marks of a cursor; undefined where it is of something else. */
export function marksIn(cursor: string | undefined, scope: string, count: number): string[] | undefined {
  if (!cursor?.startsWith(markOf(scope)) || cursor.length !== (count + 1) * MARK_LENGTH) return undefined
  return Array.from({ length: count }, (_, i) => cursor.slice((i + 1) * MARK_LENGTH, (i + 2) * MARK_LENGTH))
}
