import { FLOOR_TYPES, type FloorType } from '@hypocaust/domain'
import { STEP_S } from '../comfort/run.ts'
import { DAY_S, type Scenario } from '../comfort/scenarios.ts'
import { worldOf } from '../comfort/world.ts'
import { roomIn } from './room.ts'

/** What stops giving heat: the source of the house, or the loop of one room. */
type Failing = { kind: 'house' } | { kind: 'loop'; floorType: FloorType }
export type FailureJob = { failing: Failing; seed: number; hour: number }
/** Hours from the failure until the law reports it in any room concerned; null when it does not within two days. */
export type FailureResult = FailureJob & { noticedAfterH: number | null; alarmsBefore: number }

const HEALTHY_DAYS = 10
const WAITED_S = 2 * DAY_S

/** Water floors: an electric one has no source that could fail for the whole house. */
const HOUSE_FLOORS = FLOOR_TYPES.filter((floorType) => floorType !== 'electric')

/** Ten days with heat at about −5 °C outdoors, then none from an hour of the day on. */
export function runFailure(job: FailureJob): FailureResult {
  const { failing, seed, hour } = job
  const failsS = HEALTHY_DAYS * DAY_S + hour * 3600
  const scenario: Scenario = {
    name: 'failure',
    season: 'frost',
    noHeat: [{ fromS: failsS, toS: Number.POSITIVE_INFINITY }],
  }
  const floors = failing.kind === 'house' ? HOUSE_FLOORS : [failing.floorType]
  const rooms = floors.map((floorType) => roomIn(worldOf({ floorType, scenario: 'failure', seed }, scenario)))
  let [alarmsBefore, was] = [0, false]
  for (let nowS = 0; nowS < failsS + WAITED_S; nowS += STEP_S) {
    for (const room of rooms) room.advance(rooms)
    const alarmed = rooms.some((room) => room.alarmed)
    if (alarmed && nowS >= failsS) return { ...job, noticedAfterH: (nowS - failsS) / 3600, alarmsBefore }
    alarmsBefore += alarmed && !was ? 1 : 0
    was = alarmed
  }
  return { ...job, noticedAfterH: null, alarmsBefore }
}
