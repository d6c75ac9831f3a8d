import { type AirSample, followSurface } from '@hypocaust/control'
import { DAY_MS, HOUR_MS, type RoomHistory } from '@hypocaust/domain'
import type { Store } from '../../store/store.ts'
import { historyOf } from '../readings/history.ts'
import { floorTo } from '../readings/retention.ts'
import { countedSurfaceOf, SURFACE_COLUMNS } from './surface-record.ts'

/** As far back as it matters: from a change of the factor, and after a time without the service. */
const FURTHEST_BACK_MS = 10 * DAY_MS
/** Readings of the last minutes may be on their way. */
const SETTLED_MS = 600_000

/** Follows the coldest surface of a room up to the last whole hour. */
export async function countAir(store: Store, roomId: string, nowMs: number): Promise<void> {
  const row = await store.db.selectFrom('rooms').select(SURFACE_COLUMNS).where('id', '=', roomId).executeTakeFirst()
  if (!row) return
  const counted = countedSurfaceOf(row)
  // What ends in the future was counted while the clock was ahead.
  const before = counted && counted.untilMs <= nowMs ? counted : null
  const toMs = floorTo(nowMs - SETTLED_MS, HOUR_MS)
  const fromMs = Math.max(before?.untilMs ?? 0, toMs - FURTHEST_BACK_MS)
  if (fromMs >= toMs) return
  const samplesFrom = async (startMs: number) =>
    samplesOf(await historyOf(store, { id: roomId }, { fromMs: startMs, toMs }))
  // Where humidity or outdoors are not known, the days before that are not read at each count.
  const dayBeforeMs = toMs - DAY_MS
  if (fromMs < dayBeforeMs && (await samplesFrom(dayBeforeMs)).length === 0) return
  const samples = await samplesFrom(fromMs)
  const record = followSurface(before, samples, row.surfaceFactor)
  if (samples.length === 0 || record === null) return
  await store.db
    .updateTable('rooms')
    .set({ surfaceRecord: JSON.stringify(record) })
    .where('id', '=', roomId)
    .where('surfaceFactor', '=', row.surfaceFactor)
    .execute()
}

/** An hour each, of the readings in it: a sensor that reports twice an hour leaves most steps of minutes empty. */
function samplesOf({ times, temperature, humidity, outdoor }: RoomHistory): AirSample[] {
  const steps = times.flatMap((time, i) => {
    const [airC, humidityPct, outdoorC] = [temperature[i], humidity[i], outdoor[i]]
    if (airC == null || humidityPct == null || outdoorC == null) return []
    return [{ hourMs: floorTo(time * 1000, HOUR_MS), airC, humidityPct, outdoorC }]
  })
  return [...Map.groupBy(steps, ({ hourMs }) => hourMs)].map(([atMs, hour]) => {
    const mean = (pick: (step: (typeof steps)[number]) => number) =>
      hour.reduce((sum, step) => sum + pick(step), 0) / hour.length
    return {
      ...{ atMs, hours: 1 },
      airC: mean(({ airC }) => airC),
      humidityPct: mean(({ humidityPct }) => humidityPct),
      outdoorC: mean(({ outdoorC }) => outdoorC),
    }
  })
}
