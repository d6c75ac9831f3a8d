import { DAY_MS, HOUR_MS } from '@hypocaust/domain'
import { FIVE_MINUTES_MS } from './grains.ts'

/** How long readings are kept in which grain; 0 days of hourly means for ever. */
export interface Retention {
  rawDays: number
  fiveMinuteDays: number
  hourlyDays: number
  decisionDays: number
}

/** Up to when each table's rows are due. */
export type Limits = ReturnType<typeof limitsOf>

export const limitsOf = (nowMs: number, retention: Retention) => ({
  rawUntil: floorTo(nowMs - retention.rawDays * DAY_MS, FIVE_MINUTES_MS),
  fineUntil: floorTo(nowMs - retention.fiveMinuteDays * DAY_MS, HOUR_MS),
  hourlyUntil: retention.hourlyDays === 0 ? Number.NEGATIVE_INFINITY : nowMs - retention.hourlyDays * DAY_MS,
  decisionsUntil: nowMs - retention.decisionDays * DAY_MS,
  windowsUntil: nowMs - retention.rawDays * DAY_MS,
})

export const floorTo = (value: number, step: number): number => value - (((value % step) + step) % step)
