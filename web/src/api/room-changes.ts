import type { AppBuilding, AppOverridePut, AppRoom, AppRoomPatch, RoomOverride } from '@hypocaust/domain'
import { applyPatch, heldPower, hvacActionOf, hvacModeOf, steeringOf } from '@hypocaust/domain/facts'
import { useSyncExternalStore } from 'react'
import { ApiError, api } from './http.ts'
import { buildingsKey, isWholeBuilding, queryClient } from './queries.ts'

/** A change of settings; a temperature or a power for a while, or the end of one, goes another way, after them. */
type RoomEdit = AppRoomPatch & { override?: OverrideChange | null }
type OverrideChange = Pick<AppOverridePut, 'target_temperature' | 'power'> & { until: string }

/** What was asked of a room and is not yet confirmed, or was refused. */
type RoomChange =
  | { kind: 'none' }
  | { kind: 'sending'; patch: RoomEdit }
  | { kind: 'failed'; patch: RoomEdit; error: ApiError }

const NONE: RoomChange = { kind: 'none' }
/** Several taps on + are one change. */
const GATHER_MS = 300

const changes = new Map<string, RoomChange>()
const timers = new Map<string, number>()
const underWay = new Set<string>()
const listeners = new Set<() => void>()

/** Shows at once, is sent a moment later, and is confirmed or taken back. */
export function changeRoom(roomId: string, patch: RoomEdit): void {
  const pending = changes.get(roomId)
  const gathered = pending?.kind === 'sending' ? gather(pending.patch, patch) : patch
  set(roomId, { kind: 'sending', patch: gathered })
  stopGathering(roomId)
  timers.set(
    roomId,
    window.setTimeout(() => void send(roomId), GATHER_MS),
  )
}

function stopGathering(roomId: string): void {
  clearTimeout(timers.get(roomId))
  timers.delete(roomId)
}

/** A page that is left or hidden may never run again: what is still to be sent goes now, without waiting for answers. */
function sendBeforeLeaving(): void {
  for (const roomId of timers.keys()) {
    const change = changes.get(roomId)
    stopGathering(roomId)
    if (!underWay.has(roomId)) void send(roomId)
    else if (change?.kind === 'sending') void ask(roomId, change.patch).catch(() => undefined)
  }
}
addEventListener('pagehide', sendBeforeLeaving)
document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && sendBeforeLeaving())

/**
 * Mode and manual power steer the same thing, and so do a target and an override: the later change stands, not the one the
 * service would let win.
 */
function gather({ hvac_mode, manual_power, override, ...earlier }: RoomEdit, later: RoomEdit): RoomEdit {
  const steers = later.hvac_mode !== undefined || later.manual_power !== undefined
  const isNewest = steers || later.target_temperature !== undefined || later.override !== undefined
  return {
    ...earlier,
    ...(hvac_mode && !steers && { hvac_mode }),
    ...(manual_power && !steers && { manual_power }),
    ...(override !== undefined && !isNewest && { override }),
    ...later,
  }
}

/**
 * As it was before. A target that is set back would hold at once, so where something else had the room, its temperature is
 * kept until it would have ended.
 */
export function takeBack({ id, target_temperature, override, schedule }: AppRoom, isTargetChanged: boolean): void {
  const { setpoint, until } = schedule
  const isElsewhere = isTargetChanged && schedule.reason !== 'target' && until !== null
  changeRoom(id, {
    ...(isTargetChanged && { target_temperature }),
    override: override ? asAsked(override) : isElsewhere ? { target_temperature: setpoint, until } : null,
  })
}

/** Off is no power. */
const asAsked = ({ target_temperature, power = 0, until }: RoomOverride): OverrideChange =>
  target_temperature === undefined ? { power, until } : { target_temperature, until }

export function retryChange(roomId: string): void {
  const change = changes.get(roomId)
  if (change?.kind === 'failed') changeRoom(roomId, change.patch)
}

/** Sends at once what is still being gathered, and waits for it: what is asked for next must not be overtaken. */
export async function settled(roomId: string): Promise<void> {
  await send(roomId)
  while (underWay.has(roomId)) await new Promise((resolve) => setTimeout(resolve, GATHER_MS))
}

/** One after the other: a later change must not be overtaken by an earlier one. */
async function send(roomId: string): Promise<void> {
  const change = changes.get(roomId)
  if (change?.kind !== 'sending' || underWay.has(roomId)) return
  stopGathering(roomId)
  underWay.add(roomId)
  try {
    const room = await ask(roomId, change.patch)
    await queryClient.cancelQueries({ queryKey: buildingsKey })
    queryClient.setQueriesData<AppBuilding[]>({ queryKey: buildingsKey, predicate: isWholeBuilding }, (buildings) =>
      buildings?.map(withRoom(room)),
    )
    // A newer change may have come while this one was under way; it is still to be sent.
    if (changes.get(roomId) === change) set(roomId, NONE)
    for (const key of ['explanation', 'outlook', 'plan']) void queryClient.invalidateQueries({ queryKey: [key] })
  } catch (error) {
    if (changes.get(roomId) === change && error instanceof ApiError) set(roomId, { ...change, kind: 'failed', error })
    // Without an answer nobody knows whether it arrived.
    void queryClient.invalidateQueries({ queryKey: buildingsKey })
  } finally {
    underWay.delete(roomId)
    if (changes.get(roomId) !== change) void send(roomId)
  }
}

/** The settings first: a change of the target ends an override. Each request outlives the page that sends it. */
async function ask(roomId: string, { override, ...patch }: RoomEdit): Promise<AppRoom> {
  const path = `/rooms/${roomId}`
  const isPatched = Object.keys(patch).length > 0
  const room = isPatched ? await api<AppRoom>('PATCH', path, patch, { keepalive: true }) : undefined
  if (override) return api<AppRoom>('PUT', `${path}/override`, override, { keepalive: true })
  const isEnded = override === undefined || patch.target_temperature !== undefined
  return room && isEnded ? room : api<AppRoom>('DELETE', `${path}/override`, undefined, { keepalive: true })
}

const withRoom = (room: AppRoom) => (building: AppBuilding) =>
  building.id === room.building_id
    ? { ...building, rooms: building.rooms.map((other) => (other.id === room.id ? room : other)) }
    : building

function set(roomId: string, change: RoomChange): void {
  changes.set(roomId, change)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useRoomChange = (roomId: string): RoomChange =>
  useSyncExternalStore(subscribe, () => changes.get(roomId) ?? NONE)

/** The room as it will be once the change has arrived. */
export function withChange(room: AppRoom, change: RoomChange): AppRoom {
  if (change.kind !== 'sending') return room
  const { hvac_mode, manual_power, override, ...rest } = change.patch
  const next = { ...room, ...rest, ...scheduleAfter(room, change.patch) }
  return hvac_mode || manual_power ? steered(next, applyPatch(room.manual_power, change.patch)) : next
}

/** The newest change ends an override, and the room is heated to a new target at once. */
function scheduleAfter(
  { schedule, override, target_temperature: before }: AppRoom,
  { target_temperature: targetC, hvac_mode, manual_power, override: asked }: RoomEdit,
): Pick<AppRoom, 'schedule' | 'override'> {
  if (asked?.power !== undefined) return { schedule, override: { power: asked.power, until: asked.until } }
  if (asked?.target_temperature !== undefined) {
    const { target_temperature, until } = asked
    return {
      schedule: { ...schedule, setpoint: target_temperature, reason: 'override', until },
      override: { target_temperature, until },
    }
  }
  if (targetC === undefined && hvac_mode === undefined && manual_power === undefined) return { schedule, override }
  const setpoint = targetC ?? before
  if (override !== null || hvac_mode === 'heat')
    return { schedule: { ...schedule, setpoint, reason: 'target', until: null }, override: null }
  return targetC === undefined
    ? { schedule, override }
    : { schedule: { ...schedule, setpoint, reason: 'target' }, override }
}

function steered(room: AppRoom, manual: AppRoom['manual_power']): AppRoom {
  const steering = steeringOf(manual)
  const power = heldPower(steering) ?? room.power
  return {
    ...room,
    manual_power: manual,
    power,
    hvac_mode: hvacModeOf(steering),
    hvac_action: hvacActionOf(steering, power),
  }
}
