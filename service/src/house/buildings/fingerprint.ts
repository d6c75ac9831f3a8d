import type { Store } from '../../store/store.ts'
import { isActive } from '../membership.ts'

/** What an account's pages show, boiled down: when this text changes, they look again. */
export async function fingerprintOf(
  { db }: Store,
  accountId: string,
  nowMs: number,
): Promise<{ house: string; keys: string }> {
  const [buildings, gateways, sensors, rooms, keys] = await Promise.all([
    db
      .selectFrom('buildings')
      .innerJoin('members', 'members.buildingId', 'buildings.id')
      // Their sum: the latest alone would hide a change beside a building that was changed while the clock was ahead.
      .select((eb) => [eb.fn.countAll().as('count'), eb.fn.sum('revisedAt').as('revisedAt')])
      .where('members.accountId', '=', accountId)
      .where(isActive(nowMs))
      .executeTakeFirst(),
    db
      .selectFrom('gateways')
      .innerJoin('members', 'members.buildingId', 'gateways.buildingId')
      .select((eb) => [eb.fn.countAll().as('count'), eb.fn.max('gateways.lastSeenAt').as('lastSeenAt')])
      .where('members.accountId', '=', accountId)
      .where(isActive(nowMs))
      .executeTakeFirst(),
    db
      .selectFrom('sensors')
      .innerJoin('members', 'members.buildingId', 'sensors.buildingId')
      .select((eb) => [eb.fn.countAll().as('count'), eb.fn.max('sensors.measuredAt').as('measuredAt')])
      .where('members.accountId', '=', accountId)
      .where(isActive(nowMs))
      .executeTakeFirst(),
    db
      .selectFrom('rooms')
      .innerJoin('members', 'members.buildingId', 'rooms.buildingId')
      .select((eb) => [eb.fn.countAll().as('count'), eb.fn.sum('rooms.controlPower').as('power')])
      .where('members.accountId', '=', accountId)
      .where(isActive(nowMs))
      .executeTakeFirst(),
    db
      .selectFrom('apiKeys')
      .select((eb) => [
        eb.fn.countAll().as('count'),
        eb.fn.max('revokedAt').as('revokedAt'),
        eb.fn.max('lastUsedAt').as('usedAt'),
      ])
      .where('accountId', '=', accountId)
      .executeTakeFirst(),
  ])
  return { house: JSON.stringify([buildings, gateways, sensors, rooms]), keys: JSON.stringify(keys) }
}

export async function buildingIdsOf({ db }: Store, accountId: string, nowMs: number): Promise<string[]> {
  const rows = await db
    .selectFrom('members')
    .select('buildingId')
    .where('accountId', '=', accountId)
    .where(isActive(nowMs))
    .execute()
  return rows.map(({ buildingId }) => buildingId)
}
