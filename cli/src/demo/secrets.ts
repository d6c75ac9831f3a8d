import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { HouseFile } from '@hypocaust/domain'
import { applyHouse, createAccount, createKey, type Store, systemClock } from '@hypocaust/service'
import { Failure } from '../failure.ts'
import { houseFile } from './house.ts'
import { OTHER_ROOM } from './other-thermostat.ts'

/** What the demo prints at every start. Real keys are never kept; these open a house that is not real. */
export interface DemoSecrets {
  email: string
  password: string
  buildingId: string
  readKey: string
  writeKey: string
  gateway: { id: string; token: string }
}

const EMAIL = 'demo@hypocaust.local'

const withShadow = (house: HouseFile): HouseFile => ({
  ...house,
  rooms: house.rooms.map((room) => (room.name === OTHER_ROOM ? { ...room, only_watch: true } : room)),
})

/** Once per data folder; later starts find what the first one wrote. */
export async function furnish(store: Store, data: string, hasShadow: boolean): Promise<DemoSecrets> {
  const file = join(data, 'demo.json')
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as DemoSecrets
  const secrets = await createDemo(store, hasShadow)
  writeFileSync(file, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 })
  return secrets
}

async function createDemo(store: Store, hasShadow: boolean): Promise<DemoSecrets> {
  const password = randomBytes(9).toString('base64url')
  const created = await createAccount(store, EMAIL, password)
  if (created.kind !== 'created') {
    throw new Failure(`this data folder already has an account ${EMAIL}. Choose another folder with --data.`)
  }
  const accountId = created.account.id
  const options = { accountId, overwriteSettings: false, prune: false }
  const house = await applyHouse(store, systemClock, hasShadow ? withShadow(houseFile()) : houseFile(), options)
  const [gateway] = house.gateways
  const keyFor = async (permission: 'read' | 'write') =>
    (await createKey(store, systemClock, { accountId, name: `Demo, ${permission}`, permission, expiresAt: null })).value
  return {
    email: EMAIL,
    password,
    buildingId: house.building.id,
    readKey: await keyFor('read'),
    writeKey: await keyFor('write'),
    gateway: { id: gateway?.id ?? '', token: gateway?.token ?? '' },
  }
}
