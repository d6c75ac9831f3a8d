import { randomInt } from 'node:crypto'
import type { Permission } from '@hypocaust/domain'
import { hashSecret, newSecret } from '../../base/secret.ts'
import type { Store } from '../../store/store.ts'
import { findClient, type OauthClient } from './clients.ts'
import { OauthFailure } from './failure.ts'
import { alreadyUsed, type GrantedBuilding, type GrantParts, openGrant, type Tokens } from './grants.ts'

/** Without vowels, so that no word comes out, and without what looks alike. */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
const LETTERS_A_CODE = 8
const DEVICE_CODE_S = 900
const INTERVAL_S = 5
const SLOWER_BY_S = 5

interface DeviceStart {
  deviceCode: string
  userCode: string
  expiresInS: number
  intervalS: number
}

/** For a device without a browser: it shows one code, and asks with the other until a person has decided. */
export async function beginOnDevice(
  { store, clock }: Pick<GrantParts, 'store' | 'clock'>,
  { client, permission }: { client: OauthClient; permission: Permission },
): Promise<DeviceStart> {
  const deviceCode = newSecret('hypd_')
  const userCode = Array.from({ length: LETTERS_A_CODE }, () => LETTERS[randomInt(LETTERS.length)]).join('')
  await store.db
    .insertInto('oauthDevices')
    .values({
      ...{ hash: hashSecret(deviceCode), userCode, clientId: client.id, permission, intervalS: INTERVAL_S },
      ...{ expiresAt: clock.now() + 1000 * DEVICE_CODE_S, askedAt: null },
      ...{ accountId: null, buildings: null, keyId: null },
    })
    .execute()
  const shown = `${userCode.slice(0, LETTERS_A_CODE / 2)}-${userCode.slice(LETTERS_A_CODE / 2)}`
  return { deviceCode, userCode: shown, expiresInS: DEVICE_CODE_S, intervalS: INTERVAL_S }
}

/** As it is kept, however a person writes it. */
const plain = (userCode: string): string => userCode.toUpperCase().replace(/[^A-Z]/g, '')

/** The app whose device shows this code, and what it asks for; undefined for a code that nobody waits with. */
export async function findOnDevice(
  store: Store,
  userCode: string,
  nowMs: number,
): Promise<{ client: OauthClient; permission: Permission } | undefined> {
  const row = await store.db
    .selectFrom('oauthDevices')
    .select(['clientId', 'permission'])
    .where('userCode', '=', plain(userCode))
    .where('accountId', 'is', null)
    .where('expiresAt', '>', nowMs)
    .executeTakeFirst()
  const client = row && (await findClient(store, row.clientId))
  return client && { client, permission: row.permission }
}

/** No buildings: the person has refused. False where nobody waits with this code any more. */
export async function decideOnDevice(
  store: Store,
  decision: { userCode: string; accountId: string; buildings: GrantedBuilding[] },
  nowMs: number,
): Promise<boolean> {
  const { userCode, accountId, buildings } = decision
  const decided = store.db
    .updateTable('oauthDevices')
    .set({ accountId, buildings: buildings.length === 0 ? null : JSON.stringify(buildings) })
    .where('userCode', '=', plain(userCode))
    .where('accountId', 'is', null)
    .where('expiresAt', '>', nowMs)
  const [result] = await store.batch([decided])
  return result?.affectedRows === 1
}

export async function redeemOnDevice(
  parts: GrantParts,
  { client, deviceCode }: { client: OauthClient; deviceCode: string },
): Promise<Tokens> {
  const { store, clock } = parts
  const { db } = store
  const codeHash = hashSecret(deviceCode)
  const device = await db.selectFrom('oauthDevices').selectAll().where('hash', '=', codeHash).executeTakeFirst()
  if (!device || device.clientId !== client.id || device.keyId !== null) throw alreadyUsed()
  const nowMs = clock.now()
  if (device.expiresAt <= nowMs) throw new OauthFailure('expired_token', 'The code has expired; begin anew.')
  if (device.accountId === null) {
    const isEarly = device.askedAt !== null && nowMs - device.askedAt < 1000 * device.intervalS
    const intervalS = device.intervalS + (isEarly ? SLOWER_BY_S : 0)
    await db.updateTable('oauthDevices').set({ askedAt: nowMs, intervalS }).where('hash', '=', codeHash).execute()
    if (isEarly) throw new OauthFailure('slow_down', `Ask at most every ${intervalS} s.`)
    throw new OauthFailure('authorization_pending', 'Nobody has decided yet.')
  }
  if (device.buildings === null) throw new OauthFailure('access_denied', 'The person has refused.')
  return openGrant(parts, {
    client,
    accountId: device.accountId,
    buildings: JSON.parse(device.buildings),
    take: (keyId) =>
      db.updateTable('oauthDevices').set({ keyId }).where('hash', '=', codeHash).where('keyId', 'is', null),
    takenBy: (keyId) =>
      db
        .selectFrom('oauthDevices')
        .select((eb) => eb.fn.countAll().as('count'))
        .where('hash', '=', codeHash)
        .where('keyId', '=', keyId),
  })
}
