import { statement } from '../../store/statement.ts'
import type { Store } from '../../store/store.ts'

/** A gateway whose building has left for another service, which has this broker. */
export interface MovedGateway {
  id: string
  brokerUrl: string
}

const MOST_AT_ONCE = 200

const hasBroker = (row: { id: string; brokerUrl: string | null }): row is MovedGateway => row.brokerUrl !== null

/** Of these gateways, those whose building has left for another broker. */
export async function movedAmong(store: Store, ids: Iterable<string>): Promise<MovedGateway[]> {
  return (await movedNamed.all(store, { ids: store.statements.list(ids) })).filter(hasBroker)
}

const movedNamed = statement((db, { ids }: { ids: unknown }, { isIn }) =>
  db
    .selectFrom('movedGateways')
    .innerJoin('buildingMoves', 'buildingMoves.buildingId', 'movedGateways.buildingId')
    .select(['movedGateways.id', 'buildingMoves.brokerUrl'])
    .where(isIn('moved_gateways.id', ids)),
)

/** Tells the gateways of buildings that have just left where they are now. Those that are away hear it when they come. */
export async function announceMoves(
  { db }: Store,
  nowMs: number,
  tell: (gateway: MovedGateway) => Promise<unknown>,
): Promise<void> {
  const moves = await db
    .selectFrom('buildingMoves')
    .select('buildingId')
    .where('announcedAt', 'is', null)
    .where('stage', 'in', ['left', 'moved'])
    .limit(MOST_AT_ONCE)
    .execute()
  for (const { buildingId } of moves) {
    const gateways = await db
      .selectFrom('movedGateways')
      .innerJoin('buildingMoves', 'buildingMoves.buildingId', 'movedGateways.buildingId')
      .select(['movedGateways.id', 'buildingMoves.brokerUrl'])
      .where('movedGateways.buildingId', '=', buildingId)
      .execute()
    for (const gateway of gateways.filter(hasBroker)) await tell(gateway)
    await db.updateTable('buildingMoves').set({ announcedAt: nowMs }).where('buildingId', '=', buildingId).execute()
  }
}
