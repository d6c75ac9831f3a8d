import { statement } from '../../store/statement.ts'
import type { Store } from '../../store/store.ts'
import type { KnownCommand, KnownStatus } from './gateway-updates.ts'

/** What is known of a gateway when a message of it arrives. */
export interface KnownGateway extends KnownStatus, KnownCommand {
  buildingId: string
  clockOk: boolean
  lastSeenAt: number | null
}

export async function knownGateways(store: Store, gatewayIds: Set<string>): Promise<Map<string, KnownGateway>> {
  const rows = await gatewaysNamed.all(store, { ids: store.statements.list(gatewayIds) })
  return new Map(rows.map(({ id, clockOk, ...row }) => [id, { ...row, clockOk: clockOk !== 0 }]))
}

const gatewaysNamed = statement((db, { ids }: { ids: unknown }, { isIn }) =>
  db
    .selectFrom('gateways')
    .select(['id', 'buildingId', 'clockOk', 'lastSeenAt', 'state', 'boot', 'channels', 'confirmedRevision'])
    .select(['commandSeq', 'ackedSeq'])
    .where(isIn('id', ids)),
)
