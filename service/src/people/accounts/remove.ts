import type { AccountRemoval } from '@hypocaust/domain'
import type { Clock } from '../../base/clock.ts'
import { ServiceError } from '../../base/errors.ts'
import { removeBuilding } from '../../house/buildings/manage.ts'
import type { Store } from '../../store/store.ts'
import { removeMember } from '../members/members.ts'
import type { Account } from './accounts.ts'
import { forgetVerificationsOf } from './verifications.ts'

/** The change log of other people's buildings has no name of a person whose account is gone. */
const NO_NAME = ''

interface RemovedAccount {
  /** Buildings that had no other owner. */
  buildingsRemoved: number
  /** Buildings that go on with their other owners. */
  buildingsLeft: number
}

/**
 * Removes an account with everything of it. A building that has no other owner goes with it; the change logs of the
 * others keep what was changed, without the person.
 */
export async function removeAccount(store: Store, clock: Clock, account: Account): Promise<RemovedAccount> {
  const removed = { buildingsRemoved: 0, buildingsLeft: 0 }
  do {
    for (const buildingId of await buildingsWith(store, account.id)) {
      const outcome = await leaveOrRemove(store, clock, { buildingId, accountId: account.id })
      if (outcome === 'left') removed.buildingsLeft++
      if (outcome === 'removed') removed.buildingsRemoved++
    }
  } while (!(await removePerson(store, account)))
  return removed
}

/** The buildings of a person by name: those that would go with the account, and those that have another owner. */
export async function goesWith({ db }: Store, accountId: string): Promise<AccountRemoval> {
  const rows = await db
    .selectFrom('members')
    .innerJoin('buildings', 'buildings.id', 'members.buildingId')
    .select('buildings.name')
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('members as others')
          .select('others.accountId')
          .whereRef('others.buildingId', '=', 'members.buildingId')
          .where('others.accountId', '!=', accountId)
          .where('others.role', '=', 'owner'),
      ).as('isLeft'),
    )
    .where('members.accountId', '=', accountId)
    .orderBy('buildings.name')
    .execute()
  const named = (isLeft: boolean) => rows.filter((row) => Boolean(row.isLeft) === isLeft).map(({ name }) => name)
  return { removed: named(false), left: named(true) }
}

async function buildingsWith({ db }: Store, accountId: string): Promise<string[]> {
  const rows = await db.selectFrom('members').select('buildingId').where('accountId', '=', accountId).execute()
  return rows.map(({ buildingId }) => buildingId)
}

async function leaveOrRemove(
  store: Store,
  clock: Clock,
  scope: { buildingId: string; accountId: string },
): Promise<'left' | 'removed' | 'gone'> {
  try {
    await removeMember(store, clock, scope)
    return 'left'
  } catch (error) {
    const code = error instanceof ServiceError ? error.code : undefined
    // Another removal of the same account was quicker.
    if (code === 'not_found') return 'gone'
    if (code !== 'last_owner') throw error
    await removeBuilding(store, scope.buildingId)
    return 'removed'
  }
}

/** False if the person has become a member of a building meanwhile, which would go with the account. */
async function removePerson(store: Store, { id, email }: Account): Promise<boolean> {
  await forgetVerificationsOf(store, id)
  const { db } = store
  const membership = db.selectFrom('members').select('buildingId').where('accountId', '=', id)
  const results = await store.batch([
    db.updateTable('changeLog').set({ actorName: NO_NAME, actorAccountId: null }).where('actorAccountId', '=', id),
    db.updateTable('changeLog').set({ subject: NO_NAME, subjectId: NO_NAME }).where('subjectId', '=', id),
    db.deleteFrom('invitations').where('email', '=', email),
    db
      .deleteFrom('user')
      .where('id', '=', id)
      .where(({ not, exists }) => not(exists(membership))),
  ])
  return results.at(-1)?.affectedRows !== 0 || (await membership.executeTakeFirst()) === undefined
}
