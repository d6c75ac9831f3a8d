import { type Balance, balanceHouse, type DesignedRoom, designHouse, shareWater } from '@hypocaust/control'
import type { RoomPhysics } from '@hypocaust/simulator'
import { type Judged, type JudgedReport, OUTDOOR_C } from './judge.ts'
import type { Rest } from './truth.ts'

/** Without a heat meter: as most houses are. */
export function adviceFor(known: DesignedRoom[]): Balance {
  const house = designHouse({ rooms: known, outdoorC: OUTDOOR_C, meterKwh: null })
  const advice = house && balanceHouse(house)
  if (!advice) throw new Error('there is no advice')
  return advice
}

export type TrueRoom = { id: string; areaM2: number; airC: number; physics: RoomPhysics; rest: Rest }

/** What the advice would be if nothing were hidden, against what it was. */
export function judgeAdvice(advice: Balance, rooms: TrueRoom[]): JudgedReport {
  const onWater = rooms.flatMap((room) => {
    const { heat } = room.physics
    const { supplyC } = room.rest
    return heat.kind === 'water' && supplyC !== null ? [{ ...room, supplyC, heat }] : []
  })
  const shares = shareWater(
    onWater.map(({ areaM2, rest, supplyC, heat }) => ({
      areaM2,
      supplyC,
      meetsC: rest.pipeC,
      loop: { pipeWk: heat.pipeWk, givesWk: rest.needsWm2 / (supplyC - rest.pipeC) },
    })),
  )
  const flows = advice.rooms.map(({ id, flow }): Judged => {
    const truth = shares[onWater.findIndex((room) => room.id === id)]?.flow ?? Number.NaN
    return { error: flow.value / truth - 1, isWithin: flow.least <= truth && truth <= flow.most }
  })
  return {
    'advised flow of a room': flows,
    'of these, where a change is advised': flows.filter((_, i) => advice.rooms[i]?.change !== 'leave'),
  }
}

/** How well a house is balanced in truth, at design weather. */
export type BalanceState = { supplyC: number; spreadK: number }

/** The supply that its neediest room needs, and how far apart the rooms are from their targets with all loops open. */
export function balanceState(rooms: TrueRoom[]): BalanceState {
  const needed = rooms.flatMap(({ rest }) => rest.supplyC ?? [])
  const supplyC = Math.max(...needed)
  const warmerK = rooms.flatMap(({ airC, rest }) => {
    if (rest.supplyC === null) return []
    // Heat and warmth above the outdoor air rise together, nearly.
    return [((supplyC - rest.supplyC) / (rest.supplyC - OUTDOOR_C)) * (airC - OUTDOOR_C)]
  })
  return { supplyC, spreadK: Math.max(...warmerK) - Math.min(...warmerK) }
}
