import { HOUR_MS, type Trends } from '@hypocaust/domain'
import type { Store } from '../../store/store.ts'

const HOURS = 12
const POINTS = 24

/** The last hours of every room of a building, coarse enough to be drawn the size of a word. */
export async function trendsOf({ db }: Store, buildingId: string, nowMs: number): Promise<Trends> {
  const fromMs = nowMs - HOURS * HOUR_MS
  const stepMs = (HOURS * HOUR_MS) / POINTS
  const rows = await db
    .selectFrom('rooms')
    .innerJoin('readings', 'readings.sensorId', 'rooms.sensorId')
    .select(['rooms.id', 'readings.measuredAt', 'readings.temperatureC'])
    .where('rooms.buildingId', '=', buildingId)
    .where('readings.measuredAt', '>', fromMs)
    .where('readings.measuredAt', '<=', nowMs)
    .orderBy('rooms.id')
    .execute()
  const sums = new Map<string, { sum: number; count: number }[]>()
  for (const { id, measuredAt, temperatureC } of rows) {
    const points = sums.get(id) ?? Array.from({ length: POINTS }, () => ({ sum: 0, count: 0 }))
    const point = points[Math.min(POINTS - 1, Math.floor((measuredAt - fromMs) / stepMs))]
    if (point) {
      point.sum += temperatureC
      point.count++
    }
    sums.set(id, points)
  }
  const rooms = [...sums].map(([id, points]) => [
    id,
    points.map(({ sum, count }) => (count === 0 ? null : Number((sum / count).toFixed(2)))),
  ])
  return { rooms: Object.fromEntries(rooms) }
}
