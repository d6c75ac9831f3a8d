import { randomUUIDv7 } from 'node:crypto'
import type { OperatorAct } from '@hypocaust/domain'
import type { Compilable } from 'kysely'
import type { Store } from '../../store/store.ts'

interface Act {
  operator: string
  act: OperatorAct
  subject?: string
  detail?: string
}

/** Belongs into the transaction of what was done. */
export const recordAct = (
  { db }: Store,
  actedAt: number,
  { operator, act, subject = '', detail = '' }: Act,
): Compilable => db.insertInto('operatorActs').values({ id: randomUUIDv7(), actedAt, operator, act, subject, detail })

/** The latest first. */
export const actsOf = ({ db }: Store, { before, most }: { before?: string | undefined; most: number }) =>
  db
    .selectFrom('operatorActs')
    .selectAll()
    .$if(before !== undefined, (query) => query.where('id', '<', before ?? ''))
    .orderBy('id', 'desc')
    .limit(most)
    .execute()
