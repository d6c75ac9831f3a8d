import { ENGINES } from '@hypocaust/testing/database.ts'
import { STRANGERS_SENSOR } from '@hypocaust/testing/houses.ts'
import { settleMember } from '@hypocaust/testing/members.ts'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addRoom, copyPlan, patchRooms } from '../src/house/rooms/manage.ts'
import type { Store } from '../src/store/store.ts'

describe.each(ENGINES)('a change of several rooms on %s', (engine) => {
  let world: World
  beforeAll(async () => {
    world = await openWorld(engine)
  })
  beforeEach(() => world.reset())
  afterAll(() => world.close())

  const patch = (rooms: unknown, key = world.holder.writeKey, headers = {}) =>
    world.call('PATCH', world.roomsPath, { key, body: { rooms }, headers })
  const rooms = async () => (await world.get(world.roomsPath)).json
  const ids = () => world.holder.roomIds as [string, string]

  test('changes each as its own request would, and answers with the rooms in the order sent', async () => {
    const [first, second] = ids()
    const answer = await patch([
      { id: second.toUpperCase(), hvac_mode: 'off' },
      { id: first, target_temperature: 23, preset_mode: 'low' },
    ])
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual([
      expect.objectContaining({ id: second, hvac_mode: 'off', manual_power: { enabled: true, power: 0 }, power: 0 }),
      expect.objectContaining({ id: first, target_temperature: 23, preset_mode: 'low', hvac_mode: 'heat' }),
    ])
    const byId = (list: { id: string }[]) => list.toSorted((a, b) => a.id.localeCompare(b.id))
    expect(byId((await rooms()).filter(({ id }: { id: string }) => [first, second].includes(id)))).toEqual(
      byId(answer.json),
    )
    await patch([{ id: second, hvac_mode: 'heat' }])
  })

  test.each([
    ['a value out of range', { target_temperature: 36 }, 400, 'invalid_value', 'rooms.1.target_temperature'],
    ['a field that cannot be written', { power: 1 }, 400, 'unknown_field', 'rooms.1.power'],
    ['a setting of the heating control', { comfort_band: 1 }, 400, 'unknown_field', 'comfort_band'],
    ['a sensor of another building', { sensor_id: STRANGERS_SENSOR }, 400, 'unknown_sensor', STRANGERS_SENSOR],
  ])('writes nothing where one has %s', async (_what, bad, status, code, named) => {
    const before = await rooms()
    const [first, second] = ids()
    const { status: sent, json } = await patch([
      { id: first, target_temperature: 24 },
      { id: second, ...bad },
    ])
    expect([sent, json.error.code]).toEqual([status, code])
    expect(json.error.message).toContain(named)
    expect(await rooms()).toEqual(before)
  })

  test('writes nothing where a room is not there, is another’s, or is named twice', async () => {
    const before = await rooms()
    const [first] = ids()
    const [foreign = ''] = world.stranger.roomIds
    for (const id of ['nowhere', foreign]) {
      const { status, json } = await patch([{ id: first, target_temperature: 24 }, { id }])
      expect([status, json.error.message]).toEqual([404, `No such room: ${id}`])
    }
    const twice = await patch([
      { id: first, target_temperature: 24 },
      { id: first.toUpperCase(), target_temperature: 25 },
    ])
    expect([twice.status, twice.json.error.message]).toEqual([400, `rooms: the room ${first} occurs twice.`])
    expect(await rooms()).toEqual(before)
  })

  test('writes nothing where a room is removed between the check and the write', async () => {
    const { store, clock, holder } = world
    const { buildingId } = holder
    const [first] = ids()
    const { sensor_id } = await world.bathroom()
    /** Another request comes first. */
    const losing = (roomId: string): Store =>
      Object.create(store, {
        batch: {
          value: async (...args: Parameters<Store['batch']>) => {
            await store.db.deleteFrom('rooms').where('id', '=', roomId).execute()
            return store.batch(...args)
          },
        },
      })
    const hall = () => addRoom(store, clock, buildingId, { name: 'Hall', floor_type: 'screed', sensor_id, valves: [] })
    const before = await rooms()

    const gone = await hall()
    const patches = [first, gone].map((roomId) => ({ roomId, patch: { target_temperature: 24 } }))
    await expect(patchRooms(losing(gone), clock, buildingId, patches)).rejects.toThrow(`No such room: ${gone}`)
    expect(await rooms()).toEqual(before)

    const also = await hall()
    const copied = copyPlan(losing(also), clock, { buildingId, roomId: first }, [also])
    await expect(copied).rejects.toThrow(`No such room: ${also}`)
  })

  test('takes one room at least and a hundred at most, and cannot depend on a tag', async () => {
    const [first] = ids()
    const many = Array.from({ length: 101 }, () => ({ id: first }))
    expect((await patch([])).json.error.message).toBe('rooms must have at least 1 entry.')
    expect((await patch(many)).json.error.message).toBe('rooms must have at most 100 entries.')
    const conditional = await patch([{ id: first }], world.holder.writeKey, { 'if-match': '*' })
    expect([conditional.status, conditional.json.error.code]).toEqual([400, 'invalid_value'])
  })

  test('needs a key that may write, and a role that may change all that is to be changed', async () => {
    const [first, second] = ids()
    const { store, clock, holder } = world
    const { buildingId } = holder
    expect((await patch([{ id: first }], holder.readKey)).json.error.code).toBe('read_only_key')
    expect((await patch([{ id: first }], world.stranger.writeKey)).status).toBe(404)
    const resident = await settleMember(store, clock, { buildingId, email: 'eve@example.org', role: 'resident' })
    const named = [
      { id: first, target_temperature: 24 },
      { id: second, name: 'Spa' },
    ]
    expect((await patch(named, resident.writeKey)).json.error.code).toBe('not_permitted')
    const roomIds = [first]
    const guest = await settleMember(store, clock, { buildingId, email: 'guest@example.org', role: 'guest', roomIds })
    const others = [
      { id: first, target_temperature: 24 },
      { id: second, target_temperature: 24 },
    ]
    expect((await patch(others, guest.writeKey)).json.error.message).toBe(`No such room: ${second}`)
    expect((await world.bathroom()).target_temperature).toBe(20)
    expect((await patch([{ id: first, target_temperature: 24 }], guest.writeKey)).status).toBe(200)
  })

  test('is one entry of the change log for each room', async () => {
    const [first, second] = ids()
    await patch([
      { id: first, target_temperature: 18 },
      { id: second, target_temperature: 18.5 },
    ])
    const { entries } = (await world.get('/v1/log')).json
    expect(
      entries.slice(0, 2).map(({ room_id, after }: { room_id: string; after: number }) => [room_id, after]),
    ).toEqual([
      [second, 18.5],
      [first, 18],
    ])
  })
})
