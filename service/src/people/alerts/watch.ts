import type { Clock } from '../../base/clock.ts'
import { isStoreError, type Store } from '../../store/store.ts'
import { withCauses } from './diagnosed.ts'
import { judge } from './judge.ts'
import { follow, openAlertsOf } from './life.ts'
import { factsOf } from './read-facts.ts'

interface WatchParts {
  store: Store
  clock: Clock
  silentAfterS: number
}

const CHECK_EVERY_MS = 60_000
const AT_ONCE = 200

/** Looks at the buildings that have waited longest; false when none is due. Several processes share the work. */
export async function checkDueBuildings({ store, clock, silentAfterS }: WatchParts): Promise<boolean> {
  const { db } = store
  const nowMs = clock.now()
  const isDue = nowMs - CHECK_EVERY_MS
  const due = await db
    .selectFrom('buildings')
    .select('id')
    .where('alertsCheckedAt', '<=', isDue)
    .orderBy('alertsCheckedAt')
    .limit(AT_ONCE)
    .execute()
  if (due.length === 0) return false
  const ids = due.map(({ id }) => id)
  const claimed = await db
    .updateTable('buildings')
    .set({ alertsCheckedAt: nowMs })
    .where('id', 'in', ids)
    .where('alertsCheckedAt', '<=', isDue)
    .executeTakeFirst()
  if (claimed.numUpdatedRows > 0n) await checkBuildings(store, ids, { nowMs, silentAfterS })
  return true
}

export async function checkBuildings(
  store: Store,
  ids: string[],
  at: { nowMs: number; silentAfterS: number },
): Promise<void> {
  const [facts, standing] = await Promise.all([factsOf(store, ids, at.nowMs), openAlertsOf(store, ids)])
  for (const building of facts) {
    const own = standing.filter(({ buildingId }) => buildingId === building.id)
    const judged = judge(building, { ...at, open: new Set(own.map(({ subject }) => subject)) })
    const verdicts = await withCauses(store, judged, at.nowMs)
    try {
      await follow(store, building, verdicts, own, at.nowMs)
    } catch (error) {
      // It is watched on by the database that it moves to.
      if (!isStoreError(error, 'moving')) throw error
    }
  }
}
