import { type Browser, openSite, signedIn } from '@hypocaust/testing/browser.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { BATHROOM_SENSOR, HOUSE } from '@hypocaust/testing/houses.ts'
import type { Answer, World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { applyHouse } from '../src/house/buildings/apply.ts'

/** One more of each than the holder has already: two rooms, two gateways, a building and two keys. */
const QUOTAS = {
  max_rooms_per_building: 3,
  max_gateways_per_building: 3,
  max_buildings_per_account: 2,
  max_keys_per_account: 3,
}

describe.each(ENGINES)('quotas on %s', (engine) => {
  let world: World
  let ada: Browser
  beforeAll(async () => {
    world = await openSite(engine, { quotas: QUOTAS })
    ada = await signedIn(world)
  })
  afterAll(() => world.close())

  const inBuilding = (what: string) => `/app/buildings/${world.holder.buildingId}/${what}`
  const addRoom = (name: string) =>
    ada.call('POST', inBuilding('rooms'), { name, floor_type: 'dry', sensor_id: BATHROOM_SENSOR, valves: [] })
  const addGateway = (name: string) => ada.call('POST', inBuilding('gateways'), { name })
  const addBuilding = (name: string) =>
    ada.call('POST', '/app/buildings', { name, location: HOUSE.location, timezone: HOUSE.timezone })
  const addKey = (name: string) => ada.call('POST', '/app/keys', { name, permission: 'read', expires_at: null })
  const upload = (house: object) => ada.call('POST', '/app/house-file', { text: stringify(house) })
  const counts = async () => {
    const buildings = (await ada.call('GET', '/app/buildings')).json
    const { rooms, gateways } = buildings.find(({ id }: { id: string }) => id === world.holder.buildingId)
    return { buildings: buildings.length, rooms: rooms.length, gateways }
  }

  const expectRefused = ({ status, json }: Answer, setting: keyof typeof QUOTAS) => {
    expect([status, json.error.code]).toEqual([409, 'quota_reached'])
    expect(json.error.message).toContain(`at most ${QUOTAS[setting]} `)
    expect(json.error.message).toContain(setting)
  }

  test('a room too many is refused, and there is space again when one is removed', async () => {
    const third = await addRoom('Third')
    expect(third.status).toBe(200)
    expectRefused(await addRoom('Fourth'), 'max_rooms_per_building')
    expect((await ada.call('DELETE', `/app/rooms/${third.json.id}`)).status).toBe(204)
    expect((await addRoom('Fourth')).status).toBe(200)
  })

  test('a gateway too many is refused', async () => {
    expect((await addGateway('third')).status).toBe(200)
    expectRefused(await addGateway('fourth'), 'max_gateways_per_building')
  })

  test('a key too many is refused; a revoked key does not count', async () => {
    const third = await addKey('third')
    expect(third.status).toBe(200)
    expectRefused(await addKey('fourth'), 'max_keys_per_account')
    expect((await ada.call('DELETE', `/app/keys/${third.json.id}`)).status).toBe(200)
    expect((await addKey('fourth')).status).toBe(200)
  })

  test('a building too many is refused, also from a house file', async () => {
    expect((await addBuilding('Second')).status).toBe(200)
    expectRefused(await addBuilding('Third'), 'max_buildings_per_account')
    expectRefused(await upload({ ...HOUSE, name: 'Third' }), 'max_buildings_per_account')
  })

  test('another account is not affected', async () => {
    const bob = await signedIn(world, 'bob@example.org')
    const building = { name: 'Second', location: HOUSE.location, timezone: HOUSE.timezone }
    expect((await bob.call('POST', '/app/buildings', building)).status).toBe(200)
  })

  describe('a house file', () => {
    const [bathroom] = HOUSE.rooms
    const rooms = [...HOUSE.rooms, { ...bathroom, name: 'New', valves: [] }, { ...bathroom, name: 'Newer', valves: [] }]
    const gateways = [...(HOUSE.gateways ?? []), { name: 'shed' }, { name: 'barn' }]

    test('with too many rooms or gateways changes nothing', async () => {
      const before = await counts()
      expectRefused(await upload({ ...HOUSE, rooms }), 'max_rooms_per_building')
      expectRefused(await upload({ ...HOUSE, gateways }), 'max_gateways_per_building')
      expect(await counts()).toEqual(before)
    })

    test('that adds nothing is applied, also where a quota was lowered since', async () => {
      const options = { accountId: world.holder.accountId, overwriteSettings: false, prune: false }
      const lowered = { ...QUOTAS, max_rooms_per_building: 1, max_gateways_per_building: 1 }
      const applied = await applyHouse(world.store, world.clock, HOUSE, options, lowered)
      expect(applied.building.id).toBe(world.holder.buildingId)
    })
  })
})
