import { type DesignedRoom, type DesignTask, type RoomControl, SLOT_S } from '@hypocaust/control'
import { DAY_MS, type HouseReport } from '@hypocaust/domain'
import type { Store } from '../../store/store.ts'
import { countedBy, metersOf } from '../heat/meters.ts'
import { slotsOf } from '../heating/slots.ts'

/** The law learns from as many. */
const JUDGED_DAYS = 14
/** Of a week some half hours may be missing. */
const LEAST_DAYS = 6.5
/** A meter counts as whole when it reported for nearly all of the time. */
const METERED = 0.9
const SLOT_MS = SLOT_S * 1000

export type LeftOut = HouseReport['left_out'][number]

export interface ReportRoom {
  id: string
  name: string
  areaM2: number | null
  floorType: RoomControl['floorType']
  targetC: number
  maxFloorC: number
  state: string | null
}

interface DesignInputs {
  rooms: ReportRoom[]
  task: DesignTask
  leftOut: LeftOut[]
  /** End of the last recorded half hour; null where nothing is recorded. */
  untilMs: number | null
  days: number
}

/** What the rooms of a building have recorded, as a report wants it. */
export async function designInputs(
  store: Store,
  buildingId: string,
  outdoorC: number,
  nowMs: number,
): Promise<DesignInputs> {
  const rooms = await store.db
    .selectFrom('rooms')
    .leftJoin('controlStates', 'controlStates.roomId', 'rooms.id')
    .select(['rooms.id', 'rooms.name', 'rooms.areaM2', 'rooms.floorType', 'rooms.targetC', 'rooms.maxFloorC'])
    .select('controlStates.state')
    .where('rooms.buildingId', '=', buildingId)
    .orderBy('rooms.position')
    .execute()
  const judged = await Promise.all(rooms.map((room) => judge(store, room, nowMs)))
  const designed = judged.filter((each) => 'history' in each)
  const leftOut = judged.filter((each) => 'why' in each)
  const ends = designed.flatMap(({ history }) => history.at(-1)?.endMs ?? [])
  const fromMs = Math.min(...designed.map(({ history }) => (history[0]?.endMs ?? nowMs) - SLOT_MS))
  const untilMs = ends.length > 0 ? Math.max(...ends) : null
  const isWhole = leftOut.every(({ id }) => rooms.find((room) => room.id === id)?.floorType === 'electric')
  const meterKwh = untilMs !== null && isWhole ? await meteredKwh(store, buildingId, fromMs, untilMs) : null
  return {
    rooms,
    task: { rooms: designed, outdoorC, meterKwh },
    leftOut,
    untilMs,
    days: untilMs === null ? 0 : Math.round((10 * (untilMs - fromMs)) / DAY_MS) / 10,
  }
}

async function judge(store: Store, room: ReportRoom, nowMs: number): Promise<DesignedRoom | LeftOut> {
  const { id, name, areaM2, targetC } = room
  const state = room.state === null ? null : (JSON.parse(room.state) as RoomControl)
  if (areaM2 === null) return { id, name, why: 'no_area' }
  if (!state || state.fit.accepted === 0) return { id, name, why: 'not_learned' }
  const history = await slotsOf(store, id, nowMs - JUDGED_DAYS * DAY_MS)
  if (history.length * SLOT_MS < LEAST_DAYS * DAY_MS) return { id, name, why: 'too_short' }
  return { id, room: state, history, areaM2, airC: targetC }
}

async function meteredKwh(store: Store, buildingId: string, fromMs: number, toMs: number): Promise<number | null> {
  const counted = countedBy(await metersOf(store, buildingId, fromMs, toMs), 'heat', fromMs, toMs)
  return counted && counted.covered >= METERED ? counted.kwh : null
}
