import {
  COOLING_TARGET_C,
  hvacModeOf,
  type Room,
  type ScheduleInputs,
  setpointAt,
  setpointsFrom,
  type TargetOf,
  timestampOf,
} from '@hypocaust/domain'
import type { Clock } from '../../base/clock.ts'
import { errors } from '../../base/errors.ts'
import type { Store } from '../../store/store.ts'
import type { Bit } from '../../store/tables/columns.ts'
import { changeRoom, patchRoom } from './manage.ts'
import { putOverride } from './override.ts'
import { type RoomRow, roomsOf } from './rooms.ts'
import { overrideView, readScheduleRows, scheduleInputsOf } from './schedule-inputs.ts'
import { roomView } from './view.ts'
import type { RoomScope } from './write.ts'

/** A room as a thermostat on the wall shows it: what acts now, not what the programme is based on. */
export interface RoomNow extends Room {
  now: {
    setpoint: number
    mode: Room['hvac_mode']
    /** When the override ends, where there is one. */
    overrideUntil: string | null
    /** It is cooled while its building cools: then `setpoint` is what it is cooled to. */
    isCooled: boolean
    targetOf: TargetOf
    /** The warmest of what its floor shall have at set times; null where there are none. */
    floorMinimumC: number | null
  }
}

export async function roomsNow(store: Store, buildingId: string, nowMs: number): Promise<RoomNow[]> {
  const [rows, { building, rooms }] = await Promise.all([
    roomsOf(store, buildingId),
    readScheduleRows(store, buildingId),
  ])
  return rows.flatMap((row: RoomRow) => {
    const schedule = rooms.find(({ id }) => id === row.id)
    if (!schedule) return []
    const inputs = scheduleInputsOf(building, schedule)
    const { setpointC, steering } = setpointAt(inputs, nowMs)
    const overrideUntil = overrideView(schedule, nowMs)?.until ?? null
    const floorMinimumC = inputs.floorTimes
      ? Math.max(...inputs.floorTimes.map(({ temperature }) => temperature))
      : null
    const coolC = coolingTargetOf(schedule)
    const aim = { setpoint: coolC ?? setpointC, isCooled: coolC !== null, mode: hvacModeOf(steering) }
    const floor = { targetOf: schedule.targetOf, floorMinimumC }
    return [{ ...roomView(row, nowMs), now: { ...aim, overrideUntil, ...floor } }]
  })
}

/** Null while the building heats, and where the room is left out of its cooling. */
const coolingTargetOf = ({ cools, coolingTargetC }: { cools: Bit; coolingTargetC: number | null }): number | null =>
  cools === 1 ? coolingTargetC : null

/** A temperature as it is dialled on a thermostat: of a room that is cooled, the one to which it is cooled. */
export async function dialRoom(store: Store, clock: Clock, scope: RoomScope, celsius: number): Promise<void> {
  const { rooms } = await readScheduleRows(store, scope.buildingId)
  const room = rooms.find(({ id }) => id === scope.roomId)
  if (!room || coolingTargetOf(room) === null) return dialHeating(store, clock, scope, celsius)
  const { minimum, maximum } = COOLING_TARGET_C
  await changeRoom(store, clock, scope, { cooling_target: Math.min(maximum, Math.max(minimum, celsius)) })
}

/** Where programme, absence or override have the room elsewhere, an override until that changes; else the target. */
async function dialHeating(store: Store, clock: Clock, scope: RoomScope, celsius: number): Promise<void> {
  const { building, rooms } = await readScheduleRows(store, scope.buildingId)
  const room = rooms.find(({ id }) => id === scope.roomId)
  const untilMs = room && dialledUntil(scheduleInputsOf(building, room), clock.now())
  if (untilMs) await putOverride(store, clock, scope, { target_temperature: celsius, until: timestampOf(untilMs) })
  else await patchRoom(store, clock, scope, { target_temperature: celsius })
}

/** The times at which the floor of a room is warm stay; all of them get this temperature. */
export async function setFloorMinimum(store: Store, clock: Clock, scope: RoomScope, celsius: number): Promise<void> {
  const { building, rooms } = await readScheduleRows(store, scope.buildingId)
  const room = rooms.find(({ id }) => id === scope.roomId)
  const times = room && scheduleInputsOf(building, room).floorTimes
  if (!times) throw errors.invalidValue('The floor of this room has no times at which it is warm.')
  const minimum_floor_temperature = times.map((each) => ({ ...each, temperature: celsius }))
  await changeRoom(store, clock, scope, { minimum_floor_temperature })
}

/** The target at once, where something else has the room. */
export async function dialTarget(store: Store, clock: Clock, scope: RoomScope): Promise<void> {
  const { building, rooms } = await readScheduleRows(store, scope.buildingId)
  const room = rooms.find(({ id }) => id === scope.roomId)
  if (room) await dialHeating(store, clock, scope, scheduleInputsOf(building, room).targetC)
}

/** Null where a dialled temperature is the target. */
function dialledUntil(inputs: ScheduleInputs, nowMs: number): number | null {
  const { now, next } = setpointsFrom(inputs, nowMs)
  const isElsewhere = now.reason === 'override' || now.setpointC !== inputs.targetC
  return next && now.steering.kind === 'automatic' && isElsewhere ? now.untilMs : null
}
