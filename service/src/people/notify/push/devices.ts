import { randomUUIDv7 } from 'node:crypto'
import type { NewPushDevice } from '@hypocaust/domain'
import type { Store } from '../../../store/store.ts'

interface DeviceOwner {
  accountId: string
  sessionId: string
  userAgent: string
}

const MOST_DEVICES = 20
const LONGEST_USER_AGENT = 300

/** The same browser again is the same device, unless another account is signed in on it now. The oldest gives way. */
export async function addDevice(
  store: Store,
  { accountId, sessionId, userAgent }: DeviceOwner,
  { endpoint, ...keys }: NewPushDevice,
  nowMs: number,
): Promise<void> {
  const { db } = store
  const row = { accountId, sessionId, userAgent: userAgent.slice(0, LONGEST_USER_AGENT), ...keys }
  const others = await devicesOf(store, accountId)
  const surplus = others
    .filter((device) => device.endpoint !== endpoint)
    .slice(0, -(MOST_DEVICES - 1))
    .map(({ id }) => id)
  await store.batch([
    // Together with all notifications still waiting for it: they are not for the account that has the browser now.
    db.deleteFrom('pushDevices').where('endpoint', '=', endpoint).where('accountId', '!=', accountId),
    ...(surplus.length > 0 ? [db.deleteFrom('pushDevices').where('id', 'in', surplus)] : []),
    db
      .insertInto('pushDevices')
      .values({ id: randomUUIDv7(), endpoint, createdAt: nowMs, ...row })
      .onConflict((conflict) => conflict.column('endpoint').doUpdateSet(row)),
  ])
}

export const devicesOf = ({ db }: Store, accountId: string) =>
  db
    .selectFrom('pushDevices')
    .selectAll()
    .where('accountId', '=', accountId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()

export async function removeDevice({ db }: Store, accountId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('pushDevices')
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
