import { mouldRisk } from '@hypocaust/control'
import { DAY_MS } from '@hypocaust/domain'
import { airingOf, type MeasuredAir, outdoorsAt } from '../../house/air/air.ts'
import { surfaceRecordOf } from '../../house/air/surface-record.ts'
import type { Place } from '../../house/weather/weather.ts'
import type { Store } from '../../store/store.ts'
import type { RoomFacts } from './facts.ts'

/** What was counted before says nothing of now. */
const COUNTS_MS = 2 * DAY_MS

/** What is known of the coldest surface of each room. The weather is read only where one of them is at risk. */
export async function withMould<Room extends MeasuredAir>(
  store: Store,
  rooms: Room[],
  place: Place,
  nowMs: number,
): Promise<(Room & Pick<RoomFacts, 'mould'>)[]> {
  const known = rooms.map((room) => {
    const record = surfaceRecordOf(room)
    const isOfNow = record !== null && nowMs - record.untilMs < COUNTS_MS
    return { room, mould: isOfNow ? { risk: mouldRisk(record), dampHours: 24 * record.dampShare } : null }
  })
  const isAtRisk = known.some(({ mould }) => mould?.risk === 'high' || mould?.risk === 'raised')
  const outdoors = isAtRisk ? await outdoorsAt(store, place, nowMs) : null
  return known.map(({ room, mould }) => ({
    ...room,
    mould: mould && { ...mould, airing: outdoors && airingOf(room, outdoors, nowMs) },
  }))
}
