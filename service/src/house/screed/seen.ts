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
  const heard = gateways.flatMap(({ id, sourceReport, lastSeenAt }) => {
    const isHeard = lastSeenAt !== null && nowMs - lastSeenAt <= silentAfterS * 1000
    return isHeard ? [{ id, report: sourceReport === null ? null : (JSON.parse(sourceReport) as SourceReport) }] : []
  })
  const works = ({ id }: { id: string }) => loops.some(({ gatewayId }) => gatewayId === id)
  const own = measuredBy(heard.filter(works))
  const measured = own.length > 0 ? own : measuredBy(heard)
  return {
    isReached: loops.every(({ gatewayId }) => heard.some(({ id }) => id === gatewayId)),
    water: measured.length > 0 ? { leastC: Math.min(...measured), mostC: Math.max(...measured) } : null,
    lock: heard.map(({ report }) => report?.lock).find((each) => typeof each === 'string') ?? null,
  }
}

/** Of manifolds that measure their own water; else what is measured elsewhere stands for it. */
const measuredBy = (gateways: readonly { report: SourceReport | null }[]): number[] =>
  gateways.map(({ report }) => report?.supply_c).filter((each) => typeof each === 'number')
