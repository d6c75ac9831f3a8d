import { diagnose, type Examination, type Examined, examine } from '@hypocaust/control'
import type { Cause } from '@hypocaust/domain'
import { PLACE } from '../comfort/world.ts'
import { beginsOnDay, type Condition, type Fault, isFault } from './faults.ts'
import { faultyRooms, type Recorded } from './house.ts'

/** A look each few days, and more often after what breaks has broken. */
const LOOKED_ON_DAYS = [3, 5, 7, 8, 9, 11, 14]
const LOCATION = { lat: PLACE.latDeg, lng: PLACE.lngDeg }

const CAUSE_OF: Record<Fault, Cause> = {
  'little-flow': 'little_flow',
  'stuck-closed': 'actuator_stuck_closed',
  'stuck-open': 'actuator_stuck_open',
  'sensor-in-sun': 'sensor_in_sun',
  'sensor-on-cold-wall': 'sensor_on_cold_wall',
  'sensors-swapped': 'sensors_swapped',
  'supply-too-cold': 'supply_too_cold',
  'source-without-heat': 'source_without_heat',
  'heat-off-at-night': 'heat_off_at_night',
  'window-often-open': 'window_often_open',
  'sensor-frozen': 'sensor_frozen',
  'other-floor': 'other_floor',
}

/** What was said of a room on a day; `expected` is null while nothing was wrong with it. */
export type Look = {
  condition: Condition
  seed: number
  room: number
  day: number
  expected: Cause | null
  faultyDays: number
  named: { cause: Cause; probability: number } | null
}

/** What is said of the rooms of a recorded house, from day to day. Of healthy rooms beside a faulty one as well. */
export function looksAt(recorded: Recorded[], condition: Condition, seed: number): Look[] {
  const faulty = isFault(condition) ? faultyRooms(condition, seed) : []
  const beginsDay = isFault(condition) ? beginsOnDay(condition, seed) : 0
  return LOOKED_ON_DAYS.flatMap((day) => {
    const house = examinedOn(recorded, day)
    return recorded.map((_, room): Look => {
      const isFaulty = isFault(condition) && faulty.includes(room) && day > beginsDay
      const [first] = diagnose(house, String(room))
      return {
        ...{ condition, seed, room, day },
        expected: isFaulty ? CAUSE_OF[condition] : null,
        faultyDays: isFaulty ? day - beginsDay : 0,
        named: first ? { cause: first.cause, probability: first.probability } : null,
      }
    })
  })
}

function examinedOn(recorded: Recorded[], day: number): Map<string, Examination> {
  const nowMs = recorded[0]?.days[day - 1]?.nowMs ?? 0
  const rooms = new Map(
    recorded.map(({ floorType, slots, days }, room): [string, Examined] => {
      const { idle, isShort } = days[day - 1] ?? { idle: null, isShort: false }
      return [
        String(room),
        { floorType, timeZone: 'UTC', slots: slots.filter(({ endMs }) => endMs <= nowMs), idle, isShort },
      ]
    }),
  )
  return new Map(
    [...rooms.keys()].flatMap((room) => {
      const examination = examine({ rooms, location: LOCATION }, room, nowMs)
      return examination ? [[room, examination]] : []
    }),
  )
}
