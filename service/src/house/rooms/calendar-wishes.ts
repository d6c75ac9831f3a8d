import type { CalendarWish } from '@hypocaust/domain'
import type { Selectable } from 'kysely'
import { parsedOnce } from '../../base/parsed-once.ts'
import type { BuildingTable } from '../../store/tables/building.ts'

/** What an event asks of some rooms; null: of all. */
export type StoredWish = CalendarWish & { rooms: string[] | null }

type CalendarRow = Pick<Selectable<BuildingTable>, 'calendarWishes'>

/** Up to 60 kB each. */
const MOST_KEPT = 500
const wishesIn = parsedOnce<StoredWish[]>(MOST_KEPT)

/** What calendars ask of a room; null where they ask nothing. */
export function calendarOf({ calendarWishes }: CalendarRow, roomId: string): CalendarWish[] | null {
  if (calendarWishes === null) return null
  const ofRoom = wishesIn(calendarWishes, calendarWishes).filter(({ rooms }) => rooms?.includes(roomId) ?? true)
  return ofRoom.length === 0 ? null : ofRoom.map(({ rooms: _, ...wish }) => wish)
}
