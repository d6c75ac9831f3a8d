import { type HouseWeek, pairedWeeks } from '@hypocaust/control'
import { dateOf, type HouseReport, momentOf } from '@hypocaust/domain'
import type { Store } from '../../store/store.ts'
import { dayOf } from '../heat/energy.ts'
import { countedBy, type Meters, metersOf } from '../heat/meters.ts'
import { rangeView } from './ranges.ts'

/** Weeks before and after that are looked at: two winters. */
const WEEKS = 60
const WEEK_DAYS = 7
const METERED = 0.9

interface Day {
  day: string
  kwhM2: number
  airC: number | null
  outdoorC: number | null
  areaM2: number | null
  floorType: string
}

/** The weeks that end before the day of a renovation against those that begin after it. */
export async function renovationOf(
  store: Store,
  { buildingId, timezone }: { buildingId: string; timezone: string },
  renovated: string,
): Promise<HouseReport['renovation']> {
  const middle = dayOf(renovated)
  const span = { from: middle - WEEKS * WEEK_DAYS, to: middle + 1 + WEEKS * WEEK_DAYS }
  const days = await daysOf(store, buildingId, dateOf(span.from), dateOf(span.to))
  const startOf = (day: number) => momentOf(timezone, day, 0)
  const meters = await metersOf(store, buildingId, startOf(span.from), startOf(span.to))
  const weeksFrom = (first: number) =>
    Array.from({ length: WEEKS }, (_, week) => first + week * WEEK_DAYS).flatMap(
      (from) => weekOf(days, meters, from, startOf) ?? [],
    )
  const { pairs, change, isMetered } = pairedWeeks(weeksFrom(span.from), weeksFrom(middle + 1))
  return { day: renovated, pairs, change: change && rangeView(change, 3), is_metered: isMetered }
}

async function daysOf({ db }: Store, buildingId: string, from: string, to: string): Promise<Map<string, Day[]>> {
  const rows = await db
    .selectFrom('roomHeat')
    .innerJoin('rooms', 'rooms.id', 'roomHeat.roomId')
    .select(['roomHeat.day', 'roomHeat.kwhM2', 'roomHeat.airC', 'roomHeat.outdoorC', 'rooms.areaM2', 'rooms.floorType'])
    .where('rooms.buildingId', '=', buildingId)
    .where('roomHeat.day', '>=', from)
    .where('roomHeat.day', '<', to)
    .execute()
  return Map.groupBy(rows, ({ day }) => day)
}

/** Null where a day of the week is missing. A meter that reported for nearly all of it counts instead of the models. */
function weekOf(
  days: Map<string, Day[]>,
  meters: Meters,
  from: number,
  startOf: (day: number) => number,
): HouseWeek | null {
  const each = Array.from({ length: WEEK_DAYS }, (_, i) => days.get(dateOf(from + i)) ?? [])
  const rooms = each.flat().filter(({ areaM2, floorType }) => areaM2 !== null && floorType !== 'electric')
  const known = rooms.filter(({ airC, outdoorC }) => airC !== null && outdoorC !== null)
  if (each.some((ofDay) => ofDay.length === 0) || known.length < rooms.length || rooms.length === 0) return null
  const area = known.reduce((sum, { areaM2 }) => sum + (areaM2 ?? 0), 0)
  const mean = (pick: (day: Day) => number | null) =>
    known.reduce((sum, day) => sum + (day.areaM2 ?? 0) * (pick(day) ?? 0), 0) / area
  const counted = countedBy(meters, 'heat', startOf(from), startOf(from + WEEK_DAYS))
  const isMetered = counted !== null && counted.covered >= METERED
  return {
    heatKwh: isMetered ? counted.kwh : known.reduce((sum, { kwhM2, areaM2 }) => sum + kwhM2 * (areaM2 ?? 0), 0),
    airC: mean(({ airC }) => airC),
    outdoorC: mean(({ outdoorC }) => outdoorC),
    isMetered,
  }
}
