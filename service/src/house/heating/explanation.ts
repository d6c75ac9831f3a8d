import { type Decision, type Explanation, explain } from '@hypocaust/control'
import type { LoopsHeld } from '@hypocaust/domain'
import type { Store } from '../../store/store.ts'
import { loopsHeld, runOf } from '../loop-run/run.ts'

export interface RoomExplanation extends Explanation {
  decidedAt: number
  decision: Decision
}

/**
 * Why a room was doing what it did at a moment; undefined when nothing had been decided by then. What is dated after the
 * newest decision was decided while the clock was ahead.
 */
export async function explainRoom(store: Store, roomId: string, atMs: number): Promise<RoomExplanation | undefined> {
  const row = await store.db
    .selectFrom('decisions')
    .innerJoin('controlStates', 'controlStates.roomId', 'decisions.roomId')
    .select(['decidedAt', 'decision'])
    .where('decisions.roomId', '=', roomId)
    .where('decidedAt', '<=', atMs)
    .whereRef('decidedAt', '<=', 'keptAt')
    .orderBy('decidedAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) return undefined
  const decision = asOfToday(JSON.parse(row.decision))
  return { decidedAt: row.decidedAt, decision, ...explain(decision, await heldThen(store, roomId, row.decidedAt)) }
}

/** What held the loops of the room at a moment, as long as that is known: until the rooms are confirmed. */
async function heldThen({ db }: Store, roomId: string, atMs: number): Promise<LoopsHeld | null> {
  const rows = await db
    .selectFrom('rooms')
    .innerJoin('buildings', 'buildings.id', 'rooms.buildingId')
    .innerJoin('valves', 'valves.roomId', 'rooms.id')
    .select(['buildings.loopRun', 'rooms.watchedSince', 'valves.gatewayId', 'valves.channel'])
    .where('rooms.id', '=', roomId)
    .execute()
  const [room] = rows
  const run = runOf(room?.loopRun ?? null)
  if (!room || !run || atMs < run.startedMs || (run.ended && atMs >= run.ended.atMs)) return null
  return loopsHeld({ ...run, ended: null }, room, rows, atMs)
}

const REASONS_OF_OLD: Record<string, Decision['aim']['reason']> = { day: 'target', night: 'programme' }

/** A decision kept by an earlier version: without a share, and with other words for the reason of its setpoint. */
function asOfToday(kept: Decision): Decision {
  const { reason } = kept.aim
  return { ...kept, share: kept.share ?? kept.power, aim: { ...kept.aim, reason: REASONS_OF_OLD[reason] ?? reason } }
}
