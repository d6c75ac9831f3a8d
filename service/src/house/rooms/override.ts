import {
  type AppOverridePut,
  HOUR_MS,
  MAX_TARGET_C,
  OVERRIDE_CHOICES,
  type Override,
  type OverridePut,
  setpointsFrom,
} from '@hypocaust/domain'
import type { Clock } from '../../base/clock.ts'
import { errors } from '../../base/errors.ts'
import type { Store } from '../../store/store.ts'
import { endOf } from '../moments.ts'
import { readScheduleRows, type ScheduleRow, scheduleInputsOf } from './schedule-inputs.ts'
import { isWatched, onlyWatched } from './watch.ts'
import { commitRooms, type RoomScope, updateRoom } from './write.ts'

/** As on /v1: a target or off, and a time or hours. */
export async function putOverride(
  store: Store,
  clock: Clock,
  scope: RoomScope,
  put: OverridePut,
  seen?: SeenOverride,
): Promise<void> {
  const nowMs = clock.now()
  for (const [one, other] of OVERRIDE_CHOICES)
    if ((put[one] === undefined) === (put[other] === undefined))
      throw errors.invalidValue(`Either ${one} or ${other} must be given.`)
  const { target_temperature: targetC, hvac_mode } = put
  if (hvac_mode !== undefined) await refuseWatched(store, scope)
  const span = { untilMs: endOfPut(put, nowMs), setAtMs: nowMs }
  const override: Override = targetC === undefined ? { kind: 'off', ...span } : { kind: 'target', targetC, ...span }
  await commitSeen(store, clock, scope, override, seen)
}

/** As on /v1: of one room. */
export async function endOverride(store: Store, clock: Clock, scope: RoomScope, seen?: SeenOverride): Promise<void> {
  if (seen ? seen.override !== null : (await storedOverride(store, scope.roomId)).override !== null)
    await commitSeen(store, clock, scope, null, seen)
}

/** As it is stored, for a change that is conditional on it. */
type SeenOverride = Pick<ScheduleRow, 'override'>

export async function storedOverride({ db }: Store, roomId: string): Promise<SeenOverride> {
  const row = await db.selectFrom('rooms').select('override').where('id', '=', roomId).executeTakeFirst()
  if (!row) throw errors.noSuchRoom(roomId)
  return row
}

async function commitSeen(
  store: Store,
  clock: Clock,
  scope: RoomScope,
  override: Override | null,
  seen: SeenOverride | undefined,
): Promise<void> {
  const writes = updateRoom(store, clock.now(), scope, { override: overrideColumn(override) }, { seen })
  const results = await commitRooms(store, clock, scope.buildingId, writes)
  if (seen && results.at(-1)?.affectedRows === 0) throw errors.preconditionFailed('override')
}

const endOfPut = ({ until, hours }: OverridePut, nowMs: number): number =>
  until === undefined ? nowMs + (hours ?? 0) * HOUR_MS : endOf('until', until, nowMs)

/** As on the website: for some rooms of a building, until a time, for hours, or until each room's next step. */
export async function overrideRooms(
  store: Store,
  clock: Clock,
  buildingId: string,
  roomIds: string[] | 'all',
  put: AppOverridePut,
): Promise<void> {
  const nowMs = clock.now()
  const { building, rooms } = await readScheduleRows(store, buildingId)
  const named = rooms.filter(({ id }) => roomIds === 'all' || roomIds.includes(id))
  const chosen = put.power === undefined && put.hvac_mode === undefined ? named : switchable(named, roomIds)
  const writes = chosen.flatMap((room) => {
    const span = { untilMs: untilOf(put, nowMs, () => nextStepOf(building, room, nowMs)), setAtMs: nowMs }
    return writesOf(store, nowMs, { buildingId, roomId: room.id }, { ...changeOf(put, room), ...span })
  })
  await commitRooms(store, clock, buildingId, writes)
}

export async function endOverrides(
  store: Store,
  clock: Clock,
  buildingId: string,
  roomIds: string[] | 'all',
): Promise<void> {
  const { rooms } = await readScheduleRows(store, buildingId)
  const writes = rooms
    .filter(({ id, override }) => override !== null && (roomIds === 'all' || roomIds.includes(id)))
    .flatMap(({ id }) => writesOf(store, clock.now(), { buildingId, roomId: id }, null))
  await commitRooms(store, clock, buildingId, writes)
}

export const overrideColumn = (override: Override | null): string | null =>
  override === null ? null : JSON.stringify(override)

const writesOf = (store: Store, nowMs: number, scope: RoomScope, override: Override | null) =>
  updateRoom(store, nowMs, scope, { override: overrideColumn(override) })

type Change = { kind: 'target'; targetC: number } | { kind: 'manual'; power: number } | { kind: 'off' }

function changeOf(put: AppOverridePut, { targetC }: ScheduleRow): Change {
  const { target_temperature, boost, power, hvac_mode } = put
  const given = [target_temperature, boost, power, hvac_mode].filter((value) => value !== undefined)
  if (given.length !== 1)
    throw errors.invalidValue('Exactly one of target_temperature, boost, power and hvac_mode must be given.')
  if (target_temperature !== undefined) return { kind: 'target', targetC: target_temperature }
  if (boost !== undefined) return { kind: 'target', targetC: Math.min(MAX_TARGET_C, targetC + boost) }
  return power === undefined ? { kind: 'off' } : { kind: 'manual', power }
}

function untilOf({ until, hours, next_step }: AppOverridePut, nowMs: number, nextStepMs: () => number): number {
  const given = [until, hours, next_step].filter((value) => value !== undefined)
  if (given.length !== 1) throw errors.invalidValue('Exactly one of until, hours and next_step must be given.')
  if (until !== undefined) return endOf('until', until, nowMs)
  return hours === undefined ? nextStepMs() : nowMs + hours * HOUR_MS
}

/** Rooms that are only watched cannot be switched: of all rooms they stay out, and one of them alone is refused. */
function switchable<Row extends { name: string; watchedSince: number | null }>(rows: Row[], roomIds: string[] | 'all') {
  const watched = rows.find(isWatched)
  if (watched && roomIds !== 'all') throw onlyWatched(watched.name)
  return rows.filter((row) => !isWatched(row))
}

async function refuseWatched(store: Store, { buildingId, roomId }: RoomScope): Promise<void> {
  const { rooms } = await readScheduleRows(store, buildingId)
  switchable(
    rooms.filter(({ id }) => id === roomId),
    [roomId],
  )
}

/** When the setpoint of the room would change anyway. */
function nextStepOf(building: Parameters<typeof scheduleInputsOf>[0], room: ScheduleRow, nowMs: number): number {
  const inputs = { ...scheduleInputsOf(building, room), override: null }
  const { now, next } = setpointsFrom(inputs, nowMs)
  if (!next) throw errors.invalidValue('next_step: this room has no programme that changes its setpoint.')
  return now.untilMs
}
