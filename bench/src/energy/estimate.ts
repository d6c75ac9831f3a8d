import { type RoomShare, roomHeat, scaledToMeter } from '@hypocaust/control'
import type { Month } from './month.ts'

/** A room's month: what its floor took, and what the service says without and with a heat meter of the house. */
export type RoomResult = {
  seed: number
  name: string
  floorType: string
  truthKwh: number
  alone: RoomShare
  /** Null for an electric mat, which no heat meter counts. */
  metered: RoomShare | null
}

export function estimateMonth({ seed, rooms }: Month): RoomResult[] {
  const truthKwh = rooms.map(({ areaM2, truthKwhM2 }) => areaM2 * sum(truthKwhM2))
  const alone = rooms.map(({ areaM2, state, slots }) => {
    const { hours, spread } = roomHeat(state, slots, null)
    return { heatKwh: areaM2 * sum(hours.map(({ heatKwhM2 }) => heatKwhM2)), spread }
  })
  const isOnWater = rooms.map(({ room }) => room.floorType !== 'electric')
  const onWater = alone.filter((_, i) => isOnWater[i])
  const scaled = scaledToMeter(onWater, sum(truthKwh.filter((_, i) => isOnWater[i])))
  return rooms.map(({ name, room }, i) => ({
    seed,
    name,
    floorType: room.floorType,
    truthKwh: truthKwh[i] as number,
    alone: alone[i] as RoomShare,
    metered: scaled[onWater.indexOf(alone[i] as RoomShare)] ?? null,
  }))
}

export const errorOf = ({ heatKwh }: RoomShare, truthKwh: number): number => heatKwh / truthKwh - 1

const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0)
