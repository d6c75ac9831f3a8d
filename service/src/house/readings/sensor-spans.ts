import type { SensorUse } from '@hypocaust/domain'
import type { Store } from '../../store/store.ts'
import { otherSensorsOf } from '../room-sensors.ts'
import { sensorIdsOf } from '../sensors.ts'

export interface HistorySpan {
  fromMs: number
  toMs: number
}

/** A time in which the same sensors measured a room. */
export interface SensorSpan extends HistorySpan {
  use: SensorUse
  sensors: { id: string; weight: number }[]
}

interface Measuring {
  sensorId: string
  otherSensors: string | null
}

/** Which sensors measured the room in a span, oldest first: a sensor that has moved leaves its history behind. */
export async function sensorSpansOf(
  store: Store,
  roomId: string,
  { fromMs, toMs }: HistorySpan,
): Promise<SensorSpan[]> {
  const { db } = store
  const [room, former] = await Promise.all([
    db
      .selectFrom('rooms')
      .select(['buildingId', 'sensorId', 'otherSensors'])
      .where('id', '=', roomId)
      .executeTakeFirst(),
    db
      .selectFrom('formerSensors')
      .select(['sensorId', 'otherSensors', 'untilAt'])
      .where('roomId', '=', roomId)
      .where('untilAt', '>', fromMs)
      .orderBy('untilAt')
      .execute(),
  ])
  if (!room) return []
  const all = [...former, { ...room, untilAt: Number.POSITIVE_INFINITY }]
  const ids = all.some(({ otherSensors }) => otherSensors !== null)
    ? await sensorIdsOf(store, room.buildingId)
    : new Map()
  return all.flatMap((each, i) => {
    const span = { fromMs: Math.max(fromMs, all[i - 1]?.untilAt ?? fromMs), toMs: Math.min(toMs, each.untilAt) }
    return span.fromMs < span.toMs ? [{ ...span, ...measuring(each, ids) }] : []
  })
}

function measuring({ sensorId, otherSensors }: Measuring, ids: Map<string, string>) {
  const others = otherSensorsOf({ otherSensors })
  const known = others?.sensors.flatMap(({ id, weight = 1 }) => {
    const rowId = ids.get(id)
    return rowId === undefined || rowId === sensorId ? [] : [{ id: rowId, weight }]
  })
  const use: SensorUse = others?.use ?? 'mean'
  return { use, sensors: [{ id: sensorId, weight: 1 }, ...(known ?? [])] }
}
