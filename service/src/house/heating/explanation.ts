import { type Decision, type Explanation, explain } from '@hypocaust/control'
import type { Store } from '../../store/store.ts'

export interface RoomExplanation extends Explanation {
  decidedAt: number
  decision: Decision
}

/** Why a room was doing what it did at a moment; undefined when nothing had been decided by then. */
export async function explainRoom({ db }: Store, roomId: string, atMs: number): Promise<RoomExplanation | undefined> {
  const row = await db
    .selectFrom('decisions')
    .select(['decidedAt', 'decision'])
    .where('roomId', '=', roomId)
    .where('decidedAt', '<=', atMs)
    .orderBy('decidedAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) return undefined
  const kept = JSON.parse(row.decision) as Decision
  // Those of before it was noted have no share.
  const decision = { ...kept, share: kept.share ?? kept.power }
  return { decidedAt: row.decidedAt, decision, ...explain(decision) }
}
