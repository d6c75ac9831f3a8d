import { HOUR_MS } from '@hypocaust/domain'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { furnish, STRANGERS_HOUSE } from '@hypocaust/testing/houses.ts'
import { settleMember } from '@hypocaust/testing/members.ts'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changeBuilding, removeBuilding } from '../src/house/buildings/manage.ts'
import { actingAs } from '../src/house/change-log/actor.ts'
import { changeRoom } from '../src/house/rooms/manage.ts'

interface Entry {
  building_id: string
  sequence: number
  room_id: string | null
  field: string
  after: unknown
}

describe.each(ENGINES)('the log of changes on %s', (engine) => {
  let world: World
  beforeAll(async () => {
    world = await openWorld(engine, { limits: { read: 10_000, write: 10_000 } })
  })
  afterAll(() => world.close())

  const log = async (query = '', key = world.holder.readKey) => (await world.get(`/v1/log${query}`, { key })).json
  const latest = async (): Promise<Entry> => (await log()).entries[0]
  const scope = () => ({ buildingId: world.holder.buildingId, roomId: world.bathroomId })
  const ada = { kind: 'person', name: 'ada@example.org', role: 'owner' } as const

  test('has what was changed by whom, in the form of /v1', async () => {
    const { buildingId } = world.holder
    await world.patch({ target_temperature: 23 })
    expect(await latest()).toMatchObject({
      ...{ building_id: buildingId, room_id: world.bathroomId, subject: 'Bathroom' },
      ...{ field: 'target_temperature', before: 20, after: 23 },
      by: { kind: 'key', name: 'write key', role: 'owner' },
    })
    await world.patch({ hvac_mode: 'off' })
    expect(await latest()).toMatchObject({ field: 'manual_power', after: { enabled: true, power: 0 } })
    await world.patch({ hvac_mode: 'heat', preset_mode: 'low' })
    const [until, key] = [new Date(world.clock.now() + HOUR_MS).toISOString(), world.holder.writeKey]
    const override = { target_temperature: 24, until }
    await world.call('PUT', `${world.bathroomPath}/override`, { key, body: override })
    expect(await latest()).toMatchObject({ field: 'override', before: null, after: override })
    const away = { from: until, until: null, target_temperature: 15 }
    await world.call('PUT', `${world.buildingPath}/away`, { key, body: away })
    expect(await latest()).toMatchObject({ field: 'away', room_id: null, before: null, after: away })
  })

  test('does not name people', async () => {
    await actingAs(ada, () => changeRoom(world.store, world.clock, scope(), { target_temperature: 19 }))
    const { entries } = await log(`?room_id=${world.bathroomId}`)
    expect(entries.find(({ field }: Entry) => field === 'target_temperature')).toMatchObject({
      ...{ by: { kind: 'person', name: null, role: 'owner' }, after: 19 },
    })
    expect(JSON.stringify(await log())).not.toContain('@')
  })

  test('has nothing that /v1 does not show', async () => {
    const before = await latest()
    const change = (patch: object) => changeRoom(world.store, world.clock, scope(), patch)
    await change({ comfort_band: 1.5 })
    await change({ floor_type: 'dry' })
    await change({ night_mode: { from: '22:00', to: '06:00', setback: 2 } })
    await changeBuilding(world.store, world.clock, world.holder.buildingId, { comfort: 'saving' })
    expect(await latest()).toEqual(before)
  })

  test('is read page by page, of several buildings, without a gap and nothing twice', async () => {
    const { accountId } = world.holder
    const second = await furnish(world.store, world.clock, accountId, STRANGERS_HOUSE)
    const secondRoom = { buildingId: second.buildingId, roomId: second.roomIds[0] as string }
    for (let i = 0; i < 130; i++) {
      world.clock.advance(1000)
      await changeRoom(world.store, world.clock, i % 3 ? scope() : secondRoom, { target_temperature: 10 + i / 10 })
    }
    const all: Entry[] = []
    for (let query = ''; ; ) {
      const { entries, next } = await log(query)
      all.push(...entries)
      if (next === null) break
      expect(entries).toHaveLength(100)
      query = `?before=${next}`
    }
    const targets = all.slice(0, 130).map(({ after }) => after)
    expect(targets).toEqual(Array.from({ length: 130 }, (_, i) => 10 + (129 - i) / 10))
    const names = all.map(({ building_id: id, sequence }) => `${id} ${sequence}`)
    expect(new Set(names).size).toBe(names.length)
    const ofOne = (await log(`?building_id=${second.buildingId.toUpperCase()}`)).entries
    expect(new Set(ofOne.map((entry: Entry) => entry.building_id))).toEqual(new Set([second.buildingId]))
    const ofRoom = (await log(`?room_id=${world.bathroomId}`)).entries
    expect(new Set(ofRoom.map((entry: Entry) => entry.room_id))).toEqual(new Set([world.bathroomId]))
    await removeBuilding(world.store, second.buildingId)
  })

  test('is of the buildings that the key reaches, where its holder’s role may see it', async () => {
    const { store, clock, holder, stranger } = world
    const { buildingId } = holder
    const strangers = (await log('', stranger.readKey)).entries
    expect(strangers.filter((entry: Entry) => entry.building_id === buildingId)).toEqual([])
    expect((await log(`?building_id=${buildingId}`, stranger.readKey)).error.code).toBe('not_found')
    const roomIds = holder.roomIds.slice(0, 1)
    const guest = await settleMember(store, clock, { buildingId, email: 'guest@example.org', role: 'guest', roomIds })
    expect(await log('', guest.writeKey)).toEqual({ entries: [], next: null })
    expect((await log(`?building_id=${buildingId}`, guest.writeKey)).error.code).toBe('not_permitted')
    const resident = await settleMember(store, clock, { buildingId, email: 'eve@example.org', role: 'resident' })
    expect((await log('', resident.writeKey)).entries.length).toBeGreaterThan(0)
  })

  test.each(['x', 'e30x', Buffer.from('[1.5]').toString('base64url'), Buffer.from('7').toString('base64url')])(
    'before=%s is refused',
    async (before) => {
      expect((await log(`?before=${before}`)).error).toEqual({
        code: 'invalid_value',
        message: 'before must be next of an earlier page.',
      })
    },
  )
})
