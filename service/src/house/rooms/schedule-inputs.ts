import {
  type Absence,
  type FloorTime,
  type NightMode,
  type Override,
  type Programme,
  programmeOfNight,
  type RoomOverride,
  type ScheduleInputs,
  type TargetHold,
  timestampOf,
} from '@hypocaust/domain'
import type { Selectable } from 'kysely'
import { errors } from '../../base/errors.ts'
import { parsedOnce } from '../../base/parsed-once.ts'
import { statement } from '../../store/statement.ts'
import type { Store } from '../../store/store.ts'
import type { BuildingTable } from '../../store/tables/building.ts'
import type { RoomTable } from '../../store/tables/rooms.ts'
import { POWER_LIMIT_COLUMNS } from '../source/power-limit.ts'
import { calendarOf } from './calendar-wishes.ts'
import { steeringOfRow } from './steering.ts'
import { PRESENCE_COLUMNS, VACANCY_COLUMNS, vacancyIn } from './vacancy.ts'

/** The columns in which a room keeps what people have said about its warmth. */
export const SCHEDULE_COLUMNS = [
  'targetC',
  'targetHold',
  'manualEnabled',
  'manualPower',
  'nightMode',
  'programme',
  'override',
  'floorTimes',
  ...VACANCY_COLUMNS,
] as const
export type ScheduleRow = Pick<Selectable<RoomTable>, 'id' | (typeof SCHEDULE_COLUMNS)[number]>

/** Those in which its building does. */
export const AWAY_COLUMNS = ['timezone', 'awayFrom', 'awayUntil', 'awayC', 'awaySetAt', 'awayRooms'] as const
export const NOBODY_AWAY = { awayFrom: null, awayUntil: null, awayC: null, awaySetAt: null, awayRooms: null } as const
export type AwayRow = Pick<Selectable<BuildingTable>, (typeof AWAY_COLUMNS)[number]>
export const HOUSE_COLUMNS = [...AWAY_COLUMNS, ...PRESENCE_COLUMNS, 'calendarWishes'] as const
export type HouseRow = Pick<Selectable<BuildingTable>, (typeof HOUSE_COLUMNS)[number]>

const scheduleOfBuilding = statement((db, { buildingId }: { buildingId: string }) =>
  db
    .selectFrom('buildings')
    .select([...HOUSE_COLUMNS, ...POWER_LIMIT_COLUMNS])
    .where('id', '=', buildingId),
)

const scheduleRowsOf = statement((db, { buildingId }: { buildingId: string }) =>
  db
    .selectFrom('rooms')
    .select(['id', 'name', 'watchedSince', 'targetOf', 'cools', 'coolingTargetC', ...SCHEDULE_COLUMNS])
    .where('buildingId', '=', buildingId)
    .orderBy('id'),
)

/** What was said about the rooms of a building. */
export async function readScheduleRows(store: Store, buildingId: string) {
  const [building, rooms] = await Promise.all([
    scheduleOfBuilding.first(store, { buildingId }),
    scheduleRowsOf.all(store, { buildingId }),
  ])
  if (!building) throw errors.noSuchBuilding(buildingId)
  return { building, rooms }
}

/** All that counts for the warmth of a room. */
export const scheduleInputsOf = (building: HouseRow, room: ScheduleRow): ScheduleInputs => ({
  targetC: room.targetC,
  hold: room.targetHold === null ? null : (JSON.parse(room.targetHold) as TargetHold),
  steering: steeringOfRow(room),
  programme: programmeOf(room),
  override: overrideOf(room),
  away: isAwayFor(building, room.id) ? absenceOf(building) : null,
  vacancy: vacancyIn(building, room),
  ...floorTimesOf(room),
  calendar: calendarOf(building, room.id),
  timeZone: building.timezone,
})

/** Some 4 kB each, as text and as objects. */
const MOST_KEPT = 5000
const programmes = parsedOnce<Programme>(MOST_KEPT)
const nights = parsedOnce(MOST_KEPT, (text) => programmeOfNight(JSON.parse(text) as NightMode))

const floorTimes = parsedOnce<FloorTime[]>(MOST_KEPT)

/** A room without any is decided about as if there were no such thing. */
const floorTimesOf = ({ id, floorTimes: text }: Pick<ScheduleRow, 'id' | 'floorTimes'>) =>
  text === null ? null : { floorTimes: floorTimes(id, text) }

type PlanRow = Pick<ScheduleRow, 'id' | 'programme' | 'nightMode'>

/** A night mode is the programme that it is. */
export function programmeOf({ id, programme, nightMode }: PlanRow): Programme | null {
  if (programme !== null) return programmes(id, programme)
  return nightMode === null ? null : nights(id, nightMode)
}

/** What the programme of a room is made from. */
export async function planRowOf({ db }: Store, roomId: string): Promise<PlanRow> {
  const row = await db
    .selectFrom('rooms')
    .select(['id', 'programme', 'nightMode'])
    .where('id', '=', roomId)
    .executeTakeFirst()
  if (!row) throw errors.noSuchRoom(roomId)
  return row
}

export const overrideOf = ({ override }: Pick<ScheduleRow, 'override'>): Override | null =>
  override === null ? null : (JSON.parse(override) as Override)

/** One that was set before absences had a beginning began at once. */
export function absenceOf({ awayFrom, awayUntil, awayC, awaySetAt }: AwayRow): Absence | null {
  if (awayC === null) return null
  const untilMs = awayUntil ?? Number.POSITIVE_INFINITY
  return { fromMs: awayFrom ?? 0, untilMs, setAtMs: awaySetAt ?? 0, targetC: awayC }
}

/** Null: the whole house. */
export const awayRoomsOf = ({ awayRooms }: AwayRow): string[] | null =>
  awayRooms === null ? null : (JSON.parse(awayRooms) as string[])

const isAwayFor = (building: AwayRow, roomId: string): boolean => awayRoomsOf(building)?.includes(roomId) ?? true

/** Null also for one that has ended by itself. */
export function overrideView(row: Pick<ScheduleRow, 'override'>, nowMs: number): RoomOverride | null {
  const override = overrideOf(row)
  if (!override || override.untilMs <= nowMs) return null
  const until = timestampOf(override.untilMs)
  switch (override.kind) {
    case 'target':
      return { target_temperature: override.targetC, until }
    case 'manual':
      return { power: override.power, until }
    case 'off':
      return { hvac_mode: 'off', until }
  }
}

export async function findOverride({ db }: Store, roomId: string, nowMs: number): Promise<RoomOverride | null> {
  const row = await db.selectFrom('rooms').select('override').where('id', '=', roomId).executeTakeFirst()
  return row ? overrideView(row, nowMs) : null
}
