import type { Store } from '../../store/store.ts'
import { type DaySpan, energyOf } from './energy.ts'

/**
 * Adds what days of a room turned out to be to the counters of the room and of its building. A day that turns out to be
 * less holds them still until as much has been counted: programs take a counter that falls for a new meter.
 */
export async function advanceCounters(
  store: Store,
  { id: roomId, buildingId }: { id: string; buildingId: string },
  span: DaySpan,
): Promise<void> {
  const { db } = store
  const { rooms } = await energyOf(store, buildingId, span, (id) => id === roomId)
  const days = rooms.flatMap((room) => room.days.filter(({ heat }) => heat !== null))
  if (days.length === 0) return
  await store.batch(
    days.map(({ day, heat }) =>
      db.updateTable('roomHeat').set({ countedKwh: heat }).where('roomId', '=', roomId).where('day', '=', day),
    ),
  )
  const { countedKwh } = await db
    .selectFrom('roomHeat')
    .select((e) => e.fn.coalesce(e.fn.sum<number>('countedKwh'), e.lit(0)).as('countedKwh'))
    .where('roomId', '=', roomId)
    .executeTakeFirstOrThrow()
  const room = await db.selectFrom('rooms').select('heatCounterKwh').where('id', '=', roomId).executeTakeFirst()
  const grownKwh = Math.max(0, countedKwh - (room?.heatCounterKwh ?? 0))
  await store.batch(
    (['rooms', 'buildings'] as const).map((table) =>
      db
        .updateTable(table)
        .set((e) => ({ heatCounterKwh: e(e.fn.coalesce('heatCounterKwh', e.lit(0)), '+', grownKwh) }))
        .where('id', '=', table === 'rooms' ? roomId : buildingId),
    ),
  )
}
