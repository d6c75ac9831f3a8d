import { type AppRoom, type NightMode, type PlanProposal, type Programme, timestampOf } from '@hypocaust/domain'
import type { Store } from '../../store/store.ts'
import { loopsHeld, runOf } from '../loop-run/run.ts'
import { appProposalView, proposalsOf } from './feedback.ts'
import { type RoomRow, roomsOf } from './rooms.ts'
import {
  HOUSE_COLUMNS,
  type HouseRow,
  overrideView,
  SCHEDULE_COLUMNS,
  type ScheduleRow,
  scheduleInputsOf,
} from './schedule-inputs.ts'
import { scheduleAt } from './schedule-view.ts'
import { SETTING_COLUMNS, type SettingRow, settingsOfColumns } from './setting-columns.ts'
import { otherReadingsOf, roomView } from './view.ts'
import { isWatched } from './watch.ts'

interface ControlRow extends ScheduleRow, SettingRow {
  buildingId: string
  floorType: AppRoom['floor_type']
  watchedSince: number | null
  floorSensorId: string | null
  aimC: number | null
  warmingFor: number | null
}

/** The rooms of a building with what belongs to the heating control, as the holder's own pages show them. */
export async function appRoomsOf(store: Store, buildingId: string, nowMs: number): Promise<AppRoom[]> {
  const [building, rows, controls, valves] = await Promise.all([
    store.db
      .selectFrom('buildings')
      .select(['roomOrder', 'loopRun', ...HOUSE_COLUMNS])
      .where('id', '=', buildingId)
      .executeTakeFirst(),
    roomsOf(store, buildingId),
    controlRowsOf(store, buildingId),
    valvesOf(store, buildingId),
  ])
  if (!building) return []
  const proposals = await proposalsOf(store, buildingId, { building, rooms: controls }, nowMs)
  const order: string[] = JSON.parse(building.roomOrder ?? '[]')
  return inOrder(rows, order).flatMap((row) => {
    const control = controls.find(({ id }) => id === row.id)
    const own = valves.filter(({ roomId }) => roomId === row.id)
    return control ? [appRoomView(row, { control, building, valves: own, proposal: proposals.get(row.id) }, nowMs)] : []
  })
}

/** As people chose; rooms that are not among those come last, as in the house file. */
function inOrder(rows: RoomRow[], order: string[]): RoomRow[] {
  const place = ({ id }: RoomRow) => (order.includes(id) ? order.indexOf(id) : order.length)
  return rows.toSorted((a, b) => place(a) - place(b))
}

type ShownHouse = HouseRow & { loopRun: string | null }
type ValveRow = { roomId: string; gatewayId: string; channel: number }

interface OfRoom {
  control: ControlRow
  building: ShownHouse
  valves: ValveRow[]
  proposal: PlanProposal | undefined
}

function appRoomView(row: RoomRow, { control, building, valves, proposal }: OfRoom, nowMs: number): AppRoom {
  return {
    ...roomView(row, nowMs),
    building_id: control.buildingId,
    floor_type: control.floorType,
    ...settingsOfColumns(control),
    only_watch: isWatched(control),
    watched_since: control.watchedSince === null ? null : timestampOf(control.watchedSince),
    night_mode: control.nightMode === null ? null : (JSON.parse(control.nightMode) as NightMode),
    programme: control.programme === null ? null : (JSON.parse(control.programme) as Programme),
    override: overrideView(control, nowMs),
    proposal: proposal ? appProposalView(proposal, control) : null,
    schedule: scheduleAt(scheduleInputsOf(building, control), nowMs),
    floor_sensor_id: control.floorSensorId,
    other_readings: otherReadingsOf(row),
    aim: control.aimC,
    loops_held: loopsHeld(runOf(building.loopRun), control, valves, nowMs),
    cools: row.cools === 1,
    warming_for: control.warmingFor === null ? null : timestampOf(control.warmingFor),
    valves: valves.map(({ gatewayId, channel }) => ({ gateway_id: gatewayId, channel })),
  }
}

const controlRowsOf = ({ db }: Store, buildingId: string): Promise<ControlRow[]> =>
  db
    .selectFrom('rooms')
    .leftJoin('sensors as floor', 'floor.id', 'rooms.floorSensorId')
    .select(['rooms.id', 'rooms.buildingId', 'floorType', 'watchedSince', ...SETTING_COLUMNS, ...SCHEDULE_COLUMNS])
    .select(['floor.address as floorSensorId', 'aimC', 'warmingFor'])
    .where('rooms.buildingId', '=', buildingId)
    .execute()

const valvesOf = ({ db }: Store, buildingId: string): Promise<ValveRow[]> =>
  db
    .selectFrom('valves')
    .innerJoin('rooms', 'rooms.id', 'valves.roomId')
    .select(['valves.roomId', 'valves.gatewayId', 'valves.channel'])
    .where('rooms.buildingId', '=', buildingId)
    .orderBy('valves.channel')
    .execute()
