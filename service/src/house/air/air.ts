import {
  type AiringAdvice,
  airingAdvice,
  dewPointC,
  gramsPerM3,
  humidityAt,
  mouldRaiseK,
  mouldRisk,
  surfaceC,
  vapourHpa,
} from '@hypocaust/control'
import { type Airing, READING_STALE_AFTER_MS, type RoomAir, setpointAt, timestampOf } from '@hypocaust/domain'
import { isWithin } from '../../base/clock.ts'
import { statement } from '../../store/statement.ts'
import type { Store } from '../../store/store.ts'
import { withOtherSensors } from '../room-sensors.ts'
import {
  HOUSE_COLUMNS,
  type HouseRow,
  SCHEDULE_COLUMNS,
  type ScheduleRow,
  scheduleInputsOf,
} from '../rooms/schedule-inputs.ts'
import { outdoorAirFor, type Place, weatherFor } from '../weather/weather.ts'
import { mouldWarmingOf, SURFACE_COLUMNS, type SurfaceRow, surfaceRecordOf } from './surface-record.ts'

export interface MeasuredAir extends SurfaceRow {
  temperatureC: number | null
  humidityPct: number | null
  measuredAt: number | null
}

const placeOf = statement((db, { buildingId }: { buildingId: string }) =>
  db
    .selectFrom('buildings')
    .select(['lat', 'lng', ...HOUSE_COLUMNS])
    .where('id', '=', buildingId),
)

const roomsOf = statement((db, { buildingId }: { buildingId: string }) =>
  db
    .selectFrom('rooms')
    .innerJoin('sensors', 'sensors.id', 'rooms.sensorId')
    .select(['rooms.id', 'rooms.buildingId', 'rooms.otherSensors', 'sensors.address as sensorAddress'])
    .select(['sensors.temperatureC', 'sensors.humidityPct', 'sensors.measuredAt'])
    .select(SCHEDULE_COLUMNS.map((column) => `rooms.${column}` as const))
    .select(SURFACE_COLUMNS.map((column) => `rooms.${column}` as const))
    .where('rooms.buildingId', '=', buildingId),
)

/** The air outdoors, now and ahead. */
export interface Outdoors {
  outdoorC: number | null
  ahead: Awaited<ReturnType<typeof outdoorAirFor>>
}

export async function outdoorsAt(store: Store, place: Place, nowMs: number): Promise<Outdoors> {
  const [{ weather }, ahead] = await Promise.all([weatherFor(store, place, nowMs), outdoorAirFor(store, place, nowMs)])
  return { outdoorC: weather?.outdoorC ?? null, ahead }
}

/** The air of every room of a building, by the room's id. */
export async function airOf(store: Store, buildingId: string, nowMs: number): Promise<Map<string, RoomAir>> {
  const building = await placeOf.first(store, { buildingId })
  if (!building) return new Map()
  const [rows, outdoors] = await Promise.all([roomsOf.all(store, { buildingId }), outdoorsAt(store, building, nowMs)])
  const rooms = await withOtherSensors(store, rows)
  return new Map(rooms.map((room) => [room.id, airView(building, room, outdoors, nowMs)]))
}

function airView(building: HouseRow, room: MeasuredAir & ScheduleRow, outdoors: Outdoors, nowMs: number): RoomAir {
  const { airC, humidityPct } = freshAir(room, nowMs)
  const record = surfaceRecordOf(room, nowMs)
  // The wall behind a surface answers to the last hours, not to this one.
  const outdoorC = record?.outdoorC ?? outdoors.outdoorC
  const hpa = airC === null || humidityPct === null ? null : vapourHpa(airC, humidityPct)
  const coldC = airC === null || outdoorC === null ? null : surfaceC(airC, outdoorC, room.surfaceFactor)
  const warming = mouldWarmingOf(room, nowMs)
  return {
    temperature: airC,
    humidity: humidityPct,
    dew_point: airC === null || humidityPct === null ? null : tenth(dewPointC(airC, humidityPct)),
    absolute_humidity: airC === null || hpa === null ? null : tenth(gramsPerM3(hpa, airC)),
    surface_factor: room.surfaceFactor,
    surface_temperature: coldC === null ? null : tenth(coldC),
    surface_humidity: coldC === null || hpa === null ? null : Math.round(humidityAt(hpa, coldC)),
    damp_hours: record && tenth(24 * record.dampShare),
    mould_risk: record && mouldRisk(record),
    airing: airingOf(room, outdoors, nowMs),
    warmed_by: warming ? tenth(mouldRaiseK(setpointAt(scheduleInputsOf(building, room), nowMs), warming.mould)) : 0,
  }
}

/** Null where the humidity of the room or outdoors is not known. */
export function airingOf(room: MeasuredAir, { ahead }: Outdoors, nowMs: number): Airing | null {
  const { airC, humidityPct } = freshAir(room, nowMs)
  if (airC === null || humidityPct === null || ahead.length === 0) return null
  return airingView(airingAdvice({ airC, humidityPct }, ahead))
}

function airingView(advice: AiringAdvice): Airing {
  switch (advice.kind) {
    case 'now':
      return { advice: 'now', minutes: advice.minutes, from: null }
    case 'later':
      return { advice: 'later', minutes: null, from: timestampOf(advice.atMs) }
    case 'no':
      return { advice: 'no', minutes: null, from: null }
  }
}

function freshAir({ temperatureC, humidityPct, measuredAt }: MeasuredAir, nowMs: number) {
  const isFresh = measuredAt !== null && isWithin(nowMs - measuredAt, READING_STALE_AFTER_MS)
  return isFresh ? { airC: temperatureC, humidityPct } : { airC: null, humidityPct: null }
}

const tenth = (value: number): number => Math.round(10 * value) / 10
