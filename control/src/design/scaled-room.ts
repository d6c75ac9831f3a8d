import { holdingHeat, waterWkOf } from '../model/model.ts'
import type { RoomDesign } from './room-design.ts'

/**
 * A room whose watts are real ones. The air tells heat and loss only in proportion, so a model may have too much of both;
 * its floor is then too warm by the same factor, and the loop gives what was seen at the temperatures that were seen.
 */
export type ScaledRoom = Pick<RoomDesign, 'areaM2' | 'airC' | 'model' | 'floorType'> & {
  /** Of a watt of the model, in watts. */
  worth: number
  /** What the open loop gives for each kelvin, in W/K and m²; null for an electric mat. */
  loopWk: number | null
}

/** However far the worth is from one, the loop is not further from its model. */
const MOST_CORRECTION = 2

export function scaledRoom(room: RoomDesign, worth: number): ScaledRoom {
  const { areaM2, airC, model, floorType } = room
  return { areaM2, airC, model, floorType, worth, loopWk: loopWkOf(room, worth) }
}

function loopWkOf({ model, seen }: RoomDesign, worth: number): number | null {
  const modelWk = waterWkOf(model)
  if (modelWk === 0) return null
  if (!seen) return worth * modelWk
  const [before, after] = [seen.waterK - seen.metK, seen.waterK - worth * seen.metK]
  const correction = before > 0 && after > 0 ? before / after : 1
  return worth * modelWk * Math.min(MOST_CORRECTION, Math.max(1 / MOST_CORRECTION, correction))
}

/** The heat that holds the room at an outdoor temperature, in W/m². */
export const needsWm2 = ({ model, airC, worth }: ScaledRoom, outdoorC: number): number =>
  worth * Math.max(0, holdingHeat(model, airC, outdoorC).needsWm2)

export const floorC = ({ model, airC, worth }: ScaledRoom, outdoorC: number): number =>
  airC + worth * (holdingHeat(model, airC, outdoorC).surfaceC - airC)

/** What the water of the loop meets while the room is held. */
export function metC({ model, airC, worth }: ScaledRoom, outdoorC: number): number {
  const { pipeC } = holdingHeat(model, airC, outdoorC)
  return airC + worth * (1 - model.airShare) * (pipeC - airC)
}

/** Of the water with which the loop, open all the time, holds the room; null for an electric mat. */
export function supplyNeededC(room: ScaledRoom, outdoorC: number): number | null {
  return room.loopWk === null ? null : metC(room, outdoorC) + needsWm2(room, outdoorC) / room.loopWk
}
