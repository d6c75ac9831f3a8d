import { NINE_OF_TEN } from '../heat/house-heat.ts'
import { supplyC } from '../model/model.ts'
import { flowFor, loopOf } from './flow.ts'
import type { Estimate, HouseDesign, RoomLoad } from './house-design.ts'
import { metC, type ScaledRoom, supplyNeededC } from './scaled-room.ts'
import { seasonalCop } from './season.ts'

/** Nine times out of ten the truth is between `least` and `most`. */
export type Range = { value: number; least: number; most: number }

/** What would bring the room that limits the water down to what the others need. */
export type Relief = {
  /** As a multiple of the water it gets now; null where no water is enough. */
  flow: number | null
  /** Of its loss of heat. */
  lossShare: number
  /** Kelvin by which it would have to be cooler. */
  coolerK: number
}

export type SupplyDesign = {
  supply: Range
  limitingId: string
  /** Of all the others; null where there is one room with water. */
  others: { supplyC: number; relief: Relief } | null
  isWaterMeasured: boolean
  seasonalCop: Range
  /** With the water of today's heating curve at design weather; null where nothing measures it. */
  today: { supplyC: number; seasonalCop: number } | null
}

type Known = RoomLoad & { supply: Estimate; supplyC: number }

/** Of the efficiency of a heat pump: entered or assumed, and learned from its meters. */
export const SPREAD_OF_QUALITY = { assumed: 0.1, learned: 0.04 }

/** The water that the house needs at design weather, and what a heat pump makes of it; null without a room on water. */
export function designSupply(house: HouseDesign, quality: Estimate): SupplyDesign | null {
  const rooms = house.rooms.filter((room): room is Known => room.supply !== null)
  const byNeed = rooms.toSorted((a, b) => b.supplyC - a.supplyC)
  const [limiting, second] = byNeed
  if (!limiting) return null
  const supply = supplyRange(limiting)
  const copWith = (waterAt: (outdoorC: number) => number) => seasonalCop(rooms, quality.value, house.outdoorC, waterAt)
  const needed = (outdoorC: number) => Math.max(...rooms.map((room) => supplyNeededC(room, outdoorC) ?? room.airC))
  const cop = copWith(needed)
  // Colder and warmer water at design weather shift the whole curve by the same share of its distance from the room.
  const shifted = (atDesignC: number) => (outdoorC: number) =>
    limiting.airC + ((needed(outdoorC) - limiting.airC) * (atDesignC - limiting.airC)) / (supply.value - limiting.airC)
  const doubt = NINE_OF_TEN * quality.spread
  const ofWater = [supply.most, supply.least].map((waterC) => Math.log(copWith(shifted(waterC)) / cop))
  const isWaterMeasured = rooms.every((room) => room.isWaterMeasured)
  return {
    supply,
    limitingId: limiting.id,
    others: second ? { supplyC: second.supplyC, relief: reliefOf(limiting, second.supplyC, house.outdoorC) } : null,
    isWaterMeasured,
    seasonalCop: {
      value: cop,
      least: cop * Math.exp(-Math.hypot(doubt, ofWater[0] as number)),
      most: cop * Math.exp(Math.hypot(doubt, ofWater[1] as number)),
    },
    today: isWaterMeasured ? todayOf(rooms, house.outdoorC, copWith) : null,
  }
}

/** The doubt is about the distance between water and air. */
export function supplyRange({ supply, airC }: { supply: Estimate; airC: number }): Range {
  const factor = Math.exp(NINE_OF_TEN * supply.spread)
  const aboveK = supply.value - airC
  return { value: supply.value, least: airC + aboveK / factor, most: airC + aboveK * factor }
}

function todayOf(rooms: ScaledRoom[], designC: number, copWith: (waterAt: (outdoorC: number) => number) => number) {
  const waterAt = (outdoorC: number) =>
    rooms.reduce((sum, { model }) => sum + (supplyC(model, outdoorC) ?? 0), 0) / rooms.length
  return { supplyC: waterAt(designC), seasonalCop: copWith(waterAt) }
}

function reliefOf(room: Known, othersC: number, outdoorC: number): Relief {
  const { airC, supplyC: ownC } = room
  const meetsC = metC(room, outdoorC)
  const slope = ownC - (supplyNeededC({ ...room, airC: airC - 1 }, outdoorC) ?? ownC)
  return {
    flow: othersC > meetsC ? flowFor(loopOf(room), (ownC - meetsC) / (othersC - meetsC)) : null,
    lossShare: Math.min(1, (ownC - othersC) / (ownC - airC)),
    coolerK: (ownC - othersC) / slope,
  }
}
