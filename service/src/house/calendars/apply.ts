import { randomUUIDv7 } from 'node:crypto'
import { type CalendarRule, type HouseCalendar, nameKeyOf } from '@hypocaust/domain'
import type { Compilable } from 'kysely'
import { errors } from '../../base/errors.ts'
import type { Store } from '../../store/store.ts'
import { record } from '../change-log/record.ts'
import { UNREAD } from './calendars.ts'
import { type CalendarNetwork, calendarNetwork, httpAddress } from './network.ts'

interface Target {
  buildingId: string
  /** The id of a room by its name or key in the file. */
  roomIdOf(name: string): string
  /** Removes the calendars that the file does not name. */
  prune: boolean
  /** Left out, public addresses only. */
  calendarNetwork?: CalendarNetwork
}

/** The calendars as a house file has them. The service reads a new one, and one that has moved, when it looks next. */
export async function writeCalendars(
  store: Store,
  nowMs: number,
  calendars: HouseCalendar[],
  { buildingId, roomIdOf, prune, calendarNetwork: network = calendarNetwork({ privateAddresses: false }) }: Target,
): Promise<Compilable[]> {
  const { db } = store
  const existing = await db
    .selectFrom('calendars')
    .select(['id', 'name', 'address', 'rules'])
    .where('buildingId', '=', buildingId)
    .orderBy('id')
    .execute()
  const named = calendars.map((entry) => {
    const address = httpAddress(entry.address.trim())
    if (!network.accepts(address))
      throw errors.invalidValue(
        `The calendar ${entry.name}: address must be an https address on the internet, unless the operator allows others.`,
      )
    const columns = { name: entry.name.trim(), address, rules: JSON.stringify(rulesOf(entry, roomIdOf)) }
    return { columns, found: existing.find(({ name }) => nameKeyOf(name) === nameKeyOf(entry.name)) }
  })
  const entryOf = (subjectId: string, subject: string) => ({ buildingId, subjectId, subject, field: 'calendar' })
  const writes = named.flatMap(({ columns, found }): Compilable[] => {
    const { name, address, rules } = columns
    if (!found) {
      const id = randomUUIDv7()
      const row = { id, buildingId, content: null, ...columns, dueAt: nowMs }
      const entry = { ...entryOf(id, name), after: [name] }
      return [db.insertInto('calendars').values(row), record(store, nowMs, entry)]
    }
    const isElsewhere = address !== found.address
    if (!isElsewhere && name === found.name && rules === found.rules) return []
    const moved = isElsewhere && { ...UNREAD, content: null, dueAt: nowMs }
    const update = db
      .updateTable('calendars')
      .set((eb) => ({ ...columns, ...moved, version: eb('version', '+', 1) }))
      .where('id', '=', found.id)
    return [update, record(store, nowMs, { ...entryOf(found.id, name), before: [found.name], after: [name] })]
  })
  const left = prune ? existing.filter((each) => !named.some(({ found }) => found === each)) : []
  return [
    // Before the new ones, so that these have room.
    ...left.flatMap(({ id, name }) => [
      db.deleteFrom('calendars').where('id', '=', id),
      record(store, nowMs, { ...entryOf(id, name), before: [name] }),
    ]),
    ...writes,
  ]
}

const rulesOf = ({ rules }: HouseCalendar, roomIdOf: Target['roomIdOf']): CalendarRule[] =>
  rules.map(({ rooms, ...rule }) => ({ ...rule, room_ids: rooms?.map(roomIdOf) ?? null }))
