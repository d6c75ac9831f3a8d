import type { HouseFile } from '@hypocaust/domain'
import { DAY_MS, HOUR_MS } from '@hypocaust/domain/facts'
import { LAKESIDE } from '@hypocaust/testing/houses.ts'
import type { Site } from '../test/stage.ts'

const STREETS = ['Birch Lane', 'Harbour Street', 'Mill Road', 'Station Road', 'Church Hill', 'Lakeside', 'Orchard Way']
const ROOMS = ['Bathroom', 'Kitchen', 'Living room', 'Bedroom', 'Hall']
const TAGS = [['North'], ['South'], ['North', '2026'], ['2026'], []]

export const nameOf = (i: number): string => `${STREETS[i % STREETS.length]} ${i + 1}`

/** Most are fine; some do not report, some have a sensor that does not, some a low battery, some no rooms yet. */
type Fate = 'fine' | 'unavailable' | 'sensor_silent' | 'battery_low' | 'unfinished'

export function fateOf(i: number): Fate {
  if (i % 40 === 7) return 'sensor_silent'
  if (i % 60 === 11) return 'unavailable'
  if (i % 25 === 13) return 'battery_low'
  return i % 100 === 17 ? 'unfinished' : 'fine'
}

const houseOf = (i: number): HouseFile => ({
  ...LAKESIDE,
  key: `house-${i}`,
  name: nameOf(i),
  rooms:
    fateOf(i) === 'unfinished'
      ? []
      : ROOMS.map((name, n) => ({
          name,
          floor_type: 'screed',
          sensor: `a4:c1:38:5e:01:0${n + 1}`,
          valves: [{ gateway: 'cellar', channel: n + 1 }],
        })),
})

/** Buildings of one account, as they are a minute after their gateways have reported. */
export async function addHouses(site: Site, accountId: string, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let i = 0; i < count; i++) {
    const { building } = await site.addHouse(accountId, houseOf(i))
    ids.push(building.id)
    await bringToLife(site, building.id, i)
  }
  return ids
}

async function bringToLife({ store: { db } }: Site, buildingId: string, i: number): Promise<void> {
  const fate = fateOf(i)
  const now = Date.now()
  const tags = TAGS[i % TAGS.length] ?? []
  await db
    .updateTable('buildings')
    .set({ tags: tags.length === 0 ? null : JSON.stringify(tags) })
    .where('id', '=', buildingId)
    .execute()
  if (fate === 'unfinished') return
  const lastSeenAt = fate === 'unavailable' ? now - DAY_MS : now
  await db.updateTable('gateways').set({ lastSeenAt, channels: 8 }).where('buildingId', '=', buildingId).execute()
  const fresh = { temperatureC: 21, humidityPct: 45, batteryPct: 81, rssiDbm: -71, measuredAt: now }
  await db.updateTable('sensors').set(fresh).where('buildingId', '=', buildingId).execute()
  const odd =
    fate === 'sensor_silent'
      ? { measuredAt: now - 3 * HOUR_MS }
      : fate === 'battery_low'
        ? { batteryPct: 8 }
        : undefined
  if (!odd) return
  await db
    .updateTable('sensors')
    .set(odd)
    .where('buildingId', '=', buildingId)
    .where('address', '=', 'a4:c1:38:5e:01:02')
    .execute()
}
