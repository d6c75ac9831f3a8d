import { DAY_MS } from '@hypocaust/domain'
import { sql } from 'kysely'
import type { Store } from '../../store/store.ts'

export interface Tenant {
  account: string
  buildings: number
  rooms: number
  /** Readings of the last 24 hours. */
  readings: number
  /** Of all rooms: the work of the service and its disk grow with them. */
  share: number
}

/** Accounts by the number of rooms in the buildings that count towards them, the largest first. */
export async function tenantsOf(
  { db, statements }: Store,
  { nowMs, from, most }: { nowMs: number; from: number; most: number },
): Promise<Tenant[]> {
  const [rows, all] = await Promise.all([
    db
      .selectFrom('user')
      .innerJoin('buildings', 'buildings.accountId', 'user.id')
      .leftJoin('rooms', 'rooms.buildingId', 'buildings.id')
      .select(({ fn }) => [
        'user.id',
        'user.email as account',
        sql<number>`count(distinct buildings.id)`.as('buildings'),
        fn.count<number>('rooms.id').as('rooms'),
      ])
      .groupBy(['user.id', 'user.email'])
      .orderBy('rooms', 'desc')
      .orderBy('user.id')
      .offset(from)
      .limit(most)
      .execute(),
    db
      .selectFrom('rooms')
      .select(({ fn }) => fn.countAll<number>().as('rooms'))
      .executeTakeFirstOrThrow(),
  ])
  const readings = await db
    .selectFrom('readingsHourly')
    .innerJoin('sensors', 'sensors.id', 'readingsHourly.sensorId')
    .innerJoin('buildings', 'buildings.id', 'sensors.buildingId')
    .select(({ fn }) => ['buildings.accountId', fn.sum<number>('readingsHourly.count').as('count')])
    .where(statements.isIn('account_id', statements.list(rows.map(({ id }) => id))))
    .where('readingsHourly.startsAt', '>', nowMs - DAY_MS)
    .groupBy('buildings.accountId')
    .execute()
  const readingsOf = new Map(readings.map(({ accountId, count }) => [accountId, Number(count)]))
  return rows.map(({ id, account, buildings, rooms }) => ({
    account,
    buildings: Number(buildings),
    rooms: Number(rooms),
    readings: readingsOf.get(id) ?? 0,
    share: Number(rooms) / Math.max(1, Number(all.rooms)),
  }))
}
