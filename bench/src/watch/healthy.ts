import { foreignPlants, oursFor } from '../comfort/compare.ts'
import type { PlantChoice } from '../comfort/plant.ts'
import { STEP_S } from '../comfort/run.ts'
import { DAY_S } from '../comfort/scenarios.ts'
import { createWorld } from '../comfort/world.ts'
import { roomIn, WatchedRoom } from './room.ts'

export type HealthyJob = { choice: PlantChoice; days: number; plantFile: string | null }
export type HealthyResult = HealthyJob & { alarms: number; alarmedH: number }

/** A heat source that works all the time: every alarm is a false one. */
export async function runHealthy(job: HealthyJob): Promise<HealthyResult> {
  const room = await roomOf(job)
  let [alarms, alarmedS, was] = [0, 0, false]
  for (let nowS = 0; nowS < job.days * DAY_S; nowS += STEP_S) {
    room.advance()
    alarms += room.alarmed && !was ? 1 : 0
    alarmedS += room.alarmed ? STEP_S : 0
    was = room.alarmed
  }
  return { ...job, alarms, alarmedH: alarmedS / 3600 }
}

async function roomOf({ choice, plantFile }: HealthyJob): Promise<WatchedRoom> {
  if (!plantFile) return roomIn(createWorld(choice))
  const create = await foreignPlants(plantFile)
  return new WatchedRoom(choice.floorType, create(choice), oursFor(choice, false, 'hold'))
}
