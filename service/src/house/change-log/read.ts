import type { ChangeQuery, Role } from '@hypocaust/domain'
import type { Store } from '../../store/store.ts'
import { FIELDS_OF_TOPIC, hiddenFrom } from './fields.ts'

export type ChangeRow = Awaited<ReturnType<typeof changesOf>>[number]

const KINDS_BY = {
  people: ['person', 'operator'],
  keys: ['key', 'home_assistant', 'matter', 'command'],
  itself: ['rule', 'control', 'gateway'],
} as const

export interface Sought extends Omit<ChangeQuery, 'before'> {
  buildingId: string
  role: Role
  /** Only of these. */
  fields?: string[]
  /** Only older ones. */
  before?: number | undefined
  most: number
}

/** What a member of this role may see, the latest first. */
export function changesOf({ db }: Store, { buildingId, role, room, by, topic, fields, before, most }: Sought) {
  const hidden = hiddenFrom(role)
  return entriesOf(db, buildingId)
    .$if(hidden.length > 0, (query) => query.where('field', 'not in', hidden))
    .$if(room !== undefined, (query) => query.where('roomId', '=', room ?? ''))
    .$if(by !== undefined, (query) => query.where('actorKind', 'in', KINDS_BY[by ?? 'people']))
    .$if(topic !== undefined, (query) => query.where('field', 'in', FIELDS_OF_TOPIC[topic ?? 'rooms']))
    .$if(fields !== undefined, (query) => query.where('field', 'in', fields ?? []))
    .$if(before !== undefined, (query) => query.where('sequence', '<', before ?? 0))
    .orderBy('sequence', 'desc')
    .limit(most)
    .execute()
}

/** Those after a number, the oldest first. */
export const changesAfter = (
  { db }: Store,
  { buildingId, after, most }: { buildingId: string; after: number; most: number },
) => entriesOf(db, buildingId).where('sequence', '>', after).orderBy('sequence').limit(most).execute()

const entriesOf = (db: Store['db'], buildingId: string) =>
  db
    .selectFrom('changeLog')
    .leftJoin('user', 'user.id', 'changeLog.actorAccountId')
    .select(['sequence', 'changedAt', 'actorKind', 'actorName', 'actorRole', 'user.email as actorEmail'])
    .select(['roomId', 'subjectId', 'subject', 'field', 'oldValue', 'newValue'])
    .where('buildingId', '=', buildingId)

/** Of each setting, the number of its latest change: only that one can be undone. */
export async function latestOf({ db }: Store, buildingId: string): Promise<Set<number>> {
  const rows = await db
    .selectFrom('changeLog')
    .select((eb) => eb.fn.max('sequence').as('sequence'))
    .where('buildingId', '=', buildingId)
    .groupBy(['subjectId', 'field'])
    .execute()
  return new Set(rows.map(({ sequence }) => Number(sequence)))
}
