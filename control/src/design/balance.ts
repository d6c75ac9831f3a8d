import { NINE_OF_TEN } from '../heat/house-heat.ts'
import { flowFor, gainOf, type Loop, loopOf } from './flow.ts'
import type { Estimate, HouseDesign, RoomLoad } from './house-design.ts'
import { metC } from './scaled-room.ts'
import { shareWater, type WaterShare } from './share-water.ts'
import { type Range, supplyRange } from './supply-design.ts'

/** By how much the water of a room's loops should change. */
export type RoomBalance = {
  id: string
  /** As a multiple of the water it gets now. */
  flow: Range
  /** `leave`: the range contains 1, so nobody can say whether it should be more or less. */
  change: 'open' | 'throttle' | 'leave'
  /** The water that the room needs at design weather, before and after what is advised. */
  supplyC: number
  supplyAfterC: number
}

export type Balance = {
  rooms: RoomBalance[]
  limitingId: string
  /** Of the house, before and after the change; the range of the change is about the change alone. */
  supply: Range
  supplyAfterC: number
  lowering: Range
}

/** Of the fall of the supply temperature, one standard deviation: a share of it, and a part that does not shrink with it. */
const SPREAD_OF_LOWERING = { share: 0.35, leastK: 2 }
/** Of the water that a loop should get against what it gets, by the models: one standard deviation of the logarithm. */
const SPREAD_OF_FLOW = { measured: 0.25, assumed: 0.45 }
/** Of the same in houses that nobody has balanced, before anything is known of the room. */
const UNBALANCED = 0.5

type Watered = RoomLoad & { supply: Estimate; supplyC: number }

/** How to share out the water of the house at design weather; null where fewer than two rooms with water need heat. */
export function balanceHouse({ rooms, outdoorC }: HouseDesign): Balance | null {
  const watered = rooms.filter((room): room is Watered => room.supply !== null && room.needsW > 0)
  const limiting = watered.toSorted((a, b) => b.supplyC - a.supplyC)[0]
  if (!limiting || watered.length < 2) return null
  const loops = watered.map(loopOf)
  const meets = watered.map((room) => metC(room, outdoorC))
  const shares = shareWater(
    watered.map(({ areaM2, supplyC }, i) => ({
      areaM2,
      supplyC,
      meetsC: meets[i] as number,
      loop: loops[i] as Loop,
    })),
  )
  const balanced = watered.map((room, i) =>
    balancedRoom(room, meets[i] as number, loops[i] as Loop, shares[i] as WaterShare),
  )
  const supplyAfterC = Math.max(...balanced.map((room) => room.supplyAfterC))
  const loweringK = limiting.supplyC - supplyAfterC
  const doubtK = NINE_OF_TEN * Math.hypot(SPREAD_OF_LOWERING.leastK, SPREAD_OF_LOWERING.share * loweringK)
  return {
    rooms: balanced,
    limitingId: limiting.id,
    supply: supplyRange(limiting),
    supplyAfterC,
    lowering: { value: loweringK, least: loweringK - doubtK, most: loweringK + doubtK },
  }
}

function balancedRoom(room: Watered, meetsC: number, loop: Loop, share: WaterShare): RoomBalance {
  const flow = likelyFlow(share.flow, SPREAD_OF_FLOW[room.isWaterMeasured ? 'measured' : 'assumed'] * elasticity(loop))
  const change = flow.least > 1 ? 'open' : flow.most < 1 ? 'throttle' : 'leave'
  const supplyAfterC = change === 'leave' ? room.supplyC : meetsC + (room.supplyC - meetsC) / gainOf(loop, flow.value)
  return { id: room.id, flow, change, supplyC: room.supplyC, supplyAfterC }
}

/** The less the models know of a loop, the closer to what it gets now. */
function likelyFlow(worked: number, spread: number): Range {
  const trust = UNBALANCED ** 2 / (UNBALANCED ** 2 + spread ** 2)
  const value = worked ** trust
  const factor = Math.exp(NINE_OF_TEN * spread * Math.sqrt(trust))
  return { value, least: value / factor, most: value * factor }
}

const NUDGE = 1.05
/** Where pipe and floor decide, much water changes little. */
const MOST_ELASTICITY = 4

/** By how many percent the water changes for one percent of heat. */
function elasticity(loop: Loop): number {
  const flow = flowFor(loop, NUDGE)
  return flow === null ? MOST_ELASTICITY : Math.min(MOST_ELASTICITY, Math.log(flow) / Math.log(NUDGE))
}
