import { hvacModeOf, type Room, type ScheduleInputs, setpointAt, setpointsFrom, timestampOf } from '@hypocaust/domain'
import type { Clock } from '../../base/clock.ts'
import type { Store } from '../../store/store.ts'
import { patchRoom } from './manage.ts'
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
    const { setpointC, steering } = setpointAt(scheduleInputsOf(building, schedule), nowMs)
    const overrideUntil = overrideView(schedule, nowMs)?.until ?? null
    return [{ ...roomView(row, nowMs), now: { setpoint: setpointC, mode: hvacModeOf(steering), overrideUntil } }]
  })
}

/**
 * A temperature as it is dialled on a thermostat: where programme, absence or override have the room elsewhere, an
 * override until that changes; else the target.
 */
export async function dialRoom(store: Store, clock: Clock, scope: RoomScope, celsius: number): Promise<void> {
  const { building, rooms } = await readScheduleRows(store, scope.buildingId)
  const room = rooms.find(({ id }) => id === scope.roomId)
  const untilMs = room && dialledUntil(scheduleInputsOf(building, room), clock.now())
  if (untilMs) await putOverride(store, clock, scope, { target_temperature: celsius, until: timestampOf(untilMs) })
  else await patchRoom(store, clock, scope, { target_temperature: celsius })
}

/** The target at once, where something else has the room. */
export async function dialTarget(store: Store, clock: Clock, scope: RoomScope): Promise<void> {
  const { building, rooms } = await readScheduleRows(store, scope.buildingId)
  const room = rooms.find(({ id }) => id === scope.roomId)
  if (room) await dialRoom(store, clock, scope, scheduleInputsOf(building, room).targetC)
}

/** Null where a dialled temperature is the target. */
function dialledUntil(inputs: ScheduleInputs, nowMs: number): number | null {
  const { now, next } = setpointsFrom(inputs, nowMs)
  const isElsewhere = now.reason === 'override' || now.setpointC !== inputs.targetC
  return next && now.steering.kind === 'automatic' && isElsewhere ? now.untilMs : null
}
