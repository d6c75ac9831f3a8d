import type { HouseFile } from '@hypocaust/domain'
import { applyHouse, createAccount, createKey, rotateToken, type Store, systemClock } from '@hypocaust/service'

/** A house with its owner, and everything that opens it. */
export interface SettledHouse {
  accountId: string
  buildingId: string
  roomIds: string[]
  gatewayId: string
  token: string
  readKey: string
  writeKey: string
  /** It also opens the settings of the heating control. */
  controlKey: string
}

export const PASSWORD = 'correct horse battery'

/** An account with one house and one gateway, made as the command makes them. */
export async function settle(store: Store, email: string, house: HouseFile): Promise<SettledHouse> {
  const created = await createAccount(store, email, PASSWORD)
  if (created.kind !== 'created') throw new Error(created.kind)
  const accountId = created.account.id
  const { building, rooms, gateways } = await applyHouse(store, systemClock, house, {
    accountId,
    overwriteSettings: false,
    prune: false,
  })
  const keyFor = async (permission: 'read' | 'write', control = false) =>
    (await createKey(store, systemClock, { accountId, name: permission, permission, control, expiresAt: null })).value
  const gatewayId = gateways[0]?.id ?? ''
  return {
    accountId,
    buildingId: building.id,
    roomIds: rooms.map(({ id }) => id),
    gatewayId,
    token: (await rotateToken(store, systemClock, gatewayId)) ?? '',
    readKey: await keyFor('read'),
    writeKey: await keyFor('write'),
    controlKey: await keyFor('write', true),
  }
}
