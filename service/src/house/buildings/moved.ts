import type { Store } from '../../store/store.ts'

/** A building that has left this database. */
export interface MovedAway {
  buildingId: string
  /** Of the service that has it now, without a slash at its end. */
  url: string
}

interface Who {
  accountId: string
  nowMs: number
}

/** Where a building is of which this person was a member when it left; the last one, where none is named. */
export async function movedAway(
  { db }: Store,
  { accountId, nowMs }: Who,
  buildingId?: string,
): Promise<MovedAway | undefined> {
  const row = await db
    .selectFrom('movedMembers')
    .innerJoin('buildingMoves', 'buildingMoves.buildingId', 'movedMembers.buildingId')
    .select(['buildingMoves.buildingId', 'buildingMoves.url'])
    .where('movedMembers.accountId', '=', accountId)
    .where((eb) => eb.or([eb('movedMembers.endsAt', 'is', null), eb('movedMembers.endsAt', '>', nowMs)]))
    .where('buildingMoves.stage', 'in', ['left', 'moved'])
    .$if(buildingId !== undefined, (query) => query.where('movedMembers.buildingId', '=', buildingId ?? ''))
    .orderBy('buildingMoves.since', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.url == null ? undefined : { buildingId: row.buildingId, url: row.url }
}
