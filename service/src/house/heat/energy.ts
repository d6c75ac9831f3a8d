import { copOf, likelyHeat, type RoomShare, scaledToMeter, spreadOfAll } from '@hypocaust/control'
import {
  type BuildingEnergy,
  currencyOf,
  DAY_MS,
  dateOf,
  type FloorType,
  localTime,
  momentOf,
  type RoomEnergy,
  type RoomSavings,
  timestampOf,
} from '@hypocaust/domain'
import { errors } from '../../base/errors.ts'
import type { Store } from '../../store/store.ts'
import { lawSourceOf } from '../source/energy.ts'
import { learnedSourceOf } from '../source/learned.ts'
import { ENERGY_COLUMNS, type EnergyRow, tariffOf } from '../source/settings.ts'
import { countedBy, type Meters, metersOf } from './meters.ts'

/** Days of the building, both included, as 2026-01-10. */
export interface DaySpan {
  from: string
  to: string
  /** Each day with its hours. */
  withHours?: boolean
}

interface StoredDay {
  day: string
  kwhM2: number
  spread: number
  costM2: number | null
  /** Wh/m² of each hour, as JSON. */
  hours: string
}

interface Room {
  id: string
  name: string
  areaM2: number | null
  floorType: FloorType
  /** As JSON; null where it is not known. */
  savings: string | null
  heatCountedAt: number
  heatCounterKwh: number | null
  days: StoredDay[]
}

/** A day counts as metered when the meter reported for nearly all of it. */
const METERED = 0.9
/** A buffer tank shifts heat from one day to the next: a meter is compared with this many days. */
const METERED_DAYS = 7

/** What the rooms of a building took; `isSeen` chooses those that are shown, while all of them count for shares. */
export async function energyOf(
  store: Store,
  buildingId: string,
  span: DaySpan,
  isSeen: (roomId: string) => boolean,
): Promise<BuildingEnergy> {
  const building = await store.db
    .selectFrom('buildings')
    .select(['timezone', 'learnedSource', 'heatCounterKwh', ...ENERGY_COLUMNS])
    .where('id', '=', buildingId)
    .executeTakeFirstOrThrow(() => errors.noSuchBuilding(buildingId))
  const before = dateOf(dayOf(span.from) - METERED_DAYS)
  const rooms = await roomsOf(store, buildingId, { ...span, from: before })
  const { timezone } = building
  const currency = currencyOf(tariffOf(building)?.kind ?? null, timezone)
  const [fromMs, toMs] = [momentOf(timezone, dayOf(before), 0), momentOf(timezone, dayOf(span.to) + 1, 0)]
  const meters = await metersOf(store, buildingId, fromMs, toMs)
  const factors = factorsOf(rooms, meters, timezone, span)
  const shares = rooms.map((room) => shareOf(room, factors, span))
  const scaled = withMeter(rooms, shares, factors)
  const totalKwh = scaled.reduce((sum, share) => sum + (share?.heatKwh ?? 0), 0)
  const isMetered = [...factors.values()].some((each) => each.isMetered)
  const together = { heatKwh: totalKwh, spread: spreadOfAll(scaled, isMetered) }
  const isKnown = rooms.some((room) => room.areaM2 !== null && within(room.days, span).length > 0)
  const costs = shares.map(({ cost }) => cost).filter((cost) => cost !== null)
  return {
    from: span.from,
    to: span.to,
    ...countedIn(rooms, span, toMs),
    ...heatView(isKnown ? together : null),
    cost:
      costs.length > 0
        ? round(
            costs.reduce((sum, cost) => sum + cost, 0),
            2,
          )
        : null,
    currency,
    counter: counterView(building.heatCounterKwh),
    metered_days: [...factors.values()].filter(({ isMetered }) => isMetered).length,
    efficiency: efficiencyView(building),
    rooms: rooms.flatMap((room, i) =>
      isSeen(room.id) ? [{ ...roomView(room, factors, span, shares[i], scaled[i], totalKwh), currency }] : [],
    ),
  }
}

/** From and until when the days of a span count: of a room that was added later or has waited longest, that. */
function countedIn(rooms: Room[], span: DaySpan, toMs: number): Pick<BuildingEnergy, 'counted_from' | 'counted_until'> {
  const counted = rooms.filter(({ days }) => days.some(({ day }) => day >= span.from))
  const days = counted.flatMap((room) => room.days.filter(({ day }) => day >= span.from).map(({ day }) => day))
  const [first] = days.toSorted()
  if (first === undefined) return { counted_from: null, counted_until: null }
  const untilMs = Math.min(toMs, ...counted.map(({ heatCountedAt }) => heatCountedAt))
  return { counted_from: first, counted_until: timestampOf(untilMs) }
}

/** By what the model's heat of a day is multiplied. */
type Factors = Map<string, { factor: number; isMetered: boolean }>

async function roomsOf({ db }: Store, buildingId: string, { from, to }: DaySpan): Promise<Room[]> {
  const rooms = await db
    .selectFrom('rooms')
    .leftJoin('roomSavings', 'roomSavings.roomId', 'rooms.id')
    .select(['rooms.id', 'rooms.name', 'rooms.areaM2', 'rooms.floorType'])
    .select(['rooms.heatCountedAt', 'rooms.heatCounterKwh', 'roomSavings.savings'])
    .where('rooms.buildingId', '=', buildingId)
    .orderBy('rooms.position')
    .execute()
  const days = await db
    .selectFrom('roomHeat')
    .innerJoin('rooms', 'rooms.id', 'roomHeat.roomId')
    .select([
      'roomHeat.roomId',
      'roomHeat.day',
      'roomHeat.kwhM2',
      'roomHeat.spread',
      'roomHeat.costM2',
      'roomHeat.hours',
    ])
    .where('rooms.buildingId', '=', buildingId)
    .where('roomHeat.day', '>=', from)
    .where('roomHeat.day', '<=', to)
    .orderBy('roomHeat.day')
    .execute()
  const byRoom = Map.groupBy(days, ({ roomId }) => roomId)
  return rooms.map((room) => ({ ...room, days: byRoom.get(room.id) ?? [] }))
}

/** A heat meter counts what the water loops took, and no electric mat. */
function factorsOf(rooms: Room[], meters: Meters, timezone: string, { from, to }: DaySpan): Factors {
  const modelKwh = new Map<string, number>()
  for (const { areaM2, floorType, days } of rooms) {
    if (floorType === 'electric') continue
    for (const { day, kwhM2 } of days) modelKwh.set(day, (modelKwh.get(day) ?? 0) + kwhM2 * (areaM2 ?? 0))
  }
  const isWhole = rooms.every(({ areaM2, floorType }) => floorType === 'electric' || areaM2 !== null)
  const factors: Factors = new Map()
  const known: { meterKwh: number; modelKwh: number }[] = []
  for (let day = dayOf(from) - METERED_DAYS; day <= dayOf(to); day++) {
    const date = dateOf(day)
    const counted = isWhole
      ? countedBy(meters, 'heat', momentOf(timezone, day, 0), momentOf(timezone, day + 1, 0))
      : null
    const isMetered = counted !== null && counted.covered >= METERED
    if (isMetered) known.push({ meterKwh: counted.kwh, modelKwh: modelKwh.get(date) ?? 0 })
    const recent = known.slice(-METERED_DAYS)
    const total = recent.reduce((sum, each) => sum + each.modelKwh, 0)
    const meterKwh = recent.reduce((sum, each) => sum + each.meterKwh, 0)
    if (date >= from) factors.set(date, { factor: total > 0 ? meterKwh / total : 1, isMetered })
  }
  return factors
}

type Share = RoomShare & { kwhM2: number; cost: number | null }

const within = (days: StoredDay[], { from, to }: DaySpan) => days.filter(({ day }) => day >= from && day <= to)

function shareOf({ areaM2, floorType, days }: Room, factors: Factors, span: DaySpan): Share {
  const counted = within(days, span)
  const factorOn = (day: string) => (floorType === 'electric' ? 1 : (factors.get(day)?.factor ?? 1))
  const kwhM2 = counted.reduce((sum, each) => sum + each.kwhM2 * factorOn(each.day), 0)
  const doubt = counted.reduce((sum, each) => sum + each.kwhM2 * factorOn(each.day) * each.spread, 0)
  const costs = counted.map(({ day, costM2 }) => (costM2 === null ? null : costM2 * factorOn(day)))
  const isPriced = costs.length > 0 && costs.every((cost) => cost !== null) && areaM2 !== null
  return {
    kwhM2,
    heatKwh: kwhM2 * (areaM2 ?? 0),
    spread: kwhM2 > 0 ? doubt / kwhM2 : 0,
    cost: isPriced ? costs.reduce((sum: number, cost) => sum + (cost ?? 0), 0) * areaM2 : null,
  }
}

/** With a meter, what is left is doubt about the shares of the rooms that it counts. */
function withMeter(rooms: Room[], shares: Share[], factors: Factors): RoomShare[] {
  const isMetered = [...factors.values()].some((each) => each.isMetered)
  if (!isMetered) return shares
  const onWater = shares.filter((_, i) => rooms[i]?.floorType !== 'electric')
  const scaled = scaledToMeter(
    onWater,
    onWater.reduce((sum, { heatKwh }) => sum + heatKwh, 0),
  )
  return shares.map((share) => scaled[onWater.indexOf(share)] ?? share)
}

function roomView(
  { id, name, areaM2, floorType, savings, days, heatCounterKwh }: Room,
  factors: Factors,
  span: DaySpan,
  share: Share | undefined,
  scaled: RoomShare | undefined,
  totalKwh: number,
): Omit<RoomEnergy, 'currency'> {
  const hasArea = areaM2 !== null
  // Of a building that is said to have taken 0 kWh no room has taken most.
  const isShared = kwhNamed(totalKwh) > 0
  const counted = within(days, span)
  const isCounted = counted.length > 0
  const factorOn = (day: string) => (floorType === 'electric' ? 1 : (factors.get(day)?.factor ?? 1))
  return {
    id,
    name,
    area_m2: areaM2,
    ...heatView(hasArea && isCounted && scaled ? scaled : null),
    heat_per_m2: isCounted && share ? round(share.kwhM2, 2) : null,
    share: hasArea && isCounted && scaled && isShared ? round(scaled.heatKwh / totalKwh, 3) : null,
    cost: share?.cost == null ? null : round(share.cost, 2),
    counter: counterView(heatCounterKwh),
    days: counted.map(({ day, kwhM2, costM2, hours }) => ({
      day,
      heat: hasArea ? round(kwhM2 * factorOn(day) * areaM2, 2) : null,
      heat_per_m2: round(kwhM2 * factorOn(day), 3),
      cost: costM2 === null || !hasArea ? null : round(costM2 * factorOn(day) * areaM2, 2),
      ...(span.withHours && { hours: hasArea ? hoursOf(hours, factorOn(day) * areaM2) : null }),
    })),
    savings: savings === null ? null : (JSON.parse(savings) as RoomSavings),
  }
}

function heatView(share: RoomShare | null): Pick<RoomEnergy, 'heat' | 'heat_error' | 'heat_low' | 'heat_high'> {
  if (!share) return { heat: null, heat_error: null, heat_low: null, heat_high: null }
  const { leastKwh, mostKwh } = likelyHeat(share)
  return {
    heat: kwhNamed(share.heatKwh),
    heat_error: round(share.heatKwh * share.spread, 1),
    heat_low: round(leastKwh, 1),
    heat_high: round(mostKwh, 1),
  }
}

const counterView = (kwh: number | null): number | null => (kwh === null ? null : round(kwh, 2))

/** In kWh of the room. */
const hoursOf = (stored: string, factorM2: number): number[] =>
  (JSON.parse(stored) as number[]).map((wh) => round((wh * factorM2) / 1000, 3))

const REFERENCE = { outdoorC: 2, supplyC: 35 }

function efficiencyView(building: EnergyRow & { learnedSource: string | null }): BuildingEnergy['efficiency'] {
  const source = lawSourceOf(building)
  if (!source) return null
  if (source.kind !== 'heat-pump') return { basis: 'assumed', days: 0, value: source.share }
  const value = round(copOf(source.quality, REFERENCE.outdoorC, REFERENCE.supplyC), 2)
  const learned = learnedSourceOf(building)
  return learned ? { basis: 'learned', days: learned.days, value } : { basis: 'assumed', days: 0, value }
}

/** The present month of a building, up to today. */
export function thisMonth(timezone: string, nowMs: number): DaySpan {
  const to = dateOf(localTime(timezone, nowMs).day)
  return { from: `${to.slice(0, 7)}-01`, to }
}

export const dayOf = (date: string): number => Date.parse(date) / DAY_MS

/** Heat as it is named everywhere. */
const kwhNamed = (kwh: number): number => round(kwh, 1)

const round = (value: number, digits: number): number => Number(value.toFixed(digits))
