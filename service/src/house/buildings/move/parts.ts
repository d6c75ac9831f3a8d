import type { Tables } from '../../../store/tables.ts'
import { areaOfGateways } from '../../source/prices/market.ts'
import { PARTS } from '../restore.ts'

/** Rows of one table that belong to the building. */
export interface Part {
  table: string
  /** With the id of the building as $1. */
  where: string
  /** A whole number by which long tables are compared in parts. */
  buckets?: { column: string; width: number }
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const OWNED = {
  building: 'building_id = $1',
  sensor: 'sensor_id in (select id from sensors where building_id = $1)',
  room: 'room_id in (select id from rooms where building_id = $1)',
  gateway: 'gateway_id in (select id from gateways where building_id = $1)',
}

const BUCKETS: Partial<Record<keyof Tables, Part['buckets']>> = {
  readings: { column: 'measured_at', width: HOUR_MS },
  readingsFiveMinute: { column: 'starts_at', width: DAY_MS },
  readingsHourly: { column: 'starts_at', width: 28 * DAY_MS },
  decisions: { column: 'decided_at', width: DAY_MS },
  roomSlots: { column: 'ends_at', width: DAY_MS },
  valveWindows: { column: 'started_at', width: DAY_MS },
  gatewayMessages: { column: 'received_at', width: HOUR_MS },
  changeLog: { column: 'sequence', width: 500 },
}

const columnName = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** All that a restore brings back, and so that nobody gets the mail of a month twice, which were sent. */
export const MOVED_PARTS: Part[] = [
  ...PARTS.map(({ table, of }) => {
    const buckets = BUCKETS[table]
    return { table: columnName(table), where: OWNED[of], ...(buckets && { buckets }) }
  }),
  { table: 'monthly_mails', where: OWNED.building },
  { table: 'market_prices', where: `area = '${areaOfGateways('')}' || $1` },
]

/** They come last: from then on people see the building. */
export const MEMBERS: Part = { table: 'members', where: OWNED.building }
