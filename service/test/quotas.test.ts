import { MINUTE_MS, timestampOf } from '@hypocaust/domain'
import { type Browser, openSite, PASSWORD, signedIn } from '@hypocaust/testing/browser.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { BATHROOM_SENSOR, HOUSE } from '@hypocaust/testing/houses.ts'
import type { Answer, World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { applyHouse } from '../src/house/buildings/apply.ts'
import { addBuilding } from '../src/house/buildings/manage.ts'
import { addGateway } from '../src/house/gateways/gateways.ts'
import { intakeOf, knownSensors, type ReadingsMessage } from '../src/house/readings/intake.ts'
import { intakeStatements } from '../src/house/readings/statements.ts'
import { addRoom } from '../src/house/rooms/manage.ts'
import { createAccount } from '../src/people/accounts/accounts.ts'
import { createKey } from '../src/people/keys/keys.ts'
import type { Store } from '../src/store/store.ts'

/** One more of each than the holder has already: two rooms, two gateways, a building and two keys. */
const QUOTAS = {
  max_sensors_per_building: 3,
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

  test('an expired key does not count either', async () => {
    const bob = await signedIn(world, 'bob@example.org')
    const add = (expires_at: string | null) =>
      bob.call('POST', '/app/keys', { name: 'k', permission: 'read', expires_at })
    expect((await add(timestampOf(world.clock.now() + MINUTE_MS))).status).toBe(200)
    expectRefused(await add(null), 'max_keys_per_account')
    world.clock.advance(MINUTE_MS)
    expect((await add(null)).status).toBe(200)
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

  test('a handover counts towards the buildings of the receiver; an invitation to live there does not', async () => {
    const email = 'receiver@example.org'
    await createAccount(world.store, email, PASSWORD)
    const receiver = await signedIn(world, email)
    const place = { location: HOUSE.location, timezone: HOUSE.timezone }
    for (const name of ['One', 'Two']) await receiver.call('POST', '/app/buildings', { name, ...place })
    const accept = async (invitation: object) => {
      const { json } = await ada.call('POST', inBuilding('invitations'), invitation)
      const secret = new URL(json.link).hash.slice(1)
      return () => receiver.call('POST', '/app/invitations/acceptance', { secret })
    }
    const takeOver = await accept({ role: 'owner', hand_over: { giver: 'installer' } })
    expectRefused(await takeOver(), 'max_buildings_per_account')
    const roleOf = async (browser: Browser) =>
      (await browser.call('GET', `/app/buildings?id=${world.holder.buildingId}`)).json[0]?.role
    expect([await roleOf(ada), await roleOf(receiver)]).toEqual(['owner', undefined])
    const moveIn = await accept({ role: 'resident' })
    expect((await moveIn()).status).toBe(200)
    const [two] = (await receiver.call('GET', '/app/buildings')).json.filter(
      ({ name }: { name: string }) => name === 'Two',
    )
    await receiver.call('DELETE', `/app/buildings/${two.id}`)
    expect((await takeOver()).status).toBe(200)
    expect([await roleOf(ada), await roleOf(receiver)]).toEqual(['installer', 'owner'])
    await world.store.batch([
      world.store.db
        .updateTable('members')
        .set({ role: 'owner', endsAt: null })
        .where('buildingId', '=', world.holder.buildingId),
      world.store.db
        .updateTable('buildings')
        .set({ accountId: world.holder.accountId })
        .where('id', '=', world.holder.buildingId),
    ])
  })

  test('a house file cannot add sensors without end', async () => {
    const [bathroom] = HOUSE.rooms
    const withSensors = (...ids: string[]) => ({
      ...HOUSE,
      rooms: ids.map((sensor, i) => ({ ...bathroom, name: HOUSE.rooms[i]?.name, sensor, valves: [] })),
    })
    expect((await upload(withSensors('ff:01', 'ff:01'))).status).toBe(200)
    expectRefused(await upload(withSensors('ff:02', 'ff:01')), 'max_sensors_per_building')
    expect((await upload(withSensors('ff:01', 'ff:01'))).status).toBe(200)
  })
})

/** Room for three more of each than the holder has in the beginning. */
const SPACE = 3
const MORE = {
  max_sensors_per_building: 2 + SPACE,
  max_rooms_per_building: 2 + SPACE,
  max_gateways_per_building: 2 + SPACE,
  max_buildings_per_account: 1 + SPACE,
  max_keys_per_account: 2 + SPACE,
}

describe.each(ENGINES)('ten requests at the same moment on %s', (engine) => {
  let world: World
  let other: Store
  beforeAll(async () => {
    world = await openSite(engine)
    other = await world.test.openAgain()
  })
  afterAll(async () => {
    await other.close()
    await world.close()
  })

  /** Half of them in another process. */
  async function expectSpaceKept(add: (store: Store, n: number) => Promise<unknown>): Promise<void> {
    const all = Array.from({ length: 10 }, (_, n) => add(n % 2 ? other : world.store, n))
    const results = await Promise.allSettled(all)
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
    expect(refused).toHaveLength(10 - SPACE)
    for (const reason of refused) expect(reason).toMatchObject({ code: 'quota_reached' })
  }

  const names = 'abcdefghij'
  const building = () => world.holder.buildingId
  const owner = () => world.holder.accountId

  test('keep the quota of keys', () =>
    expectSpaceKept((store) =>
      createKey(store, world.clock, { accountId: owner(), name: 'k', permission: 'read', expiresAt: null }, MORE),
    ))

  test('keep the quota of gateways', () =>
    expectSpaceKept((store, n) =>
      addGateway(store, world.clock, { buildingId: building(), name: names[n] ?? '' }, MORE),
    ))

  test('keep the quota of rooms', () =>
    expectSpaceKept((store, n) =>
      addRoom(
        store,
        world.clock,
        building(),
        { name: names[n] ?? '', floor_type: 'dry', sensor_id: BATHROOM_SENSOR, valves: [] },
        MORE,
      ),
    ))

  test('keep the quota of buildings', () =>
    expectSpaceKept((store, n) =>
      addBuilding(
        store,
        world.clock,
        owner(),
        { name: names[n] ?? '', location: HOUSE.location, timezone: HOUSE.timezone },
        MORE,
      ),
    ))

  test('keep the quota of sensors, also when two processes hear new ones', async () => {
    const [gatewayId = ''] = world.holder.gatewayIds
    const hear = async (store: Store, n: number) => {
      const id = `ee:${10 + n}`
      const sensors = await knownSensors(store, new Set([building()]), MORE.max_sensors_per_building)
      const envelope = { boot: 'b', n, readings: [{ id, temperature: 20, timestamp: timestampOf(world.clock.now()) }] }
      const receivedAt = world.clock.now()
      const message = { gatewayId, buildingId: building(), receivedAt, latestMs: receivedAt, clockOk: true, envelope }
      return { store, ...intakeOf(intakeStatements(store), message as ReadingsMessage, sensors) }
    }
    // All have looked before one writes.
    const heard = await Promise.all([...names].map((_, n) => hear(n % 2 ? other : world.store, n)))
    const writing = heard.map(({ store, queries, limits }) =>
      store.batchEach([...store.statements.lockBuildings(new Set([building()])), { queries, limits }]),
    )
    const results = (await Promise.all(writing)).map((each) => each.at(-1)?.status)
    expect(results.filter((status) => status === 'fulfilled')).toHaveLength(SPACE)
    const late = await hear(world.store, names.length)
    expect(late.dropped).toEqual(['too_many_sensors'])
  })
})
