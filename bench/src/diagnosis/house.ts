import { fitRoom, type History, type RoomControl } from '@hypocaust/control'
import { FLOOR_TYPES, type FloorType } from '@hypocaust/domain'
import { STEP_S } from '../comfort/run.ts'
import { DAY_S } from '../comfort/scenarios.ts'
import { type Condition, DAYS, type Fault, healthyWithout, isFault, isOfHouse } from './faults.ts'
import { DiagnosedRoom } from './room.ts'

const ROOMS = 3

/** What is kept of a room: its half hours, and what the law knew at the end of each day. */
export type Recorded = { floorType: FloorType; slots: History; days: Kept[] }
type Kept = { nowMs: number; idle: RoomControl['idle']; isShort: boolean }

/** Three rooms with different floors, of which the ones with water come first. */
function floorsOf(seed: number): FloorType[] {
  const floors = Array.from({ length: ROOMS }, (_, i) => FLOOR_TYPES[(seed + i) % FLOOR_TYPES.length] as FloorType)
  return floors.toSorted((a, b) => Number(a === 'electric') - Number(b === 'electric'))
}

export const faultyRooms = (fault: Fault, seed: number): number[] => {
  const water = floorsOf(seed).flatMap((floorType, i) => (floorType === 'electric' ? [] : [i]))
  if (isOfHouse(fault)) return water
  return fault === 'sensors-swapped' ? [0, 1] : [seed % water.length]
}

/** `isPlanned`: heated by the whole law, not by its plain feedback. */
export type HouseChoice = { seed: number; condition: Condition; isPlanned: boolean }

/** A house after two weeks. Rooms without a fault behave as in the healthy house, which is simulated once. */
export function recordHouse({ seed, condition, isPlanned }: HouseChoice, healthy?: Recorded[]): Recorded[] {
  const faulty = isFault(condition) ? faultyRooms(condition, seed) : []
  const rooms = floorsOf(seed).map((floorType, i) => {
    const own = isFault(condition) && !faulty.includes(i) ? healthyWithout(condition) : condition
    return new DiagnosedRoom({ floorType, seed, condition: own, isPlanned })
  })
  const simulated = healthy ? rooms.filter((_, i) => faulty.includes(i)) : rooms
  const [one, other] = simulated
  if (condition === 'sensors-swapped' && one && other) {
    one.readFrom = other
    other.readFrom = one
  }
  const recorded = new Map(simulated.map((room) => [room, recordingOf(room)]))
  for (let nowS = STEP_S; nowS <= DAYS * DAY_S; nowS += STEP_S) {
    for (const room of simulated) room.advance(simulated)
    if (nowS % DAY_S === 0) for (const room of simulated) keepDay(room, recorded.get(room) as Recorded)
  }
  return rooms.map((room, i) => recorded.get(room) ?? (healthy?.[i] as Recorded))
}

const recordingOf = (room: DiagnosedRoom): Recorded => ({ floorType: room.configured, slots: [], days: [] })

function keepDay(room: DiagnosedRoom, recorded: Recorded) {
  recorded.slots = room.slots
  recorded.days.push({
    nowMs: room.nowMs,
    idle: idleOf(room),
    isShort: (room.state?.shortfall.sinceMs ?? null) !== null,
  })
}

/** The plain feedback learns nothing, and a night's fit is dear: it is made where there is a timer to be found. */
function idleOf({ state, slots, choice }: DiagnosedRoom): RoomControl['idle'] {
  if (!state || choice.isPlanned || choice.condition !== 'heat-off-at-night') return state?.idle ?? null
  return fitRoom(state, slots).idle
}
