import { hash, randomBytes } from 'node:crypto'
import { HOUR_MS } from '@hypocaust/domain'
import { isStoreError, type Store } from '../../store/store.ts'
import { recordAct } from './acts.ts'
import type { Operator, ProvenOperator } from './operators.ts'

/** A working day; then both factors are asked for again. */
export const OPERATOR_SESSION_MS = 8 * HOUR_MS

const hashed = (token: string): string => hash('sha256', token, 'hex')

/** The token of a new session; undefined where the operator was reset or removed since showing both factors. */
export async function openSession(
  store: Store,
  nowMs: number,
  { id, name, enrolment }: ProvenOperator,
  address: string,
): Promise<string | undefined> {
  const { db } = store
  const token = randomBytes(32).toString('base64url')
  const row = { tokenHash: hashed(token), operatorId: id, endsAt: nowMs + OPERATOR_SESSION_MS }
  const writes = [
    db.deleteFrom('operatorSessions').where('endsAt', '<=', nowMs),
    db.insertInto('operatorSessions').values(row),
    db.updateTable('operators').set({ signedInAt: nowMs }).where('id', '=', id),
    recordAct(store, nowMs, { operator: name, act: 'signed_in', detail: address }),
  ]
  const count = db
    .selectFrom('operators')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('id', '=', id)
    .where('enrolment', '!=', enrolment)
  try {
    await store.batch(writes, [{ ownerId: id, count, most: 0, name: 'another second factor' }])
    return token
  } catch (error) {
    if (isStoreError(error, 'limit') || isStoreError(error, 'foreign_key')) return undefined
    throw error
  }
}

/** Looked up for every request: a removed operator is out with the next one. */
export const operatorOfSession = ({ db }: Store, nowMs: number, token: string): Promise<Operator | undefined> =>
  db
    .selectFrom('operatorSessions')
    .innerJoin('operators', 'operators.id', 'operatorSessions.operatorId')
    .select(['operators.id', 'operators.name'])
    .where('tokenHash', '=', hashed(token))
    .where('endsAt', '>', nowMs)
    .executeTakeFirst()

export async function closeSession(store: Store, nowMs: number, { name }: Operator, token: string): Promise<void> {
  await store.batch([
    store.db.deleteFrom('operatorSessions').where('tokenHash', '=', hashed(token)),
    recordAct(store, nowMs, { operator: name, act: 'signed_out' }),
  ])
}
