import type { FloorType } from '@hypocaust/domain'
import { modelOf, nothingLearned } from '../model/model.ts'
import { Motion, SENSED } from '../model/motion.ts'
import { firstBelief } from '../model/observer.ts'
import { noProfile } from '../model/profile.ts'
import type { Location } from '../model/sun.ts'
import { outsideOf } from '../room/outside.ts'
import { SLOT_S } from '../room/state.ts'
import type { Slot } from '../room/types.ts'

/** Half hours of three days, of which two must be there. */
const LOOKED_AT = 144
const FEWEST = 96
/** The first third shows what was in floor and walls before. */
const SETTLING_SHARE = 1 / 3
/** A room of the book may miss a real one by this much, for days. */
const MISSED_K = 3
const BETTER_SHARE = 0.5

/** What two rooms may be mistaken for each other by. */
export type Suspect = { floorType: FloorType; slots: Slot[] }

/**
 * Whether each of two rooms answers to the heat of the other and not to its own: their sensors are swapped, so that one
 * shows the floor of the other as well, or their valves. By the rooms of the book, since what was learned from swapped
 * rooms is bent to fit them.
 */
export function seemSwapped(one: Suspect, other: Suspect, location: Location): boolean {
  const [a, b] = sharedSlots(one.slots, other.slots)
  if (a.length < FEWEST) return false
  const [ownA, ownB] = [missK(one.floorType, a, a, location), missK(other.floorType, b, b, location)]
  if (ownA < MISSED_K || ownB < MISSED_K) return false
  const isBetter = (floorOfA: FloorType, floorOfB: FloorType) =>
    missK(floorOfA, a, b, location) <= BETTER_SHARE * ownA && missK(floorOfB, b, a, location) <= BETTER_SHARE * ownB
  return isBetter(other.floorType, one.floorType) || isBetter(one.floorType, other.floorType)
}

/** How far the readings are from those of a room that is heated with these powers. */
function missK(floorType: FloorType, slots: Slot[], heat: Slot[], location: Location): number {
  const model = modelOf(floorType, nothingLearned())
  const motion = new Motion(model)
  const place = { location, profile: noProfile(), timeZone: 'UTC' }
  const mean = [...firstBelief(slots[0]?.airC ?? 0).mean]
  let [sum, count] = [0, 0]
  for (const [i, slot] of slots.entries()) {
    const outside = outsideOf(model, { ...slot, cloudPct: 0 }, slot.endMs - SLOT_S * 500, place)
    motion.advance(mean, outside, heat[i]?.power ?? 0, SLOT_S)
    if (slot.airC === null || i < SETTLING_SHARE * slots.length) continue
    sum += ((mean[SENSED] as number) - slot.airC) ** 2
    count++
  }
  return count === 0 ? 0 : Math.sqrt(sum / count)
}

/** The half hours of the last days in which both rooms were read. */
function sharedSlots(one: Slot[], other: Slot[]): [Slot[], Slot[]] {
  const byEnd = new Map(other.filter(isRead).map((slot) => [slot.endMs, slot]))
  const pairs = one.filter(isRead).flatMap((slot) => {
    const beside = byEnd.get(slot.endMs)
    return beside ? [[slot, beside] as const] : []
  })
  const latest = pairs.slice(-LOOKED_AT)
  return [latest.map(([slot]) => slot), latest.map(([, slot]) => slot)]
}

const isRead = ({ airC }: Slot): boolean => airC !== null
