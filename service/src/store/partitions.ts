import { DAY_MS, HOUR_MS } from '@hypocaust/domain'
import type { Compilable } from 'kysely'

/** Tables that only grow at their young end, the column that tells their rows' age, and the time one partition spans. */
export const PARTITIONED = {
  readings: { column: 'measured_at', widthMs: 6 * HOUR_MS },
  readings_five_minute: { column: 'starts_at', widthMs: DAY_MS },
  readings_hourly: { column: 'starts_at', widthMs: 28 * DAY_MS },
  decisions: { column: 'decided_at', widthMs: 28 * DAY_MS },
  valve_windows: { column: 'started_at', widthMs: DAY_MS },
} as const

export type PartitionedTable = keyof typeof PARTITIONED

/** Rows without a partition of their own: from before there were any, and those that came too late for theirs. */
export const leftoversOf = (table: PartitionedTable): string[] => [`${table}_before`, `${table}_default`]

export interface Partition {
  name: string
  fromMs: number
  toMs: number
}

/** What an engine with partitions can do besides. */
export interface Partitions {
  /** Makes the partitions for rows of this span, as far as they are missing and can be made. */
  cover(table: PartitionedTable, fromMs: number, toMs: number): Promise<void>
  /** Those that hold only rows from before, oldest first. */
  endedBy(table: PartitionedTable, untilMs: number): Promise<Partition[]>
  /** Writes what `fold` makes of a partition's rows and empties it, in one: nobody sees both, or neither. */
  fold(partition: Partition, fold: Compilable): Promise<void>
  /** Takes a partition away with all that is in it. */
  drop(table: PartitionedTable, partition: Partition, which: 'if empty' | 'with its rows'): Promise<void>
}

/** The partitions' bounds within a span, on a grid that never changes. */
export function gridOf(table: PartitionedTable, fromMs: number, toMs: number): { fromMs: number; toMs: number }[] {
  const { widthMs } = PARTITIONED[table]
  const first = Math.floor(fromMs / widthMs)
  const count = Math.max(0, Math.ceil(toMs / widthMs) - first)
  return Array.from({ length: count }, (_, i) => ({ fromMs: (first + i) * widthMs, toMs: (first + i + 1) * widthMs }))
}
