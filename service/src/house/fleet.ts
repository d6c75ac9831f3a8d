import { DAY_MS, HOUR_MS } from '@hypocaust/domain'
import { sql } from 'kysely'
import type { Store } from '../store/store.ts'

/** Commands without an answer from which on a gateway counts as not following. */
export const UNANSWERED = 3

/** A gateway that has not reported for this long has been taken out of use. */
const FORGOTTEN_AFTER_MS = 7 * DAY_MS
/** Rooms are fitted every 20 hours, and tried again 2 hours after a failure. */
const FIT_OVERDUE_AFTER_MS = 26 * HOUR_MS

export interface Fleet {
  available: number
  /** Seen within a week, and not now. */
  silent: number
  /** Of the available ones: those that leave commands unanswered. */
  notFollowing: number
  /** Readings that the available ones have sent or could send, and that are not stored yet. */
  buffered: number
  fitsOverdue: number
}

/** All gateways and rooms of the database, counted. */
export async function fleetOf({ db }: Store, nowMs: number, silentAfterS: number): Promise<Fleet> {
  const seenSince = nowMs - silentAfterS * 1000
  const isAvailable = sql<boolean>`last_seen_at >= ${seenSince}`
  const count = (condition: ReturnType<typeof sql<boolean>>) =>
    sql<number>`sum(case when ${condition} then 1 else 0 end)`
  const gateways = await db
    .selectFrom('gateways')
    .select([
      count(isAvailable).as('available'),
      count(sql<boolean>`last_seen_at < ${seenSince} and last_seen_at >= ${nowMs - FORGOTTEN_AFTER_MS}`).as('silent'),
      count(sql<boolean>`${isAvailable} and command_seq - coalesce(acked_seq, 0) >= ${UNANSWERED}`).as('notFollowing'),
      sql<number>`sum(case when ${isAvailable} then coalesce(buffered, 0) else 0 end)`.as('buffered'),
    ])
    .executeTakeFirstOrThrow()
  const { fitsOverdue } = await db
    .selectFrom('rooms')
    .select((eb) => eb.fn.countAll<number>().as('fitsOverdue'))
    .where('fittedAt', '<', nowMs - FIT_OVERDUE_AFTER_MS)
    .executeTakeFirstOrThrow()
  return {
    available: Number(gateways.available),
    silent: Number(gateways.silent),
    notFollowing: Number(gateways.notFollowing),
    buffered: Number(gateways.buffered),
    fitsOverdue: Number(fitsOverdue),
  }
}
