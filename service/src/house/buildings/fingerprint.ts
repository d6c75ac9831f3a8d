import { statement } from '../../store/statement.ts'
import type { Store } from '../../store/store.ts'
import { isActive } from '../membership.ts'

interface Reader {
  accountId: string
  nowMs: number
}

const buildingMarks = statement((db, { accountId, nowMs }: Reader) =>
  db
    .selectFrom('buildings')
    .innerJoin('members', 'members.buildingId', 'buildings.id')
    // Their sum: the latest alone would hide a change beside a building that was changed while the clock was ahead.
    .select((eb) => [eb.fn.countAll().as('count'), eb.fn.sum('revisedAt').as('revisedAt')])
    .where('members.accountId', '=', accountId)
    .where(isActive(nowMs)),
)

const gatewayMarks = statement((db, { accountId, nowMs }: Reader) =>
  db
    .selectFrom('gateways')
    .innerJoin('members', 'members.buildingId', 'gateways.buildingId')
    .select((eb) => [eb.fn.countAll().as('count'), eb.fn.max('gateways.lastSeenAt').as('lastSeenAt')])
    .where('members.accountId', '=', accountId)
    .where(isActive(nowMs)),
)

const sensorMarks = statement((db, { accountId, nowMs }: Reader) =>
  db
    .selectFrom('sensors')
    .innerJoin('members', 'members.buildingId', 'sensors.buildingId')
    .select((eb) => [eb.fn.countAll().as('count'), eb.fn.max('sensors.measuredAt').as('measuredAt')])
    .where('members.accountId', '=', accountId)
    .where(isActive(nowMs)),
)

const roomMarks = statement((db, { accountId, nowMs }: Reader) =>
  db
    .selectFrom('rooms')
    .innerJoin('members', 'members.buildingId', 'rooms.buildingId')
    .select((eb) => [eb.fn.countAll().as('count'), eb.fn.sum('rooms.controlPower').as('power')])
    .where('members.accountId', '=', accountId)
    .where(isActive(nowMs)),
)

const keyMarks = statement((db, { accountId }: Reader) =>
  db
    .selectFrom('apiKeys')
    .select((eb) => [
      eb.fn.countAll().as('count'),
      eb.fn.max('revokedAt').as('revokedAt'),
      eb.fn.max('lastUsedAt').as('usedAt'),
    ])
    .where('accountId', '=', accountId),
)

const buildingsOf = statement((db, { accountId, nowMs }: Reader) =>
  db.selectFrom('members').select('buildingId').where('accountId', '=', accountId).where(isActive(nowMs)),
)

/** What an account's pages show, boiled down: when this text changes, they look again. */
export async function fingerprintOf(
  store: Store,
  accountId: string,
  nowMs: number,
): Promise<{ house: string; keys: string }> {
  const reader = { accountId, nowMs }
  const [keys, ...house] = await Promise.all(
    [keyMarks, buildingMarks, gatewayMarks, sensorMarks, roomMarks].map((marks) => marks.first(store, reader)),
  )
  return { house: JSON.stringify(house), keys: JSON.stringify(keys) }
}

export async function buildingIdsOf(store: Store, accountId: string, nowMs: number): Promise<string[]> {
  const rows = await buildingsOf.all(store, { accountId, nowMs })
  return rows.map(({ buildingId }) => buildingId)
}
