import { type HouseCalendar, type HouseFile, type HouseRoom, MOST_CALENDARS } from '@hypocaust/domain'
import { logOf } from '@hypocaust/testing/change-log.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { BATHROOM_SENSOR, HOUSE, STRANGERS_SENSOR } from '@hypocaust/testing/houses.ts'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applyHouse } from '../src/house/buildings/apply.ts'
import { parseHouseFile } from '../src/house/buildings/house-file.ts'
import { appRoomsOf } from '../src/house/rooms/app-rooms.ts'
import { changeRoom } from '../src/house/rooms/manage.ts'

const [bathroom, livingRoom] = HOUSE.rooms as [HouseRoom, HouseRoom]
const KEEP = { overwriteSettings: false, prune: false }

describe.each(ENGINES)('applying a house on %s', (engine) => {
  let world: World
  let made = 0
  beforeAll(async () => {
    world = await openWorld(engine)
  })
  afterAll(() => world.close())

  const apply = (house: HouseFile, options: Partial<typeof KEEP> = {}) =>
    applyHouse(world.store, world.clock, house, { accountId: world.holder.accountId, ...KEEP, ...options })

  /** A house of its own for each test, with sensors nobody has. */
  const newHouse = (): HouseFile => {
    const number = (++made).toString(16).padStart(2, '0')
    return {
      ...HOUSE,
      name: `House ${number}`,
      rooms: [
        { ...bathroom, sensor: `aa:00:${number}:01` },
        { ...livingRoom, sensor: `aa:00:${number}:02` },
      ],
    }
  }

  const roomsOf = async (buildingId: string) => (await world.get(`/v1/buildings/${buildingId}/rooms`)).json
  const patch = (buildingId: string, roomId: string | undefined, body: object) =>
    world.call('PATCH', `/v1/buildings/${buildingId}/rooms/${roomId}`, { key: world.holder.writeKey, body })
  const valvesOf = (roomId: string | undefined) =>
    world.store.db
      .selectFrom('valves')
      .select('channel')
      .where('roomId', '=', roomId ?? '')
      .orderBy('channel')
      .execute()
      .then((rows) => rows.map(({ channel }) => channel))

  test('creates the building, its rooms and its gateways, whose tokens are shown now', async () => {
    const applied = await apply(newHouse())
    expect(applied.rooms.map(({ name }) => name)).toEqual(['Bathroom', 'Living room'])
    expect(applied.gateways.map(({ name }) => name)).toEqual(['cellar', 'attic'])
    for (const { token } of applied.gateways) expect(token).toMatch(/^hypg_/)
    expect((await roomsOf(applied.building.id)).length).toBe(2)
  })

  test('applied twice changes nothing, and tells no token again', async () => {
    const house = newHouse()
    const first = await apply(house)
    const before = await roomsOf(first.building.id)
    const second = await apply(house)
    expect(second).toEqual({ ...first, gateways: first.gateways.map(({ id, name }) => ({ id, name })) })
    expect(await roomsOf(first.building.id)).toEqual(before)
  })

  test('finds a renamed room again by its key, and keeps name, target and preset of daily life', async () => {
    const house = newHouse()
    const { building, rooms } = await apply(house)
    await patch(building.id, rooms[0]?.id, { name: 'Spa', target_temperature: 25, preset_mode: 'high' })
    const again = await apply({ ...house, rooms: [{ ...bathroom, ...house.rooms[0], target_temperature: 19 }] })
    expect(again.rooms).toEqual([{ id: rooms[0]?.id, name: 'Spa' }])
    const [room] = await roomsOf(building.id)
    expect(room).toMatchObject({ name: 'Spa', target_temperature: 25, preset_mode: 'high' })
  })

  test('an explicit key lets the file rename what it describes', async () => {
    const house = newHouse()
    const { rooms } = await apply(house)
    const [first, second] = house.rooms as [HouseRoom, HouseRoom]
    const again = await apply({ ...house, rooms: [{ ...first, key: 'bathroom', name: 'Wet room' }, second] })
    expect(again.rooms[0]?.id).toBe(rooms[0]?.id)
  })

  test('with --overwrite-settings takes name, target and preset from the file', async () => {
    const house = newHouse()
    const { building, rooms } = await apply(house)
    await patch(building.id, rooms[0]?.id, { name: 'Spa', target_temperature: 25, preset_mode: 'high' })
    await apply(house, { overwriteSettings: true })
    const [room] = await roomsOf(building.id)
    expect(room).toMatchObject({ name: 'Bathroom', target_temperature: 20, preset_mode: 'none' })
  })

  test('takes a programme from the file, and leaves one of daily life where the file has none', async () => {
    const house = newHouse()
    const [first, second] = house.rooms as [HouseRoom, HouseRoom]
    const { building, rooms } = await apply(house)
    const roomId = rooms[0]?.id ?? ''
    const own = {
      monday: [
        { at: '06:00', setback: 0 },
        { at: '22:00', setback: 2 },
      ],
    }
    await changeRoom(world.store, world.clock, { buildingId: building.id, roomId }, { programme: own })
    const programmeNow = async () => (await appRoomsOf(world.store, building.id, world.clock.now()))[0]?.programme
    await apply(house)
    expect(await programmeNow()).toEqual(own)
    const given = { sunday: [{ at: '07:00', setback: 1 }] }
    await apply({ ...house, rooms: [{ ...first, programme: given }, second] })
    expect(await programmeNow()).toEqual(given)
    await apply(house, { overwriteSettings: true })
    expect(await programmeNow()).toBeNull()
  })

  const family: HouseCalendar = {
    name: 'Family',
    address: 'https://calendar.example.org/a.ics',
    rules: [
      { title: 'Holiday', effect: 'away', target_temperature: 17 },
      { title: 'Guests', effect: 'day', follows: 'saturday', rooms: ['Living room'] },
    ],
  }
  const calendarsIn = (buildingId: string) =>
    world.store.db
      .selectFrom('calendars')
      .select(['id', 'name', 'address', 'rules', 'occurrences', 'version'])
      .where('buildingId', '=', buildingId)
      .orderBy('name')
      .execute()
  const read = { unreadable: 0, list: [] }
  const markRead = (id: string) =>
    world.store.db
      .updateTable('calendars')
      .set({ occurrences: JSON.stringify(read) })
      .where('id', '=', id)
      .execute()

  test('adds the calendars of the file, with rules for its rooms, and leaves them where the file has none', async () => {
    const { building, rooms } = await apply({ ...newHouse(), calendars: [family] })
    const [calendar] = await calendarsIn(building.id)
    expect(calendar).toMatchObject({ name: 'Family', address: family.address, occurrences: null })
    expect(JSON.parse(calendar?.rules ?? '')).toEqual([
      { title: 'Holiday', effect: 'away', target_temperature: 17, room_ids: null },
      { title: 'Guests', effect: 'day', follows: 'saturday', room_ids: [rooms[1]?.id] },
    ])
    const log = await logOf(world.store, building.id)
    expect(log).toContainEqual(expect.objectContaining({ field: 'calendar', after: ['Family'] }))
  })

  test('reads a calendar anew only where its address has changed, and keeps all of them where the file has none', async () => {
    const house = newHouse()
    const { building } = await apply({ ...house, calendars: [family] })
    const [first] = await calendarsIn(building.id)
    await markRead(first?.id ?? '')
    await apply({ ...house, calendars: [family] })
    await apply(house, { overwriteSettings: true, prune: true })
    expect(await calendarsIn(building.id)).toEqual([{ ...first, occurrences: JSON.stringify(read) }])
    await apply({ ...house, calendars: [{ ...family, name: 'FAMILY', rules: [] }] })
    expect(await calendarsIn(building.id)).toMatchObject([
      { id: first?.id, name: 'FAMILY', rules: '[]', occurrences: JSON.stringify(read) },
    ])
    await apply({ ...house, calendars: [{ ...family, address: 'webcal://calendar.example.org/b.ics' }] })
    expect(await calendarsIn(building.id)).toMatchObject([
      { id: first?.id, address: 'https://calendar.example.org/b.ics', occurrences: null },
    ])
  })

  test('with --prune removes calendars that the file does not name, which makes room for others', async () => {
    const house = newHouse()
    const named = (prefix: string) =>
      Array.from({ length: MOST_CALENDARS }, (_, i) => ({ ...family, name: `${prefix} ${i}` }))
    const { building } = await apply({ ...house, calendars: named('Old') })
    await expect(apply({ ...house, calendars: named('New') })).rejects.toThrow('at most 8 calendars')
    await apply({ ...house, calendars: named('New') }, { prune: true })
    expect((await calendarsIn(building.id)).map(({ name }) => name)).toEqual(named('New').map(({ name }) => name))
  })

  test('a rule names its rooms by their names or keys, and calendars are kept apart in every script', async () => {
    const house = newHouse()
    const [first, second] = house.rooms as [HouseRoom, HouseRoom]
    const keyed = {
      ...house,
      rooms: [
        { ...first, key: 'wet' },
        { ...second, name: '客厅' },
      ],
    }
    const rules = [{ title: '', effect: 'comfort' as const, rooms: ['Bathroom', 'wet', '客厅'] }]
    const calendars = ['家族', '学校'].map((name, i) => ({ name, address: `${family.address}?${i}`, rules }))
    expect(parseHouseFile(JSON.stringify({ ...keyed, calendars }))).toMatchObject({ ok: true })
    const { building, rooms } = await apply({ ...keyed, calendars })
    await apply({ ...keyed, calendars: calendars.toReversed() })
    const applied = await calendarsIn(building.id)
    expect(applied.map(({ name, version }) => [name, version])).toEqual([
      ['学校', 0],
      ['家族', 0],
    ])
    const [wet, living] = rooms.map(({ id }) => id)
    expect(JSON.parse(applied[0]?.rules ?? '')).toMatchObject([{ room_ids: [wet, wet, living] }])
  })

  test('an address keeps nothing that cannot be stored', async () => {
    const calendars = [{ ...family, address: `${family.address}?a=\0b` }]
    const { building } = await apply({ ...newHouse(), calendars })
    expect(await calendarsIn(building.id)).toMatchObject([{ address: `${family.address}?a=%00b` }])
  })

  test('what a calendar asks for ends with its rule', async () => {
    const house = newHouse()
    const { building } = await apply({ ...house, calendars: [family] })
    const [calendar] = await calendarsIn(building.id)
    const nowMs = world.clock.now()
    const event = { title: 'Holiday', fromMs: nowMs, untilMs: nowMs + 7_200_000, isAllDay: false }
    const occurrences = JSON.stringify({ unreadable: 0, list: [event] })
    await world.store.db
      .updateTable('calendars')
      .set({ occurrences })
      .where('id', '=', calendar?.id ?? '')
      .execute()
    const wishes = async () =>
      world.store.db
        .selectFrom('buildings')
        .select('calendarWishes')
        .where('id', '=', building.id)
        .executeTakeFirstOrThrow()
    await apply({ ...house, calendars: [family] })
    expect((await wishes()).calendarWishes).toContain('17')
    await apply({ ...house, calendars: [{ ...family, rules: [] }] })
    expect((await wishes()).calendarWishes).toBeNull()
  })

  test('refuses a calendar of a private address, and writes nothing', async () => {
    const house = { ...newHouse(), calendars: [{ ...family, address: 'http://192.168.1.9/a.ics' }] }
    await expect(apply(house)).rejects.toThrow('The calendar Family: address must be an https address')
    const found = await world.store.db.selectFrom('buildings').select('id').where('name', '=', house.name).execute()
    expect(found).toEqual([])
  })

  test('never touches what the holder switched off', async () => {
    const house = newHouse()
    const { building, rooms } = await apply(house)
    await patch(building.id, rooms[0]?.id, { hvac_mode: 'off' })
    await apply(house, { overwriteSettings: true })
    expect((await roomsOf(building.id))[0].hvac_mode).toBe('off')
  })

  test('changes the structure: sensor, valves, order', async () => {
    const house = newHouse()
    const { building, rooms } = await apply(house)
    const [first, second] = house.rooms as [HouseRoom, HouseRoom]
    const moved = { ...first, sensor: 'AA:00:FF:09', valves: [{ gateway: 'attic', channel: 7 }] }
    await apply({ ...house, rooms: [second, moved] })
    const now = await roomsOf(building.id)
    expect(now.map(({ name }: { name: string }) => name)).toEqual(['Living room', 'Bathroom'])
    expect(now[1].sensor_id).toBe('aa:00:ff:09')
    expect(await valvesOf(rooms[0]?.id)).toEqual([7])
  })

  test('a valve may move from one room to another', async () => {
    const house = newHouse()
    const { rooms } = await apply(house)
    const [first, second] = house.rooms as [HouseRoom, HouseRoom]
    await apply({
      ...house,
      rooms: [
        { ...first, valves: second.valves },
        { ...second, valves: first.valves },
      ],
    })
    expect([await valvesOf(rooms[0]?.id), await valvesOf(rooms[1]?.id)]).toEqual([[2], [1]])
  })

  test('deletes nothing the file has left out', async () => {
    const house = newHouse()
    const { building } = await apply(house)
    await apply({ ...house, gateways: [], rooms: [] })
    expect((await roomsOf(building.id)).length).toBe(2)
  })

  test('with --prune deletes rooms and gateways the file has left out, and only of this building', async () => {
    const house = newHouse()
    const { building, rooms } = await apply(house)
    const kept = { ...house, gateways: [{ name: 'cellar' }], rooms: house.rooms.slice(0, 1) }
    await apply(kept, { prune: true })
    expect((await roomsOf(building.id)).map(({ id }: { id: string }) => id)).toEqual([rooms[0]?.id])
    const left = await world.store.db
      .selectFrom('gateways')
      .select('name')
      .where('buildingId', '=', building.id)
      .execute()
    expect(left).toEqual([{ name: 'cellar' }])
    expect((await world.get(world.roomsPath)).json.length).toBe(2)
  })

  test('a sensor that another building has too is its own in each, and nothing tells of the other', async () => {
    const house = newHouse()
    const applied = await apply({
      ...house,
      rooms: [{ ...bathroom, sensor: STRANGERS_SENSOR, floor_sensor: BATHROOM_SENSOR }],
    })
    const rooms = (await world.get(`/v1/buildings/${applied.building.id}/rooms`)).json
    expect(rooms).toMatchObject([{ sensor_id: STRANGERS_SENSOR, sensor: null }])
  })

  test('two accounts may each have a house of the same name', async () => {
    const { accountId, buildingId } = world.stranger
    const theirs = await applyHouse(
      world.store,
      world.clock,
      { ...newHouse(), name: 'Lakeside 12' },
      { accountId, ...KEEP },
    )
    expect([buildingId, world.holder.buildingId]).not.toContain(theirs.building.id)
  })
})
