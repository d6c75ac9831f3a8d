import type { SourceReport } from '@hypocaust/domain'
import type { Store } from '../../store/store.ts'
import type { Availability } from '../buildings/buildings.ts'
import type { Loop } from '../loop-run/run.ts'
import type { Seen } from './programme.ts'

/** What the gateways of a building report of the water, as far as they are heard. */
export async function seenOf(
  { db }: Store,
  buildingId: string,
  loops: readonly Loop[],
  { silentAfterS }: Availability,
  nowMs: number,
): Promise<Seen> {
  const gateways = await db
    .selectFrom('gateways')
    .select(['id', 'sourceReport', 'lastSeenAt'])
    .where('buildingId', '=', buildingId)
    .execute()
  const heard = gateways.filter(({ lastSeenAt }) => lastSeenAt !== null && nowMs - lastSeenAt <= silentAfterS * 1000)
  const reports = heard.flatMap(({ sourceReport }) =>
    sourceReport === null ? [] : [JSON.parse(sourceReport) as SourceReport],
  )
  return {
    isReached: loops.every(({ gatewayId }) => heard.some(({ id }) => id === gatewayId)),
    measuredC: reports.map(({ supply_c }) => supply_c).find((each) => typeof each === 'number') ?? null,
    lock: reports.map(({ lock }) => lock).find((each) => typeof each === 'string') ?? null,
  }
}
