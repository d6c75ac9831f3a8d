import { seemSwapped } from '@hypocaust/control'
import { STEP_S } from '../comfort/run.ts'
import { DAY_S } from '../comfort/scenarios.ts'
import { createWorld, PLACE } from '../comfort/world.ts'
import { roomIn, type WatchedRoom } from './room.ts'

export type SwappedJob = {
  floors: [WatchedRoom['floorType'], WatchedRoom['floorType']]
  seed: number
  scenario: string
}
export type SwappedResult = SwappedJob & { noticedAfterH: number | null }

const DAYS = 7
const LOOKED_EVERY_S = 6 * 3600

/** Two rooms from the day on which their sensors were mistaken for each other. */
export function runSwapped(job: SwappedJob): SwappedResult {
  const { floors, seed, scenario } = job
  const house = floors.map((floorType) => roomIn(createWorld({ floorType, scenario, seed })))
  const [one, other] = house as [WatchedRoom, WatchedRoom]
  one.readFrom = other
  other.readFrom = one
  for (let nowS = STEP_S; nowS <= DAYS * DAY_S; nowS += STEP_S) {
    for (const room of house) room.advance(house)
    if (nowS % LOOKED_EVERY_S === 0 && areSwapped(one, other)) return { ...job, noticedAfterH: nowS / 3600 }
  }
  return { ...job, noticedAfterH: null }
}

export const areSwapped = (one: WatchedRoom, other: WatchedRoom): boolean =>
  seemSwapped(one, other, { lat: PLACE.latDeg, lng: PLACE.lngDeg })
