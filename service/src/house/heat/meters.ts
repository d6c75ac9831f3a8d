import { DAY_MS, HOUR_MS, type MeterKind, type MeterReading } from '@hypocaust/domain'
import { type Compilable, sql } from 'kysely'
import type { Store } from '../../store/store.ts'
import { type Counted, type CounterReading, countedIn } from './meter.ts'

/** A gateway whose clock is ahead by more is not believed. */
const MOST_AHEAD_MS = 5 * 60_000
/** Readings of the hours are kept for so long, those of the days for ever. */
const HOURLY_DAYS = 45

/** The newest reading of each hour. */
export function meterUpserts({ db }: Store, gatewayId: string, meters: MeterReading[], nowMs: number): Compilable[] {
  return meters.flatMap(({ kind, kwh, timestamp }) => {
    const stamped = Date.parse(timestamp)
    if (Number.isNaN(stamped) || stamped > nowMs + MOST_AHEAD_MS || stamped < nowMs - DAY_MS) return []
    const readAt = Math.min(stamped, nowMs)
    const hourAt = readAt - (readAt % HOUR_MS)
    return [
      db
        .insertInto('meterReadings')
        .values({ gatewayId, kind, hourAt, readAt, kwh })
        .onConflict((conflict) =>
          conflict
            .columns(['gatewayId', 'kind', 'hourAt'])
            .doUpdateSet({ readAt, kwh })
            .where('meterReadings.readAt', '<', readAt),
        ),
    ]
  })
}

export type Meters = Map<MeterKind, CounterReading[][]>

/** The counters of a building in a span and around it, by what they count; one list a meter. */
export async function metersOf({ db }: Store, buildingId: string, fromMs: number, toMs: number): Promise<Meters> {
  const rows = await db
    .selectFrom('meterReadings')
    .innerJoin('gateways', 'gateways.id', 'meterReadings.gatewayId')
    .select(['meterReadings.gatewayId', 'kind', 'readAt', 'kwh'])
    .where('gateways.buildingId', '=', buildingId)
    .where('hourAt', '>=', fromMs - 2 * DAY_MS)
    .where('hourAt', '<=', toMs + DAY_MS)
    .orderBy('hourAt')
    .execute()
  const byKind = Map.groupBy(rows, ({ kind }) => kind)
  return new Map(
    [...byKind].map(([kind, ofKind]) => [kind, [...Map.groupBy(ofKind, ({ gatewayId }) => gatewayId).values()]]),
  )
}

/** All meters of a kind together; null where none reported in the span. */
export function countedBy(meters: Meters, kind: MeterKind, fromMs: number, toMs: number): Counted | null {
  const each = (meters.get(kind) ?? []).map((readings) => countedIn(readings, fromMs, toMs))
  if (each.every(({ covered, kwh }) => covered === 0 && kwh === 0)) return null
  return {
    kwh: each.reduce((sum, { kwh }) => sum + kwh, 0),
    covered: Math.min(...each.map(({ covered }) => covered)),
  }
}

/** Of days long past, the last reading stays. */
export async function thinMeterReadings({ db }: Store, nowMs: number): Promise<void> {
  await db
    .deleteFrom('meterReadings')
    .where('hourAt', '<', nowMs - HOURLY_DAYS * DAY_MS)
    .where(sql<number>`hour_at % ${DAY_MS}`, '<', DAY_MS - HOUR_MS)
    .execute()
}
