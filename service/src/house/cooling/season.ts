import {
  expectedDewC,
  type Hours,
  highestOf,
  type RoomControl,
  type SeasonState,
  seasonAfter,
  waterAbove,
} from '@hypocaust/control'
import { FROST, HUMIDITY_COUNTS_MS, MINUTE_MS, type SourceReport } from '@hypocaust/domain'
import { isWithin } from '../../base/clock.ts'
import type { ByOthers, Measured } from '../room-sensors.ts'
import type { outdoorAirFor } from '../weather/weather.ts'
import { dampest } from './dew.ts'
import {
  type CoolingRow,
  type CoolingState,
  canCool,
  coolingSettingsOf,
  coolingStateOf,
  isCooling,
} from './settings.ts'

interface ReportingGateway {
  sourceReport: string | null
  lastSeenAt: number | null
}

interface MeasuredRoom extends Measured, Partial<ByOthers> {
  id: string
  coolingTargetC: number | null
  state: Pick<RoomControl, 'frost'> | null
}

interface Around {
  building: CoolingRow & { frostProtection: 0 | 1 }
  rooms: MeasuredRoom[]
  gateways: ReportingGateway[]
  /** Empty where the humidity outdoors is not known. */
  outdoors: Awaited<ReturnType<typeof outdoorAirFor>>
  outdoorC: number | null
  /** A new screed is heated up. */
  heatsScreed: boolean
}

/** How the rooms of a building are cooled; for those that are not in it, the humidity is not known. */
export interface BuildingCooling {
  state: CoolingState
  dewC: ReadonlyMap<string, Hours>
  waterC: Hours | null
  /** As gateways measure it, the coldest. */
  measuredC: number | null
}

/** Null where people have chosen no season: then the building heats, and nothing here matters. */
export function coolingAt(around: Around, { silentAfterS }: { silentAfterS: number }, nowMs: number) {
  const settings = coolingSettingsOf(around.building)
  if (!settings) return null
  const reports = around.gateways.flatMap(({ sourceReport, lastSeenAt }) => {
    const isHeard = lastSeenAt !== null && isWithin(nowMs - lastSeenAt, silentAfterS * 1000)
    const report = sourceReport === null || !isHeard ? null : (JSON.parse(sourceReport) as SourceReport)
    return report?.cooling ? [{ ...report, cooling: report.cooling }] : []
  })
  const reported = reports.map(({ cooling }) => cooling.reported ?? null).find((each) => each !== null) ?? null
  const { outdoorC } = around
  const season = seasonAfter(coolingStateOf(around.building), settings, { outdoorC, reported }, nowMs)
  return cooled(season, around, reports, nowMs)
}

type CoolReport = SourceReport & { cooling: NonNullable<SourceReport['cooling']> }

function cooled(season: SeasonState, around: Around, reports: CoolReport[], nowMs: number): BuildingCooling {
  const blocked = blockOf(around, nowMs)
  const dewC = new Map(
    around.rooms.flatMap((room) => {
      const dew = roomDewC(room, around, nowMs)
      return dew ? [[room.id, dew] as const] : []
    }),
  )
  const open = around.rooms.flatMap(({ id, coolingTargetC }) => (coolingTargetC === null ? [] : (dewC.get(id) ?? [])))
  const highest = highestOf(open)
  const asked = highest && waterAbove(highest)
  const measured = reports.flatMap(({ cooling }) => cooling.supply_c ?? [])
  const isAsked = reports.some(({ supply_set_c }) => supply_set_c !== undefined)
  const state: CoolingState = { ...season, blocked, supplyC: null }
  return {
    state: { ...state, supplyC: isCooling(state) ? (asked?.hourly[0] ?? NOTHING_ASKED_C) : null },
    dewC,
    waterC: isAsked ? asked : null,
    measuredC: measured.length > 0 ? Math.min(...measured) : null,
  }
}

/** Warmer than the dew point of any room that people stay in. */
const NOTHING_ASKED_C = 24

/** Now and ahead; null where no sensor of the room has reported its humidity lately. */
function roomDewC(room: MeasuredRoom, { outdoors }: Around, nowMs: number): Hours | null {
  const air = dampest(room, nowMs)
  const around = outdoors.map(({ outdoor }) => outdoor)
  return air && expectedDewC(air, around, nowMs)
}

/** A gateway that is not heard may still keep the source cooling: no other one is to heat with that water. */
function blockOf(around: Around, nowMs: number): CoolingState['blocked'] {
  if (hasFrost(around, nowMs)) return 'frost'
  if (around.heatsScreed) return 'screed'
  return around.gateways.some(canCool) ? null : 'no_gateway'
}

/** A pipe that may freeze is warmed, whatever the season. */
const hasFrost = ({ building, rooms }: Around, nowMs: number): boolean =>
  building.frostProtection === 1 && rooms.some((room) => isCold(room, nowMs))

/** Without a reading it is cold as long as its loop is open against frost. */
function isCold({ temperatureC, coldestC, measuredAt, state }: MeasuredRoom, nowMs: number): boolean {
  if (temperatureC === null || !isWithin(nowMs - (measuredAt ?? 0), HUMIDITY_COUNTS_MS)) return state?.frost === true
  return (coldestC ?? temperatureC) < FROST.overC
}

/** What is stored of it: a mean that moves by less than a tenth is no news. */
export function isStateNews(before: CoolingState | null, after: CoolingState): boolean {
  if (!before || before.season !== after.season || before.blocked !== after.blocked) return true
  const movedK = Math.abs((before.outdoorMeanC ?? 0) - (after.outdoorMeanC ?? 0))
  return before.supplyC !== after.supplyC || movedK >= 0.1 || after.atMs - before.atMs >= 30 * MINUTE_MS
}
