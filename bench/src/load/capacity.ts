import type { Cost } from './costs.ts'
import { MESSAGES_PER_MINUTE, POLLS_PER_MINUTE, ROOMS } from './houses.ts'
import type { EngineResult, LoadResult } from './result.ts'

const MINUTE_US = 60e6
const MINUTES_PER_DAY = 1440
/** One tick a minute, one plan in half an hour. */
const TICKS_PER_PLAN = 30

/** How long the service keeps what, as shipped. */
const RAW_DAYS = 14
const FIVE_MINUTE_DAYS = 92
const MESSAGE_DAYS = 60

/** Processor time of one building in one minute: its message stored, its rooms controlled, its polls answered. */
export function perBuildingMinute({ costs, planUs }: Pick<EngineResult, 'costs' | 'planUs'>): Cost {
  const { reading, controlTick, pollChanged, pollUnchanged } = costs
  const sum = (of: (cost: Cost) => number): number =>
    MESSAGES_PER_MINUTE * ROOMS * (of(reading) + of(controlTick)) +
    (POLLS_PER_MINUTE / 2) * (of(pollChanged) + of(pollUnchanged))
  return {
    serviceUs: sum((cost) => cost.serviceUs) + (MESSAGES_PER_MINUTE * ROOMS * planUs) / TICKS_PER_PLAN,
    databaseUs: sum((cost) => cost.databaseUs),
  }
}

export const buildingsPerCore = (us: number): number => MINUTE_US / us

/** Of the broker, by what its process took for a message and all that belongs to it. */
export function brokerUsPerMessage({ ingest }: LoadResult): number | undefined {
  if (!ingest) return undefined
  return ingest.rounds.reduce((sum, round) => sum + round.brokerUsPerMessage, 0) / ingest.rounds.length
}

/** What one building keeps on disk once it has been there for three months; hourly means then add the last figure. */
export function diskPerBuilding({ size }: EngineResult): { mb: number; mbPerYear: number } {
  const perReading = size.readingsMb / 1e6
  const perMessage = (size.messagesMb * ROOMS) / 1e6
  const rows = ROOMS * (MESSAGES_PER_MINUTE * MINUTES_PER_DAY * RAW_DAYS + 288 * FIVE_MINUTE_DAYS)
  const messages = MESSAGES_PER_MINUTE * MINUTES_PER_DAY * MESSAGE_DAYS
  return { mb: rows * perReading + messages * perMessage, mbPerYear: ROOMS * 24 * 365 * perReading }
}
