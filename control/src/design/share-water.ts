import { gainOf, type Loop, waterFor, waterOf } from './flow.ts'

/** A room with water: what the supply must be for it now, and what the water meets in the floor. */
type WateredRoom = { areaM2: number; supplyC: number; meetsC: number; loop: Loop }

/** The water as a multiple of now, and what the supply must be then. */
export type WaterShare = { flow: number; supplyC: number }

/** One turn changes no loop by more: what is learned afterwards corrects the rest. */
const MOST_CHANGE = 3
const SEARCHES = 40

/** The same water, shared out so that all rooms need the same supply temperature. */
export function shareWater(rooms: WateredRoom[]): WaterShare[] {
  const commonC = commonSupplyC(rooms)
  return rooms.map((room) => {
    const flow = waterAt(room, commonC) / waterOf(room.loop)
    return { flow, supplyC: room.meetsC + (room.supplyC - room.meetsC) / gainOf(room.loop, flow) }
  })
}

/** With which the rooms together take as much water as now. */
function commonSupplyC(rooms: WateredRoom[]): number {
  const all = (supplyC: number) => rooms.reduce((sum, room) => sum + room.areaM2 * waterAt(room, supplyC), 0)
  const now = rooms.reduce((sum, { areaM2, loop }) => sum + areaM2 * waterOf(loop), 0)
  let low = Math.min(...rooms.map(({ meetsC }) => meetsC))
  let high = Math.max(...rooms.map(({ supplyC }) => supplyC))
  for (let i = 0; i < SEARCHES; i++) {
    const middle = (low + high) / 2
    if (all(middle) > now) low = middle
    else high = middle
  }
  return high
}

/** The water of a loop for a supply temperature, within what one turn may change. */
function waterAt({ loop, supplyC, meetsC }: WateredRoom, wantedC: number): number {
  const now = waterOf(loop)
  const times = wantedC > meetsC ? (supplyC - meetsC) / (wantedC - meetsC) : Number.POSITIVE_INFINITY
  const wanted = waterFor(loop.pipeWk, times * loop.givesWk) ?? Number.POSITIVE_INFINITY
  return Math.min(MOST_CHANGE * now, Math.max(now / MOST_CHANGE, wanted))
}
