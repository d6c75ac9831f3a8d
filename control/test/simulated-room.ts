import type { FloorType } from '@hypocaust/domain'
import {
  type RoomPhysics,
  type RoomState,
  roomPhysics,
  scoredC,
  settledState,
  stepRoomState,
} from '@hypocaust/simulator'
import {
  type Decision,
  type Energy,
  fitRoom,
  type RoomControl,
  type RoomSettings,
  type Slot,
  type SourceEvidence,
  stepRoom,
} from '../src/index.ts'
import { HOUR_MS, input, settings, WINTER_MS } from './room.ts'

/** What happens to a simulated room, by the hour since its start. */
export type Story = {
  floorType?: FloorType
  days: number
  startC?: number
  settings?: Partial<RoomSettings>
  physics?: Partial<RoomPhysics>
  outdoorAt?: (hour: number) => number
  gainsAt?: (hour: number) => number
  /** Whether the rooms around are kept at 20 °C or treated like this one. */
  neighbours?: 'warm' | 'alike'
  supplyAt?: (hour: number) => 'running' | 'failed'
  otherRoomsAt?: (hour: number) => SourceEvidence[]
  energy?: Energy
  /** Whether a probe measures the floor; none unless given. */
  hasProbe?: boolean
  /** Whether a sensor measures the air; one does unless given. */
  hasAir?: boolean
  /** Another thermostat, which works the valve while the law only watches. */
  thermostat?: (airC: number, hour: number) => number
}

export type Seen = {
  hour: number
  feltC: number
  airC: number
  floorC: number
  /** Of the last step. */
  heatWhM2: number
  decision: Decision
}

const STEP_S = 300

const tenths = (c: number): number => Math.round(10 * c) / 10

/** All of a room at one moment, and what was seen until then. */
export type Simulated = {
  hour: number
  room: RoomState
  power: number
  state: RoomControl | null
  seen: readonly Seen[]
  slots: readonly Slot[]
}

/** A room of the simulator under the law, fitted every night at three. */
export function simulatedRoom(story: Story): { seen: readonly Seen[]; state: RoomControl; slots: readonly Slot[] } {
  const end = simulatedFrom(beginningOf(story), story)
  return { ...end, state: end.state as RoomControl }
}

export const beginningOf = ({ startC = 20.5 }: Partial<Story>): Simulated => ({
  hour: 0,
  room: settledState(startC),
  power: 0,
  state: null,
  seen: [],
  slots: [],
})

/** The story goes on from there; other stories may begin at the same moment. */
export function simulatedFrom(start: Simulated, story: Story): Simulated {
  const { floorType = 'screed', days } = story
  const physics = { ...roomPhysics(floorType, 180), ...story.physics }
  const room = { ...start.room }
  const seen = [...start.seen]
  const slots = [...start.slots]
  let { state, power, hour } = start
  for (; hour < 24 * days; hour += STEP_S / 3600) {
    const outdoorC = story.outdoorAt?.(hour) ?? 0
    const boundary = {
      outdoorC,
      windMs: 3.5,
      solarGainWm2: 0,
      internalWm2: story.gainsAt?.(hour) ?? 3,
      neighbourC: story.neighbours === 'alike' ? room.airC : 20,
      airChange: 1,
      supply: story.supplyAt?.(hour) ?? 'running',
    }
    const heatWhM2 = stepRoomState(room, physics, boundary, power, STEP_S)
    const given = story.thermostat?.(room.airC, hour)
    const result = stepRoom(
      state,
      input({
        nowMs: Math.round(WINTER_MS + hour * HOUR_MS),
        floorType,
        settings: settings(story.settings),
        air: story.hasAir === false ? { kind: 'missing' } : { kind: 'fresh', airC: tenths(room.airC), ageS: 0 },
        floorProbeC: story.hasProbe ? tenths(room.surfaceC) : null,
        weather: { outdoorC, cloudPct: 100, windMs: 3.5, solarWm2: 0 },
        otherRooms: story.otherRoomsAt?.(hour) ?? [],
        energy: story.energy ?? null,
        ...(given !== undefined && { appliedPower: power, unreached: { kind: 'watched', power: given } }),
      }),
    )
    power = result.power
    if (result.slot) slots.push(result.slot)
    const isFitted = Math.abs((hour % 24) - 3) < 1e-6 && hour > 24
    state = isFitted ? fitRoom(result.state, slots) : result.state
    seen.push({
      hour,
      feltC: scoredC(room),
      airC: room.airC,
      floorC: room.surfaceC,
      heatWhM2,
      decision: result.decision,
    })
  }
  return { hour, room, power, state, seen, slots }
}
