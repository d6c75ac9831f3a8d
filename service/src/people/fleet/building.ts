import { READING_STALE_AFTER_MS } from '@hypocaust/domain'
import type { Clock } from '../../base/clock.ts'
import { record } from '../../house/change-log/record.ts'
import type { Store } from '../../store/store.ts'
import { recordAct } from '../operators/acts.ts'
import { promisesKept } from './needs.ts'

export type OpenedBuilding = NonNullable<Awaited<ReturnType<typeof openBuilding>>>

/** A building as an operator sees it: no temperature, and nothing by which one could be guessed. */
export async function openBuilding(store: Store, clock: Clock, operator: string, buildingId: string) {
  const { db } = store
  const building = await db
    .selectFrom('buildings')
    .innerJoin('user', 'user.id', 'buildings.accountId')
    .select(['buildings.id', 'buildings.name', 'buildings.timezone', 'buildings.createdAt', 'user.email as account'])
    .where('buildings.id', '=', buildingId)
    .executeTakeFirst()
  if (!building) return undefined
  await store.batch([recordAct(store, clock.now(), { operator, act: 'building_opened', subject: buildingId })])
  const [gateways, alerts, rooms, promises] = await Promise.all([
    db
      .selectFrom('gateways')
      .select(['id', 'name', 'version', 'lastSeenAt', 'buffered', 'clockOk', 'ackResult'])
      .where('buildingId', '=', buildingId)
      .orderBy('id')
      .execute(),
    db
      .selectFrom('alerts')
      .leftJoin('rooms', 'rooms.id', 'alerts.roomId')
      .select(['alerts.subject', 'alerts.beganAt', 'rooms.name as room'])
      .where('alerts.buildingId', '=', buildingId)
      .where('openSubject', 'is not', null)
      .orderBy('alerts.beganAt')
      .execute(),
    db
      .selectFrom('rooms')
      .innerJoin('sensors', 'sensors.id', 'rooms.sensorId')
      .select(['rooms.name', 'sensors.measuredAt', 'sensors.batteryPct', 'rooms.fittedAt'])
      .where('rooms.buildingId', '=', buildingId)
      .orderBy('rooms.position')
      .execute(),
    promisesKept(db, buildingId, clock.now()),
  ])
  return {
    ...building,
    gateways,
    alerts: alerts.map(({ subject, ...alert }) => ({ ...alert, kind: subject.split(' ', 1)[0] ?? subject })),
    rooms,
    promises,
  }
}

export type RoomTemperature = Awaited<ReturnType<typeof readTemperatures>>[number]

/** For a reason, which the family finds in its change log: both are on disk before anything is read. */
export async function readTemperatures(
  store: Store,
  clock: Clock,
  operator: string,
  { id, name, reason }: { id: string; name: string; reason: string },
) {
  const nowMs = clock.now()
  const entry = { buildingId: id, subjectId: id, subject: name, field: 'operator_access', after: [reason] }
  await store.batch([
    // Locks the row of the building, so that entries of its log follow each other.
    store.db
      .updateTable('buildings')
      .set((eb) => ({ name: eb.ref('name') }))
      .where('id', '=', id),
    record(store, nowMs, entry, { kind: 'operator', name: operator }),
    recordAct(store, nowMs, { operator, act: 'temperatures_read', subject: id, detail: reason }),
  ])
  const rows = await store.db
    .selectFrom('rooms')
    .innerJoin('sensors', 'sensors.id', 'rooms.sensorId')
    .select(['rooms.name', 'rooms.targetC', 'sensors.temperatureC', 'sensors.humidityPct', 'sensors.measuredAt'])
    .where('rooms.buildingId', '=', id)
    .orderBy('rooms.position')
    .execute()
  return rows.map((row) => {
    const isFresh = (row.measuredAt ?? 0) > nowMs - READING_STALE_AFTER_MS
    return isFresh ? row : { ...row, temperatureC: null, humidityPct: null }
  })
}
