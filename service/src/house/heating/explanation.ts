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
  const decision = asOfToday(JSON.parse(row.decision))
  return { decidedAt: row.decidedAt, decision, ...explain(decision) }
}

const REASONS_OF_OLD: Record<string, Decision['aim']['reason']> = { day: 'target', night: 'programme' }

/** A decision kept by an earlier version: without a share, and with other words for the reason of its setpoint. */
function asOfToday(kept: Decision): Decision {
  const { reason } = kept.aim
  return { ...kept, share: kept.share ?? kept.power, aim: { ...kept.aim, reason: REASONS_OF_OLD[reason] ?? reason } }
}
