import { mouldRisk } from '@hypocaust/control'
import { airingOf, type MeasuredAir, outdoorsAt } from '../../house/air/air.ts'
import { surfaceRecordOf } from '../../house/air/surface-record.ts'
import type { Place } from '../../house/weather/weather.ts'
import type { Store } from '../../store/store.ts'
import type { RoomFacts } from './facts.ts'

/** What is known of the coldest surface of each room. The weather is read only where one of them is at risk. */
export async function withMould<Room extends MeasuredAir>(
  store: Store,
  rooms: Room[],
  place: Place,
  nowMs: number,
): Promise<(Room & Pick<RoomFacts, 'mould'>)[]> {
  const known = rooms.map((room) => {
    const record = surfaceRecordOf(room, nowMs)
    return { room, mould: record && { risk: mouldRisk(record), dampHours: 24 * record.dampShare } }
  })
  const isAtRisk = known.some(({ mould }) => mould?.risk === 'high' || mould?.risk === 'raised')
  const outdoors = isAtRisk ? await outdoorsAt(store, place, nowMs) : null
  return known.map(({ room, mould }) => ({
    ...room,
    mould: mould && { ...mould, airing: outdoors && airingOf(room, outdoors, nowMs) },
  }))
}
