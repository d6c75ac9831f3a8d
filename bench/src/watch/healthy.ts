import { FLOOR_TYPES, type FloorType } from '@hypocaust/domain'
import { foreignPlants, oursFor } from '../comfort/compare.ts'
import type { PlantChoice } from '../comfort/plant.ts'
import { STEP_S } from '../comfort/run.ts'
import { DAY_S } from '../comfort/scenarios.ts'
import { createWorld } from '../comfort/world.ts'
import { roomIn, WatchedRoom } from './room.ts'
import { areSwapped } from './swapped.ts'

/** A house with a room of every floor type. */
export type HealthyJob = { scenario: string; seed: number; days: number; plantFile: string | null }
export type HealthyResult = HealthyJob & { rooms: WatchedResult[]; swapped: string[] }
type WatchedResult = {
  floorType: FloorType
  alarms: number
  alarmedH: number
  /** Hours until the room is first reported to be too cold with all the heat there is. */
  shortAfterH: number | null
}

/** A heat source that works all the time: every alarm is a false one. Whether its water is enough is up to the scenario. */
export async function runHealthy(job: HealthyJob): Promise<HealthyResult> {
  const { scenario, seed, plantFile } = job
  const house = await Promise.all(FLOOR_TYPES.map((floorType) => roomOf({ floorType, scenario, seed }, plantFile)))
  const rooms = house.map((room) => ({ room, alarms: 0, alarmedH: 0, was: false, shortAfterH: null as number | null }))
  const swapped = new Set<string>()
  for (let nowS = 0; nowS < job.days * DAY_S; nowS += STEP_S) {
    if (nowS % DAY_S === 0) for (const pair of pairsThatSeemSwapped(house)) swapped.add(pair)
    for (const each of rooms) {
      each.room.advance(house)
      const { alarmed } = each.room
      each.alarms += alarmed && !each.was ? 1 : 0
      each.alarmedH += alarmed ? STEP_S / 3600 : 0
      each.was = alarmed
      if (each.room.short) each.shortAfterH ??= nowS / 3600
    }
  }
  return {
    ...job,
    swapped: [...swapped],
    rooms: rooms.map(({ room, alarms, alarmedH, shortAfterH }) => ({
      floorType: room.floorType,
      alarms,
      alarmedH,
      shortAfterH,
    })),
  }
}

const pairsThatSeemSwapped = (house: WatchedRoom[]): string[] =>
  house.flatMap((one, i) =>
    house.slice(i + 1).flatMap((other) => (areSwapped(one, other) ? [`${one.floorType} and ${other.floorType}`] : [])),
  )

async function roomOf(choice: PlantChoice, plantFile: string | null): Promise<WatchedRoom> {
  if (!plantFile) return roomIn(createWorld(choice))
  const create = await foreignPlants(plantFile)
  return new WatchedRoom(choice.floorType, create(choice), oursFor(choice, false, 'hold'))
}
