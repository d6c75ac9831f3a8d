import { randomUUIDv7 } from 'node:crypto'
import { mayDo, type ProgrammeLink, timestampOf } from '@hypocaust/domain'
import { errors } from '../../base/errors.ts'
import { hashSecret, isWellFormed, newSecret } from '../../base/secret.ts'
import { isStoreError, type Store } from '../../store/store.ts'
import { placeOf } from '../members/places.ts'

const MOST_LINKS = 10
const PREFIX = 'hypl_'

interface Maker {
  accountId: string
  roomId: string
}

/** A secret under which the programme of a room can be read, for as long as its maker may plan there. */
export async function makeLink({ db, batch }: Store, { accountId, roomId }: Maker, nowMs: number) {
  const secret = newSecret(PREFIX)
  const id = randomUUIDv7()
  const row = { id, accountId, roomId, secretHash: hashSecret(secret), createdAt: nowMs }
  const count = db
    .selectFrom('programmeLinks')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('accountId', '=', accountId)
    .where('roomId', '=', roomId)
  try {
    await batch(
      [db.insertInto('programmeLinks').values(row)],
      [{ ownerId: accountId, count, most: MOST_LINKS, name: 'programme links' }],
    )
  } catch (error) {
    if (isStoreError(error, 'limit')) throw errors.quotaReached(`A room can have at most ${MOST_LINKS} links.`)
    throw error
  }
  return { id, created: timestampOf(nowMs), secret }
}

/** Those of the person alone. */
export async function linksOf({ db }: Store, { accountId, roomId }: Maker): Promise<ProgrammeLink[]> {
  const rows = await db
    .selectFrom('programmeLinks')
    .select(['id', 'createdAt'])
    .where('accountId', '=', accountId)
    .where('roomId', '=', roomId)
    .orderBy('id')
    .execute()
  return rows.map(({ id, createdAt }) => ({ id, created: timestampOf(createdAt) }))
}

/** One that is not there, or not of this person, is none of his or hers afterwards either. */
export async function revokeLink({ db }: Store, { accountId, roomId }: Maker, id: string): Promise<void> {
  await db
    .deleteFrom('programmeLinks')
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .where('roomId', '=', roomId)
    .execute()
}

/** All of an account, when its keys are revoked with its password. */
export async function revokeLinks({ db }: Store, accountId: string): Promise<void> {
  await db.deleteFrom('programmeLinks').where('accountId', '=', accountId).execute()
}

/** The room whose programme a link opens; null for all links that open nothing. */
export async function roomOfLink(store: Store, secret: string, nowMs: number): Promise<string | null> {
  if (!isWellFormed(PREFIX, secret)) return null
  const link = await store.db
    .selectFrom('programmeLinks')
    .select(['accountId', 'roomId'])
    .where('secretHash', '=', hashSecret(secret))
    .executeTakeFirst()
  if (!link) return null
  const place = await placeOf(store, { name: 'roomId', id: link.roomId, accountId: link.accountId, nowMs })
  return place && mayDo(place.role, 'plan') ? link.roomId : null
}
