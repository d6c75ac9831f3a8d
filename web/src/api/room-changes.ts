import type { AppBuilding, AppRoom, AppRoomPatch } from '@hypocaust/domain'
import { applyPatch, heldPower, hvacActionOf, hvacModeOf, steeringOf } from '@hypocaust/domain/facts'
import { useSyncExternalStore } from 'react'
import { ApiError, api } from './http.ts'
import { buildingsKey, isWholeBuilding, queryClient } from './queries.ts'

/** What was asked of a room and is not yet confirmed, or was refused. */
export type RoomChange =
  | { kind: 'none' }
  | { kind: 'sending'; patch: AppRoomPatch }
  | { kind: 'failed'; patch: AppRoomPatch; error: ApiError }

const NONE: RoomChange = { kind: 'none' }
/** Several taps on + are one wish. */
const GATHER_MS = 300

const changes = new Map<string, RoomChange>()
const timers = new Map<string, number>()
const underWay = new Set<string>()
const listeners = new Set<() => void>()

/** Shows at once, is sent a moment later, and is confirmed or taken back. */
export function changeRoom(roomId: string, patch: AppRoomPatch): void {
  const pending = changes.get(roomId)
  const gathered = pending?.kind === 'sending' ? gather(pending.patch, patch) : patch
  set(roomId, { kind: 'sending', patch: gathered })
  clearTimeout(timers.get(roomId))
  timers.set(
    roomId,
    window.setTimeout(() => void send(roomId), GATHER_MS),
  )
}

/** Mode and manual power steer the same thing: the later wish stands, not the one the service would let win. */
function gather({ hvac_mode, manual_power, ...earlier }: AppRoomPatch, later: AppRoomPatch): AppRoomPatch {
  const steers = later.hvac_mode !== undefined || later.manual_power !== undefined
  if (steers) return { ...earlier, ...later }
  return { ...earlier, ...(hvac_mode && { hvac_mode }), ...(manual_power && { manual_power }), ...later }
}

export function retryChange(roomId: string): void {
  const change = changes.get(roomId)
  if (change?.kind === 'failed') changeRoom(roomId, change.patch)
}

/** Sends at once what is still being gathered, and waits for it: what is asked for next must not be overtaken. */
export async function settled(roomId: string): Promise<void> {
  clearTimeout(timers.get(roomId))
  await send(roomId)
  while (underWay.has(roomId)) await new Promise((resolve) => setTimeout(resolve, GATHER_MS))
}

/** One after the other: a later wish must not be overtaken by an earlier one. */
async function send(roomId: string): Promise<void> {
  const change = changes.get(roomId)
  if (change?.kind !== 'sending' || underWay.has(roomId)) return
  underWay.add(roomId)
  try {
    const room = await api<AppRoom>('PATCH', `/rooms/${roomId}`, change.patch)
    await queryClient.cancelQueries({ queryKey: buildingsKey })
    queryClient.setQueriesData<AppBuilding[]>({ queryKey: buildingsKey, predicate: isWholeBuilding }, (buildings) =>
      buildings?.map(withRoom(room)),
    )
    // A newer wish may have come while this one was under way; it is still to be sent.
    if (changes.get(roomId) === change) set(roomId, NONE)
    for (const key of ['explanation', 'outlook']) void queryClient.invalidateQueries({ queryKey: [key, roomId] })
  } catch (error) {
    if (changes.get(roomId) === change && error instanceof ApiError) set(roomId, { ...change, kind: 'failed', error })
    // Without an answer nobody knows whether it arrived.
    void queryClient.invalidateQueries({ queryKey: buildingsKey })
  } finally {
    underWay.delete(roomId)
    if (changes.get(roomId) !== change) void send(roomId)
  }
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

/** The room as it will be once the wish has arrived. */
export function wished(room: AppRoom, change: RoomChange): AppRoom {
  if (change.kind !== 'sending') return room
  const { hvac_mode, manual_power, ...rest } = change.patch
  const next = { ...room, ...rest, ...scheduleAfter(room, change.patch) }
  return hvac_mode || manual_power ? steered(next, applyPatch(room.manual_power, change.patch)) : next
}

/** The newest wish ends an override, and a target is a wish for now: the room is heated to it at once. */
function scheduleAfter(
  { schedule, override, target_temperature: before }: AppRoom,
  { target_temperature: targetC, hvac_mode, manual_power }: AppRoomPatch,
): Pick<AppRoom, 'schedule' | 'override'> {
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
