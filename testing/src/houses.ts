import type { HouseFile, Permission } from '@hypocaust/domain'
import type { Clock } from '../../service/src/base/clock.ts'
import { applyHouse } from '../../service/src/house/buildings/apply.ts'
import { hashPassword, insertAccount } from '../../service/src/people/accounts/accounts.ts'
import { createKey } from '../../service/src/people/keys/keys.ts'
import type { Store } from '../../service/src/store/store.ts'

export const BATHROOM_SENSOR = 'a4:c1:38:5e:01:02'
export const LIVING_ROOM_SENSOR = 'a4:c1:38:5e:01:03'
export const STRANGERS_SENSOR = 'ee:c1:38:5e:01:02'

/** The building of most tests, with one gateway and no rooms yet. */
export const LAKESIDE = {
  name: 'Lakeside 12',
  location: { lat: 59.91, lng: 10.75 },
  timezone: 'Europe/Oslo',
  gateways: [{ name: 'cellar' }],
} satisfies Partial<HouseFile>

export const HOUSE: HouseFile = {
  ...LAKESIDE,
  gateways: [{ name: 'cellar' }, { name: 'attic' }],
  rooms: [
    { name: 'Bathroom', floor_type: 'screed', sensor: BATHROOM_SENSOR, valves: [{ gateway: 'cellar', channel: 1 }] },
    {
      name: 'Living room',
      floor_type: 'timber',
      sensor: LIVING_ROOM_SENSOR,
      valves: [{ gateway: 'cellar', channel: 2 }],
    },
  ],
}

export const STRANGERS_HOUSE: HouseFile = {
  ...HOUSE,
  name: 'Hillside 3',
  gateways: [],
  rooms: [{ name: 'Hall', floor_type: 'dry', sensor: STRANGERS_SENSOR, valves: [] }],
}

interface Furnished {
  buildingId: string
  roomIds: string[]
  gatewayIds: string[]
}

/** An account with everything it owns. */
export interface Holder extends Furnished {
  accountId: string
  readKey: string
  writeKey: string
}

export async function furnish(store: Store, clock: Clock, accountId: string, house: HouseFile): Promise<Furnished> {
  const applied = await applyHouse(store, clock, house, { accountId, overwriteSettings: false, prune: false })
  return {
    buildingId: applied.building.id,
    roomIds: applied.rooms.map(({ id }) => id),
    gatewayIds: applied.gateways.map(({ id }) => id),
  }
}

export const PASSWORD = 'correct horse battery'

let hash: Promise<string> | undefined

/** With the password of all accounts in tests, hashed once: that is slow on purpose. */
export async function addAccount(store: Store, email: string): Promise<string> {
  hash ??= hashPassword(store, PASSWORD)
  const created = await insertAccount(store, email, await hash)
  if (created.kind !== 'created') throw new Error(`no account: ${created.kind}`)
  return created.account.id
}

export async function settleHolder(store: Store, clock: Clock, email: string, house: HouseFile): Promise<Holder> {
  const accountId = await addAccount(store, email)
  const furnished = await furnish(store, clock, accountId, house)
  const keyFor = async (permission: Permission) =>
    (await createKey(store, clock, { accountId, name: `${permission} key`, permission, expiresAt: null })).value
  return {
    accountId,
    ...furnished,
    readKey: await keyFor('read'),
    writeKey: await keyFor('write'),
  }
}
