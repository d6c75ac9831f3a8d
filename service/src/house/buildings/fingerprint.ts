import type { Store } from '../../store/store.ts'

/** What an account's pages show, boiled down: when this text changes, they look again. */
export async function fingerprintOf({ db }: Store, accountId: string): Promise<{ house: string; keys: string }> {
  const [buildings, gateways, sensors, rooms, keys] = await Promise.all([
    db
      .selectFrom('buildings')
      .select((eb) => [eb.fn.countAll().as('count'), eb.fn.max('revisedAt').as('revisedAt')])
      .where('accountId', '=', accountId)
      .executeTakeFirst(),
    db
      .selectFrom('gateways')
      .innerJoin('buildings', 'buildings.id', 'gateways.buildingId')
      .select((eb) => [eb.fn.countAll().as('count'), eb.fn.max('gateways.lastSeenAt').as('lastSeenAt')])
      .where('buildings.accountId', '=', accountId)
      .executeTakeFirst(),
    db
      .selectFrom('sensors')
      .innerJoin('buildings', 'buildings.id', 'sensors.buildingId')
      .select((eb) => [eb.fn.countAll().as('count'), eb.fn.max('sensors.measuredAt').as('measuredAt')])
      .where('buildings.accountId', '=', accountId)
      .executeTakeFirst(),
    db
      .selectFrom('rooms')
      .innerJoin('buildings', 'buildings.id', 'rooms.buildingId')
      .select((eb) => [eb.fn.countAll().as('count'), eb.fn.sum('rooms.controlPower').as('power')])
      .where('buildings.accountId', '=', accountId)
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

export async function buildingIdsOf({ db }: Store, accountId: string): Promise<string[]> {
  const rows = await db.selectFrom('buildings').select('id').where('accountId', '=', accountId).execute()
  return rows.map(({ id }) => id)
}
