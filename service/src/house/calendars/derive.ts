import type { CalendarRule } from '@hypocaust/domain'
import type { Clock } from '../../base/clock.ts'
import { errors } from '../../base/errors.ts'
import { statement } from '../../store/statement.ts'
import type { Store } from '../../store/store.ts'
import { nextRevision } from '../revisions.ts'
import type { Occurrence } from './occurrences.ts'
import { wishesOf } from './wishes.ts'

/** Two may change at the same moment, each with its own part of the whole. */
const TRIES = 5

const readOf = statement((db, { buildingId }: { buildingId: string }) =>
  db.selectFrom('calendars').select(['rules', 'occurrences']).where('buildingId', '=', buildingId).orderBy('id'),
)

/**
 * Works out what the calendars of a building ask of its rooms. Whatever changes them raises the revision of the building,
 * so that what was worked out from something older is never written.
 */
export async function deriveWishes(store: Store, clock: Clock, buildingId: string): Promise<void> {
  const { db } = store
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const building = await db
      .selectFrom('buildings')
      .select(['timezone', 'revisedAt', 'calendarWishes'])
      .where('id', '=', buildingId)
      .executeTakeFirst()
    if (!building) return
    const calendars = await readOf.all(store, { buildingId })
    const nowMs = clock.now()
    const wishes = wishesOf(calendars.map(parsed), { timeZone: building.timezone, nowMs })
    const calendarWishes = wishes.length === 0 ? null : JSON.stringify(wishes)
    if (calendarWishes === building.calendarWishes) return
    const { numUpdatedRows } = await db
      .updateTable('buildings')
      .set({ calendarWishes, revisedAt: nextRevision(nowMs) })
      .where('id', '=', buildingId)
      .where('revisedAt', '=', building.revisedAt)
      .executeTakeFirst()
    if (numUpdatedRows > 0n) return
  }
  throw errors.unavailable()
}

const parsed = ({ rules, occurrences }: { rules: string; occurrences: string | null }) => ({
  rules: JSON.parse(rules) as CalendarRule[],
  occurrences: occurrencesIn(occurrences).list,
})

/** As they are stored. */
export interface StoredOccurrences {
  unreadable: number
  list: Occurrence[]
}

export const occurrencesIn = (text: string | null): StoredOccurrences =>
  text === null ? { unreadable: 0, list: [] } : (JSON.parse(text) as StoredOccurrences)
