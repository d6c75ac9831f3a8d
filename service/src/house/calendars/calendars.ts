import { randomUUIDv7 } from 'node:crypto'
import {
  type Calendar,
  type CalendarPut,
  type CalendarRule,
  calendarRuleProblem,
  MOST_CALENDARS,
  timestampOf,
} from '@hypocaust/domain'
import type { Selectable } from 'kysely'
import { errors } from '../../base/errors.ts'
import type { Limit } from '../../store/batch.ts'
import { statement } from '../../store/statement.ts'
import { isStoreError, type Store } from '../../store/store.ts'
import type { Tables } from '../../store/tables.ts'
import { record } from '../change-log/record.ts'
import { raiseRevision } from '../revisions.ts'
import { deriveWishes, occurrencesIn } from './derive.ts'
import { httpAddress } from './network.ts'
import { type CalendarParts, refreshCalendar } from './refresh.ts'
import { applies } from './wishes.ts'

const MOST_SHOWN = 100

const calendarsIn = statement((db, { buildingId }: { buildingId: string }) =>
  db
    .selectFrom('calendars')
    .select(['id', 'name', 'address', 'rules', 'occurrences', 'checkedAt', 'problem'])
    .where('buildingId', '=', buildingId)
    .orderBy('id'),
)

/** Without their addresses. */
export async function calendarsOf(store: Store, buildingId: string, nowMs: number): Promise<Calendar[]> {
  const rows = await calendarsIn.all(store, { buildingId })
  return rows.map((row) => viewOf(row, nowMs))
}

type Shown = Pick<
  Selectable<Tables['calendars']>,
  'id' | 'name' | 'address' | 'rules' | 'occurrences' | 'checkedAt' | 'problem'
>

function viewOf({ id, name, address, occurrences, checkedAt, problem, ...row }: Shown, nowMs: number): Calendar {
  const rules = JSON.parse(row.rules) as CalendarRule[]
  const { list, unreadable } = occurrencesIn(occurrences)
  const ahead = list.filter(({ untilMs }) => untilMs > nowMs).slice(0, MOST_SHOWN)
  return {
    ...{ id, name, rules, problem, unreadable },
    source: address === null ? 'file' : 'address',
    host: address === null ? null : new URL(address).hostname,
    checked_at: checkedAt === null ? null : timestampOf(checkedAt),
    events: ahead.map(({ title, fromMs, untilMs, isAllDay }) => {
      const rule = rules.findIndex((each) => applies(each, title))
      const span = { starts_at: timestampOf(fromMs), ends_at: timestampOf(untilMs) }
      return { title, ...span, all_day: isAllDay, rule: rule === -1 ? null : rule }
    }),
  }
}

/** Adds one and reads it at once, so that the answer shows its events. */
export async function addCalendar(parts: CalendarParts, buildingId: string, put: CalendarPut): Promise<string> {
  const { store, clock } = parts
  const { db } = store
  if ((put.address === undefined) === (put.content === undefined))
    throw errors.invalidValue('A new calendar has either address or content.')
  const columns = await columnsOf(parts, buildingId, put)
  const id = randomUUIDv7()
  const nowMs = clock.now()
  const row = { id, buildingId, address: null, content: null, ...columns, dueAt: nowMs }
  const entry = { buildingId, subjectId: id, subject: columns.name, field: 'calendar', after: [columns.name] }
  try {
    await store.batch(
      [
        raiseRevision.with(store, { buildingId, nowMs }),
        db.insertInto('calendars').values(row),
        record(store, nowMs, entry),
      ],
      [calendarLimit(store, buildingId)],
    )
  } catch (error) {
    refuseMoreCalendars(error)
    throw error
  }
  await refreshCalendar(parts, id)
  return id
}

const LIMIT = 'calendars'

/** How many a building may have after a batch. */
export const calendarLimit = ({ db }: Store, buildingId: string): Limit => ({
  ownerId: buildingId,
  count: db
    .selectFrom('calendars')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('buildingId', '=', buildingId),
  ...{ most: MOST_CALENDARS, name: LIMIT },
})

/** Says so, where a batch was refused by this limit. */
export function refuseMoreCalendars(error: unknown): void {
  if (isStoreError(error, 'limit') && (error as Error).message === LIMIT)
    throw errors.invalidValue(`A building can have at most ${MOST_CALENDARS} calendars.`)
}

interface Named {
  buildingId: string
  calendarId: string
}

/** What is left out stays: an address that was not sent again is the one that was sent before. */
export async function putCalendar(parts: CalendarParts, named: Named, put: CalendarPut): Promise<void> {
  const { store, clock } = parts
  const { buildingId, calendarId } = named
  if (put.address !== undefined && put.content !== undefined)
    throw errors.invalidValue('A calendar has either address or content.')
  const before = await storedCalendar(store, named)
  const columns = await columnsOf(parts, buildingId, put, roomsIn(JSON.parse(before.rules)))
  const isElsewhere = put.address !== undefined || put.content !== undefined
  const nowMs = clock.now()
  const update = store.db
    .updateTable('calendars')
    .set((eb) => ({ ...columns, version: eb('version', '+', 1), ...(isElsewhere && UNREAD), dueAt: nowMs }))
    .where('id', '=', calendarId)
  const changed = { before: [before.name], after: [columns.name] }
  const entry = { buildingId, subjectId: calendarId, subject: columns.name, field: 'calendar', ...changed }
  await store.batch([raiseRevision.with(store, { buildingId, nowMs }), update, record(store, nowMs, entry)])
  await refreshCalendar(parts, calendarId)
  await deriveWishes(store, clock, buildingId)
}

/** Of one that is to be read from the beginning. */
export const UNREAD = {
  etag: null,
  lastModified: null,
  occurrences: null,
  readAt: null,
  checkedAt: null,
  failures: 0,
  problem: null,
}

export async function removeCalendar({ store, clock }: CalendarParts, named: Named): Promise<void> {
  const { buildingId, calendarId } = named
  const { name } = await storedCalendar(store, named)
  const nowMs = clock.now()
  await store.batch([
    raiseRevision.with(store, { buildingId, nowMs }),
    store.db.deleteFrom('calendars').where('id', '=', calendarId),
    record(store, nowMs, { buildingId, subjectId: calendarId, subject: name, field: 'calendar', before: [name] }),
  ])
  await deriveWishes(store, clock, buildingId)
}

/** Refuses one that is not there. */
export async function storedCalendar({ db }: Store, { buildingId, calendarId }: Named) {
  const row = await db
    .selectFrom('calendars')
    .select(['name', 'rules'])
    .where('id', '=', calendarId)
    .where('buildingId', '=', buildingId)
    .executeTakeFirst()
  if (!row) throw errors.noSuch('calendar', calendarId)
  return row
}

async function columnsOf(
  { store, network }: CalendarParts,
  buildingId: string,
  put: CalendarPut,
  /** Also those that have been removed since. */
  roomsBefore: string[] = [],
) {
  const rules = put.rules.map((rule) => ({
    ...rule,
    room_ids: rule.room_ids?.map((each) => each.toLowerCase()) ?? null,
  }))
  const problem = rules.map((rule, i) => [i, calendarRuleProblem(rule)] as const).find(([, text]) => text)
  if (problem) throw errors.invalidValue(`rules.${problem[0]}: ${problem[1]}`)
  await requireRooms(store, buildingId, rules, roomsBefore)
  const { name, content } = put
  const address = put.address === undefined ? undefined : httpAddress(put.address.trim())
  if (address !== undefined && !network.accepts(address))
    throw errors.invalidValue('address must be an https address on the internet, unless the operator allows others.')
  const source =
    content !== undefined ? { content, address: null } : address !== undefined ? { address, content: null } : {}
  return { name: name.trim(), rules: JSON.stringify(rules), ...source }
}

const roomsIn = (rules: CalendarRule[]): string[] => rules.flatMap(({ room_ids }) => room_ids ?? [])

/** A calendar can be saved as it was, though a room of a rule has been removed. */
async function requireRooms({ db }: Store, buildingId: string, rules: CalendarRule[], before: string[]): Promise<void> {
  const named = roomsIn(rules).filter((id) => !before.includes(id))
  if (named.length === 0) return
  const rooms = await db.selectFrom('rooms').select('id').where('buildingId', '=', buildingId).execute()
  const foreign = named.find((id) => !rooms.some((room) => room.id === id))
  if (foreign !== undefined) throw errors.noSuchRoom(foreign)
}
