import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { HouseFile } from '@hypocaust/domain'
import { seededRandom } from '@hypocaust/simulator'
import { applyHouse } from '../../service/src/house/buildings/apply.ts'
import { newGatewayToken } from '../../service/src/house/gateways/token.ts'
import { insertAccount } from '../../service/src/people/accounts/accounts.ts'
import { openStore } from '../../service/src/store/open.ts'
import { JobWriter } from '../../service/src/store/sqlite/job-writer.ts'
import type { SimulatedRoom } from './devices.ts'
import { Disk } from './disk.ts'
import { drain, surround } from './globals.ts'
import { Scheduler } from './scheduler.ts'

export const START_MS = Date.parse('2026-01-10T08:00:00.000Z')

export const ROOMS: SimulatedRoom[] = [
  { name: 'Bathroom', channel: 1, sensor: 'a4:c1:38:5e:01:01', floor: 'dry', airC: 19.5 },
  { name: 'Bedroom', channel: 2, sensor: 'a4:c1:38:5e:01:02', floor: 'screed', airC: 18 },
  { name: 'Hall', channel: 3, sensor: 'a4:c1:38:5e:01:03', floor: 'timber', airC: 17 },
]

const HOUSE: HouseFile = {
  name: 'Lakeside 12',
  location: { lat: 59.91, lng: 10.75 },
  timezone: 'Europe/Oslo',
  gateways: [{ name: 'cellar' }],
  rooms: ROOMS.map(({ name, floor, sensor, channel }) => ({
    name,
    floor_type: floor,
    sensor,
    valves: [{ gateway: 'cellar', channel }],
  })),
}

export interface PreparedHouse {
  folder: string
  accountId: string
  buildingId: string
  gatewayId: string
  token: string
  roomIds: string[]
}

/** The same for every seed: a migrated database with an account, a building and its gateway. */
export async function prepareHouse(folder: string): Promise<PreparedHouse> {
  mkdirSync(folder, { recursive: true })
  const scheduler = new Scheduler(drain, (_process, error) => {
    throw error
  })
  const random = seededRandom(1)
  const disk = new Disk(scheduler, random, () => {})
  disk.openWriter = (file) => new JobWriter(file) as never
  surround({ scheduler, random, disk, startMs: START_MS })
  const clock = { now: () => START_MS, elapsedMs: () => scheduler.nowMs }
  const prepared = await scheduler.until(scheduler.outside, async () => {
    const store = await openStore(folder)
    const created = await insertAccount(store, 'ada@example.org', 'no password')
    if (created.kind !== 'created') throw new Error(created.kind)
    const accountId = created.account.id
    const applied = await applyHouse(store, clock, HOUSE, { accountId, overwriteSettings: false, prune: false })
    const gatewayId = applied.gateways[0]?.id as string
    const { token, ...columns } = newGatewayToken()
    await store.db.updateTable('gateways').set(columns).where('id', '=', gatewayId).execute()
    await store.close()
    return {
      accountId,
      buildingId: applied.building.id,
      gatewayId,
      token,
      roomIds: applied.rooms.map(({ id }) => id),
    }
  })
  surround(undefined)
  return { folder, ...prepared }
}

export function furnish(house: PreparedHouse, folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  copyFileSync(join(house.folder, 'hypocaust.db'), join(folder, 'hypocaust.db'))
}
