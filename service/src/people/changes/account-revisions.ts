import { isActive } from '../../house/membership.ts'
import type { RoomsRevision } from '../../house/revisions.ts'
import type { Store } from '../../store/store.ts'

/** The revision of each account that was asked for. */
type AccountRevisions = Map<string, string>

/** Accounts asked for in one statement. */
const AT_ONCE = 500

/** Of all buildings of a person together: each of theirs only rises, so a sum that is the same is the same. */
export const revisionOf = (buildings: RoomsRevision[]): string =>
  textOf({
    count: buildings.length,
    revised: buildings.reduce((sum, { revisedAt }) => sum + revisedAt, 0),
    live: buildings.reduce((sum, { liveRevision }) => sum + liveRevision, 0),
  })

export async function revisionsOf(store: Store, accountIds: string[], nowMs: number): Promise<AccountRevisions> {
  const revisions: AccountRevisions = new Map(accountIds.map((id) => [id, revisionOf([])]))
  for (let i = 0; i < accountIds.length; i += AT_ONCE) {
    const rows = await store.db
      .selectFrom('buildings')
      .innerJoin('members', 'members.buildingId', 'buildings.id')
      .select((eb) => [
        'members.accountId',
        eb.fn.countAll().as('count'),
        eb.fn.sum('revisedAt').as('revised'),
        eb.fn.sum('liveRevision').as('live'),
      ])
      .where('members.accountId', 'in', accountIds.slice(i, i + AT_ONCE))
      .where(isActive(nowMs))
      .groupBy('members.accountId')
      .execute()
    for (const row of rows) revisions.set(row.accountId, textOf(row))
  }
  return revisions
}

type Sum = string | number | bigint
const textOf = ({ count, revised, live }: { count: Sum; revised: Sum; live: Sum }): string =>
  [count, revised, live].map(Number).join('.')
