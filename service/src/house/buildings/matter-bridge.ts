import type { Clock } from '../../base/clock.ts'
import type { Store } from '../../store/store.ts'

interface BridgeReport {
  manualCode: string
  qrPayload: string
  controllers: number
}

/** A bridge says this often that it is there; one that has missed three turns is not. */
export const BRIDGE_REPORT_INTERVAL_MS = 20_000
const GONE_AFTER_MS = 3 * BRIDGE_REPORT_INTERVAL_MS

export async function reportBridge({ db }: Store, clock: Clock, buildingId: string, news: BridgeReport): Promise<void> {
  const { manualCode, qrPayload, controllers } = news
  const values = { manualCode, qrPayload, controllers, seenAt: clock.now() }
  await db
    .insertInto('matterBridges')
    .values({ buildingId, ...values })
    .onConflict((conflict) => conflict.column('buildingId').doUpdateSet(values))
    .execute()
}

export async function bridgeStopped({ db }: Store, buildingId: string): Promise<void> {
  await db.deleteFrom('matterBridges').where('buildingId', '=', buildingId).execute()
}

/** What the building's bridge last said, if it still runs. */
export async function runningBridge(
  { db }: Store,
  clock: Clock,
  buildingId: string,
): Promise<BridgeReport | undefined> {
  return db
    .selectFrom('matterBridges')
    .select(['manualCode', 'qrPayload', 'controllers'])
    .where('buildingId', '=', buildingId)
    .where('seenAt', '>', clock.now() - GONE_AFTER_MS)
    .executeTakeFirst()
}
