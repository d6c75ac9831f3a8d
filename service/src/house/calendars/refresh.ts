import { type CalendarProblem, DAY_MS, HOUR_MS, MINUTE_MS } from '@hypocaust/domain'
import type { Updateable } from 'kysely'
import type { Logger } from 'pino'
import type { Clock } from '../../base/clock.ts'
import { chunksOf } from '../../store/chunks.ts'
import { statement } from '../../store/statement.ts'
import type { Store } from '../../store/store.ts'
import type { Tables } from '../../store/tables.ts'
import { isNotMoving } from '../moving.ts'
import { raiseRevision } from '../revisions.ts'
import { deriveWishes, type StoredOccurrences } from './derive.ts'
import type { CalendarNetwork, Fetched } from './network.ts'
import { readCalendar } from './read-calendar.ts'

export interface CalendarParts {
  store: Store
  clock: Clock
  logger: Logger
  network: CalendarNetwork
  /** From 0 to 1; spreads requests, so that many services do not ask at the same second. */
  random: () => number
}

const ASK_EVERY_MS = 30 * MINUTE_MS
/** After one failure; twice as long after each further one. */
const RETRY_MS = 15 * MINUTE_MS
const MOST_RETRY_MS = DAY_MS
/** Repetitions come into sight with time, also where nothing has changed. */
const READ_EVERY_MS = 12 * HOUR_MS
const JITTER = 0.2
const AT_A_TIME = 5
const MOST_A_TURN = 100

const dueIds = statement((db, { nowMs }: { nowMs: number }) =>
  db
    .selectFrom('calendars')
    .select('id')
    .where('dueAt', '<=', nowMs)
    .where(isNotMoving('calendars.buildingId'))
    .orderBy('dueAt')
    .limit(MOST_A_TURN),
)

/** Reads every calendar that is due; one of a slow server holds up only some others. */
export async function refreshCalendars(parts: CalendarParts, stopping?: AbortSignal): Promise<void> {
  const due = await dueIds.all(parts.store, { nowMs: parts.clock.now() })
  for (const some of chunksOf(due, AT_A_TIME)) {
    if (stopping?.aborted) return
    await Promise.all(some.map(({ id }) => refreshCalendar(parts, id, stopping)))
  }
}

/** Fetches one if it has an address, reads it, and lets its building follow. */
export async function refreshCalendar(parts: CalendarParts, id: string, stopping?: AbortSignal): Promise<void> {
  const { store, clock, logger, network } = parts
  const row = await store.db
    .selectFrom('calendars')
    .innerJoin('buildings', 'buildings.id', 'calendars.buildingId')
    .selectAll('calendars')
    .select('buildings.timezone')
    .where('calendars.id', '=', id)
    .executeTakeFirst()
  if (!row) return
  const { address, content, etag, lastModified, readAt } = row
  const known = content === null ? { etag: null, lastModified: null } : { etag, lastModified }
  const fetched: Fetched = address === null ? { kind: 'unchanged' } : await network.get(address, known, stopping)
  if (stopping?.aborted) return
  const nowMs = clock.now()
  if (fetched.kind === 'problem') return failed(parts, row, fetched.problem)
  if (fetched.kind === 'unchanged' && readAt !== null && nowMs - readAt < READ_EVERY_MS)
    return void (await write(store, row, checked(parts, {})))
  const reading = await readCalendar(fetched.kind === 'content' ? fetched.text : (content ?? ''), {
    timeZone: row.timezone,
    nowMs,
  })
  if (!reading.ok) return failed(parts, row, reading.problem)
  const { occurrences: list, unreadable } = reading
  const occurrences = JSON.stringify({ unreadable, list } satisfies StoredOccurrences)
  const headers = fetched.kind === 'content' && { etag: fetched.etag, lastModified: fetched.lastModified }
  const changes = checked(parts, { ...headers, content: reading.content, occurrences, readAt: nowMs })
  const wasWritten = await write(store, row, changes, occurrences !== row.occurrences)
  if (wasWritten && row.problem !== null) logger.info({ calendar: id }, 'a calendar can be read again')
  if (wasWritten) await deriveWishes(store, clock, row.buildingId)
}

type Row = Pick<Tables['calendars'], 'address'> & { id: string; buildingId: string; version: number; failures: number }
type Changes = Updateable<Tables['calendars']>

const checked = ({ clock, random }: CalendarParts, changes: Changes): Changes => ({
  ...changes,
  ...{ checkedAt: clock.now(), failures: 0, problem: null },
  dueAt: Math.round(clock.now() + ASK_EVERY_MS * (1 + JITTER * random())),
})

/** What was read before goes on counting. Its address is a secret, and is not logged. */
async function failed(parts: CalendarParts, row: Row, problem: CalendarProblem): Promise<void> {
  const { store, clock, logger, random } = parts
  const failures = row.failures + 1
  const waitMs = Math.min(MOST_RETRY_MS, RETRY_MS * 2 ** Math.min(failures - 1, 10)) * (1 + JITTER * random())
  logger.warn({ calendar: row.id, problem, failures }, 'a calendar could not be read')
  await write(store, row, { checkedAt: clock.now(), failures, problem, dueAt: Math.round(clock.now() + waitMs) })
}

/** Unless a person has changed it meanwhile. */
async function write(store: Store, { id, buildingId, version }: Row, changes: Changes, isNews = false) {
  const update = store.db.updateTable('calendars').set(changes).where('id', '=', id).where('version', '=', version)
  const revised = isNews ? [raiseRevision.with(store, { buildingId, nowMs: changes.checkedAt as number })] : []
  const results = await store.batch([...revised, update])
  return results.at(-1)?.affectedRows === 1
}
