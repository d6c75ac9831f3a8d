import { randomUUID, randomUUIDv7 } from 'node:crypto'
import { MAX_PASSWORD_LENGTH } from '@hypocaust/domain'
import { hashPassword, verifyPassword } from 'better-auth/crypto'
import type { Clock } from '../../base/clock.ts'
import { isStoreError, type Store } from '../../store/store.ts'
import { recordAct } from './acts.ts'
import { isCode } from './second-factor.ts'

const MIN_OPERATOR_PASSWORD_LENGTH = 12

export interface Operator {
  id: string
  name: string
}

/** From this the second factor is set up, once. */
type Enrolled = { kind: 'enrolled'; enrolment: string }
type Refused = { kind: 'refused'; why: string }

export async function addOperator(
  store: Store,
  clock: Clock,
  name: string,
  password: string,
): Promise<Enrolled | Refused> {
  if (!/^[\w.@+-]{1,100}$/.test(name))
    return { kind: 'refused', why: 'the name may have 1 to 100 letters, digits and . _ @ + -' }
  const why = refusalOf(password)
  if (why) return { kind: 'refused', why }
  const nowMs = clock.now()
  const enrolment = randomUUID()
  const row = { id: randomUUIDv7(), name, passwordHash: await hashPassword(password), enrolment, createdAt: nowMs }
  try {
    await store.batch([
      store.db.insertInto('operators').values(row),
      recordAct(store, nowMs, { operator: '', act: 'operator_added', subject: name }),
    ])
  } catch (error) {
    if (isStoreError(error, 'unique')) return { kind: 'refused', why: `there is already an operator ${name}` }
    throw error
  }
  return { kind: 'enrolled', enrolment }
}

/** A new password and a new second factor; sessions end. Undefined where there is no such operator. */
export async function resetOperator(
  store: Store,
  clock: Clock,
  name: string,
  password: string,
): Promise<Enrolled | Refused | undefined> {
  const why = refusalOf(password)
  if (why) return { kind: 'refused', why }
  const operator = await findOperator(store, name)
  if (!operator) return undefined
  const { db } = store
  const changed = { passwordHash: await hashPassword(password), enrolment: randomUUID() }
  await store.batch([
    db.updateTable('operators').set(changed).where('id', '=', operator.id),
    db.deleteFrom('operatorSessions').where('operatorId', '=', operator.id),
    recordAct(store, clock.now(), { operator: '', act: 'operator_reset', subject: name }),
  ])
  return { kind: 'enrolled', enrolment: changed.enrolment }
}

/** False where there is no such operator. */
export async function removeOperator(store: Store, clock: Clock, name: string): Promise<boolean> {
  const operator = await findOperator(store, name)
  if (!operator) return false
  await store.batch([
    store.db.deleteFrom('operators').where('id', '=', operator.id),
    recordAct(store, clock.now(), { operator: '', act: 'operator_removed', subject: name }),
  ])
  return true
}

export const listOperators = ({ db }: Store) =>
  db.selectFrom('operators').select(['name', 'createdAt', 'signedInAt']).orderBy('name').execute()

const findOperator = ({ db }: Store, name: string) =>
  db.selectFrom('operators').selectAll().where('name', '=', name).executeTakeFirst()

interface Credentials {
  name: string
  password: string
  code: string
}

/** One who has shown both factors, of which this is the second. */
export interface ProvenOperator extends Operator {
  enrolment: string
}

/** Both factors, or nothing; an unknown name takes as long as a wrong password. */
export async function operatorOf(
  store: Store,
  authSecret: string,
  { name, password, code }: Credentials,
): Promise<ProvenOperator | undefined> {
  if (password.length > MAX_PASSWORD_LENGTH) return undefined
  const found = await findOperator(store, name)
  if (!found) {
    await hashPassword(password)
    return undefined
  }
  const isRight = await verifyPassword({ hash: found.passwordHash, password })
  if (!isRight || !(await isCode(authSecret, found.enrolment, code))) return undefined
  return { id: found.id, name: found.name, enrolment: found.enrolment }
}

function refusalOf(password: string): string | undefined {
  if (password.length < MIN_OPERATOR_PASSWORD_LENGTH)
    return `the password needs at least ${MIN_OPERATOR_PASSWORD_LENGTH} characters`
  if (password.length > MAX_PASSWORD_LENGTH) return `the password may have at most ${MAX_PASSWORD_LENGTH} characters`
  return undefined
}
