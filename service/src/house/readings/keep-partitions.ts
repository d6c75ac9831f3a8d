import { DAY_MS } from '@hypocaust/domain'
import type { PartitionedTable, Partitions } from '../../store/partitions.ts'
import type { Store } from '../../store/store.ts'
import { FIVE_MINUTE, folding, type Grain, HOURLY } from './grains.ts'
import type { Limits } from './retention.ts'

/** Processes that cannot reach the database for a while find their partition all the same. */
const AHEAD_MS = 2 * DAY_MS

/** Partitions for what is to come; and those whose rows are all due go, at one stroke, not row by row. */
export async function keepPartitions(
  store: Store,
  partitions: Partitions,
  { nowMs, rawUntil, fineUntil, hourlyUntil, decisionsUntil, windowsUntil }: Limits & { nowMs: number },
): Promise<void> {
  for (const table of ['readings', 'decisions', 'valve_windows'] as const) {
    await partitions.cover(table, nowMs, nowMs + AHEAD_MS)
  }
  await partitions.cover('readings_five_minute', rawUntil - DAY_MS, rawUntil + DAY_MS)
  await partitions.cover('readings_hourly', fineUntil - DAY_MS, fineUntil + DAY_MS)
  await coarsen('readings', rawUntil, FIVE_MINUTE)
  await coarsen('readings_five_minute', fineUntil, HOURLY)
  await forget('readings_hourly', hourlyUntil)
  await forget('decisions', decisionsUntil)
  await forget('valve_windows', windowsUntil)

  async function coarsen(table: PartitionedTable, untilMs: number, grain: Grain): Promise<void> {
    for (const partition of await partitions.endedBy(table, untilMs)) {
      await partitions.fold(partition, folding(store, grain, partition.name))
      await partitions.drop(table, partition, 'if empty')
    }
  }

  async function forget(table: PartitionedTable, untilMs: number): Promise<void> {
    for (const partition of await partitions.endedBy(table, untilMs)) {
      await partitions.drop(table, partition, 'with its rows')
    }
  }
}
