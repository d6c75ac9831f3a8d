import { DAY_MS } from '@hypocaust/domain'
import { countHeat, raiseLive, type Store, sensorIdsOf } from '@hypocaust/service'
import type { HouseReading } from '@hypocaust/simulator'
import type { LivedDays, LivedRoom } from './warm-up.ts'

const ROWS_A_WRITE = 200

/** The latest moment anything is known of, or 0: where the demo's time goes on after a pause, also after fast days. */
export async function lastKnownMs({ db }: Store, buildingId: string): Promise<number> {
  const { latest } = await db
    .selectFrom('sensors')
    .where('buildingId', '=', buildingId)
    .select((eb) => eb.fn.max('measuredAt').as('latest'))
    .executeTakeFirstOrThrow()
  return latest ?? 0
}

/** Writes down simulated days as if the service had been there: readings, decisions, and what was learned. */
export async function recordDays(
  store: Store,
  buildingId: string,
  { readings, rooms }: LivedDays,
  sinceMs: number,
): Promise<void> {
  const ids = await sensorIdsOf(store, buildingId)
  const news = readings
    .filter(({ atMs }) => atMs > sinceMs)
    .map((reading) => ({ ...reading, sensorId: ids.get(reading.sensorId) ?? '' }))
  for (const rows of chunks(news.map((reading) => readingRow(buildingId, reading)))) {
    await store.batch([
      store.db
        .insertInto('readings')
        .values(rows)
        .onConflict((conflict) => conflict.doNothing()),
    ])
  }
  const roomIds = await roomIdsByChannel(store, buildingId)
  for (const room of rooms) {
    const roomId = roomIds.get(room.channel)
    if (roomId === undefined) continue
    await store.batch(roomWrites(store, roomId, room, sinceMs))
    const firstMs = room.slots.find(({ endMs }) => endMs > sinceMs)?.endMs
    // The filter needs a day to know the floor, and heat is counted from the day before.
    if (firstMs !== undefined) await countHeat(store, { id: roomId, buildingId }, firstMs + 2 * DAY_MS)
  }
  const raised = raiseLive.with(store, { buildingId, nowMs: Date.now() })
  await store.batch([...latestReadings(news).map((reading) => showReading(store, reading)), raised])
}

function roomWrites({ db }: Store, roomId: string, { state, decisions, slots, promises }: LivedRoom, sinceMs: number) {
  const decisionRows = decisions
    .filter(({ atMs }) => atMs > sinceMs)
    .map((decision) => ({
      roomId,
      decidedAt: decision.atMs,
      power: decision.power,
      targetC: decision.aim.targetC,
      decision: JSON.stringify(decision),
    }))
  const slotRows = slots
    .filter(({ endMs }) => endMs > sinceMs)
    .map((slot) => ({ roomId, endsAt: slot.endMs, slot: JSON.stringify(slot) }))
  const promiseRows = promises.filter(({ dueAt }) => dueAt > sinceMs).map((promise) => ({ roomId, ...promise }))
  // A house that has been lived in keeps what the service itself has learned of it.
  const isNew = sinceMs === 0 && state !== null
  return [
    ...chunks(decisionRows).map((rows) =>
      db
        .insertInto('decisions')
        .values(rows)
        .onConflict((c) => c.doNothing()),
    ),
    ...chunks(slotRows).map((rows) =>
      db
        .insertInto('roomSlots')
        .values(rows)
        .onConflict((c) => c.doNothing()),
    ),
    ...chunks(promiseRows).map((rows) =>
      db
        .insertInto('promises')
        .values(rows)
        .onConflict((c) => c.doNothing()),
    ),
    ...(isNew ? [db.insertInto('controlStates').values({ roomId, version: 1, state: JSON.stringify(state) })] : []),
    ...(isNew ? [db.updateTable('rooms').set({ fittedAt: state.updatedMs }).where('id', '=', roomId)] : []),
  ]
}

const readingRow = (buildingId: string, { sensorId, atMs, temperature, humidity }: HouseReading) => ({
  buildingId,
  sensorId,
  measuredAt: atMs,
  temperatureC: temperature,
  humidityPct: humidity,
})

const chunks = <T>(rows: T[]): T[][] =>
  Array.from({ length: Math.ceil(rows.length / ROWS_A_WRITE) }, (_, i) =>
    rows.slice(i * ROWS_A_WRITE, (i + 1) * ROWS_A_WRITE),
  )

const latestReadings = (readings: HouseReading[]): HouseReading[] => [
  ...new Map(readings.map((reading) => [reading.sensorId, reading])).values(),
]

const showReading = ({ db }: Store, { sensorId, temperature, humidity, batt, rssi, atMs }: HouseReading) =>
  db
    .updateTable('sensors')
    .set({ temperatureC: temperature, humidityPct: humidity, batteryPct: batt, rssiDbm: rssi, measuredAt: atMs })
    .where('id', '=', sensorId)

async function roomIdsByChannel({ db }: Store, buildingId: string): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom('valves')
    .innerJoin('rooms', 'rooms.id', 'valves.roomId')
    .where('rooms.buildingId', '=', buildingId)
    .select(['valves.channel', 'valves.roomId'])
    .execute()
  return new Map(rows.map(({ channel, roomId }) => [channel, roomId]))
}
