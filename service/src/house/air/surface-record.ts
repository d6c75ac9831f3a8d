import { type MouldWarming, type SurfaceRecord, warmAgainstMouldC } from '@hypocaust/control'
import { DAY_MS } from '@hypocaust/domain'
import type { Selectable } from 'kysely'
import { isWithin } from '../../base/clock.ts'
import type { RoomTable } from '../../store/tables/rooms.ts'

/** What a room keeps of its coldest surface, and what may be done about it. */
export type SurfaceRow = Pick<Selectable<RoomTable>, 'surfaceFactor' | 'mouldWarmingK' | 'surfaceRecord'>
export const SURFACE_COLUMNS = ['surfaceFactor', 'mouldWarmingK', 'surfaceRecord'] as const

/** What was counted before says nothing of now. */
const COUNTS_MS = 2 * DAY_MS

/** Null before anything was counted, and from a change of the factor until it is counted anew. */
export function countedSurfaceOf({ surfaceFactor, surfaceRecord }: SurfaceRow): SurfaceRecord | null {
  const record = surfaceRecord === null ? null : (JSON.parse(surfaceRecord) as SurfaceRecord)
  return record?.factor === surfaceFactor ? record : null
}

/** Null also where nothing was counted lately: its humidity is no longer measured. */
export function surfaceRecordOf(row: SurfaceRow, nowMs: number): SurfaceRecord | null {
  const record = countedSurfaceOf(row)
  return record && isWithin(nowMs - record.untilMs, COUNTS_MS) ? record : null
}

/** What the law is to do against mould; nothing unless people have chosen it and the room is at risk. */
export function mouldWarmingOf(row: SurfaceRow, nowMs: number): { mould: MouldWarming } | null {
  if (row.mouldWarmingK === 0) return null
  const record = surfaceRecordOf(row, nowMs)
  const dryAtC = record && warmAgainstMouldC(record)
  // In tenths: each change makes a new plan.
  return dryAtC === null ? null : { mould: { dryAtC: Math.round(10 * dryAtC) / 10, mostK: row.mouldWarmingK } }
}
