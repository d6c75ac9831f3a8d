import { programmeOfNight } from '@hypocaust/domain'
import { logOf } from '@hypocaust/testing/change-log.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { settleMember } from '@hypocaust/testing/members.ts'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changeRoom } from '../src/house/rooms/manage.ts'
import { createKey } from '../src/people/keys/keys.ts'

const PROGRAMME = {
  monday: [
    { at: '05:30', setback: 0 },
    { at: '22:30', setback: 3 },
  ],
  dates: [{ date: '2026-12-24', follows: 'monday' }],
}

const TANK = { volume_l: 250, temperature: 53, tap_temperature: 42, people: 3, times: [], disinfection: 62 }

describe.each(ENGINES)('the interface of the heating control on %s', (engine) => {
  let world: World
  let writeKey: string
  let readKey: string
  const changed: string[] = []

  beforeAll(async () => {
    world = await openWorld(engine, {
      limits: { read: 100, write: 100 },
      onBuildingChanged: (id) => void changed.push(id),
    })
    writeKey = await keyOf('write')
    readKey = await keyOf('read')
  })
  afterAll(() => world.close())

  const keyOf = async (permission: 'read' | 'write', accountId = world.holder.accountId) =>
    (
      await createKey(world.store, world.clock, {
        accountId,
        name: permission,
        permission,
        expiresAt: null,
        control: true,
      })
    ).value
  const building = (rest = '') => `/control${world.buildingPath}${rest}`
  const bathroom = (rest: string) => `/control${world.bathroomPath}/${rest}`
  const get = (path: string, key = readKey) => world.call('GET', path, { key })
  const write = (method: 'PUT' | 'PATCH' | 'POST' | 'DELETE', path: string, body?: unknown, key = writeKey) =>
    world.call(method, path, { key, body })

  test('a programme is set, read, copied and removed, and the control follows', async () => {
    expect((await get(bathroom('programme'))).text).toBe('null')
    changed.length = 0
    expect(await write('PUT', bathroom('programme'), PROGRAMME)).toMatchObject({ status: 200, json: PROGRAMME })
    expect(changed).toEqual([world.holder.buildingId])
    const read = await get(bathroom('programme'))
    expect(read.json).toEqual(PROGRAMME)
    const [, other = ''] = world.holder.roomIds
    const copied = await write('POST', bathroom('programme/copies'), { room_ids: [other.toUpperCase()] })
    expect(copied).toMatchObject({ status: 200, json: { room_ids: [other] } })
    expect((await get(`/control${world.roomsPath}/${other}/programme`)).json).toEqual(PROGRAMME)
    expect((await write('DELETE', bathroom('programme'))).text).toBe('null')
    expect((await get(bathroom('programme'))).text).toBe('null')
    const entries = await logOf(world.store, world.holder.buildingId)
    expect(entries.filter(({ field }) => field === 'programme').map(({ actorKind }) => actorKind)).toEqual([
      'key',
      'key',
      'key',
    ])
  })

  test.each([
    ['PUT', 'programme', () => bathroom('programme'), PROGRAMME, { tuesday: PROGRAMME.monday }, null],
    [
      'PATCH',
      'comfort',
      () => bathroom('comfort'),
      { comfort_band: 0.7 },
      { comfort_band: 0.8 },
      { comfort_band: 0.5 },
    ],
    [
      'PUT',
      'comfort',
      () => building('/comfort'),
      { comfort: 'saving' },
      { comfort: 'comfort_first' },
      { comfort: 'balanced' },
    ],
    [
      'PUT',
      'hot water',
      () => building('/hot-water'),
      { settings: TANK },
      { settings: { ...TANK, people: 5 } },
      { settings: null },
    ],
  ] as const)(
    '%s %s is made only of what the caller has seen, one of many',
    async (method, _what, at, body, other, before) => {
      const tag = async () => String((await get(at())).headers.etag)
      const send = (sent: unknown, ifMatch: string, by: 'PUT' | 'PATCH' | 'DELETE' = method) =>
        world.call(by, at(), { key: writeKey, headers: { 'if-match': ifMatch }, body: sent })
      const seen = await tag()
      const answers = await Promise.all([body, other, body].map((sent) => send(sent, seen)))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412])
      expect(answers.find(({ status }) => status === 412)?.json.error.code).toBe('precondition_failed')
      expect((await send(other, seen)).status).toBe(412)
      expect((await send(other, await tag())).status).toBe(200)
      expect((await get(at())).json).toMatchObject(other)
      expect((await send(body, '*')).status).toBe(200)
      if (before) return void (await send(before, '*'))
      expect((await send(undefined, seen, 'DELETE')).status).toBe(412)
      expect((await send(undefined, await tag(), 'DELETE')).status).toBe(200)
      expect((await get(at())).json).toBeNull()
    },
  )

  test('PUT cooling is made only of what the caller has seen, one of two', async () => {
    const at = building('/cooling')
    const tag = async () => String((await get(at)).headers.etag)
    const send = (season: string, ifMatch: string) =>
      world.call('PUT', at, { key: writeKey, headers: { 'if-match': ifMatch }, body: { season } })
    const seen = await tag()
    const seasons = ['cooling', 'automatic']
    const statuses = await Promise.all(seasons.map(async (season) => (await send(season, seen)).status))
    expect(statuses.toSorted()).toEqual([200, 412])
    const made = seasons[statuses.indexOf(200)] ?? ''
    for (const season of [...seasons, 'heating'])
      expect((await send(season, seen)).json.error.code).toBe('precondition_failed')
    expect((await get(at)).json).toMatchObject({ season: made })
    expect((await send('heating', await tag())).json).toMatchObject({ season: 'heating' })
    expect((await send('heating', '*')).status).toBe(200)
  })

  test('a copy cannot depend on a tag, and says so', async () => {
    const [, other = ''] = world.holder.roomIds
    const headers = { 'if-match': '*' }
    const call = { key: writeKey, headers, body: { room_ids: [other] } }
    const { status, json } = await world.call('POST', bathroom('programme/copies'), call)
    expect([status, json.error]).toEqual([
      400,
      { code: 'invalid_value', message: 'If-Match cannot be used with this request.' },
    ])
  })

  test('a night mode is shown as the programme that it is', async () => {
    const night = { from: '22:00', to: '06:00', setback: 2 }
    const scope = { buildingId: world.holder.buildingId, roomId: world.bathroomId }
    await changeRoom(world.store, world.clock, scope, { night_mode: night })
    expect((await get(bathroom('programme'))).json).toEqual(programmeOfNight(night))
    await write('DELETE', bathroom('programme'))
  })

  test('comfort is read and changed, and the type of floor is read only', async () => {
    const before = (await get(bathroom('comfort'))).json
    expect(before).toMatchObject({ comfort_band: 0.5, floor_type: expect.any(String) })
    expect((await write('PATCH', bathroom('comfort'), { comfort_band: 0.8 })).json).toEqual({
      ...before,
      comfort_band: 0.8,
    })
    expect((await write('PATCH', bathroom('comfort'), { floor_type: 'slab' })).json.error.code).toBe('unknown_field')
    expect((await get(building('/comfort'))).json).toEqual({ comfort: 'balanced' })
    expect((await write('PUT', building('/comfort'), { comfort: 'saving' })).json).toEqual({ comfort: 'saving' })
    expect((await get(building('/comfort'))).json).toEqual({ comfort: 'saving' })
  })

  test('a key opens it only if its holder chose that, and the two permissions stay two', async () => {
    for (const key of [world.holder.readKey, world.holder.writeKey]) {
      const refused = await get(bathroom('programme'), key)
      expect([refused.status, refused.json.error.code]).toEqual([403, 'not_permitted'])
    }
    const readOnly = await write('PUT', bathroom('programme'), PROGRAMME, readKey)
    expect(readOnly.json.error.code).toBe('read_only_key')
    expect((await get(world.roomsPath)).status).toBe(200)
  })

  test('what a stranger names does not exist, also for a key without a body that could be judged', async () => {
    const stranger = await keyOf('write', world.stranger.accountId)
    for (const answer of [
      await get(bathroom('programme'), stranger),
      await write('PUT', bathroom('programme'), { nonsense: 1 }, stranger),
      await write('POST', bathroom('programme/copies'), { room_ids: [world.stranger.roomIds[0]] }),
    ])
      expect([answer.status, answer.json.error.code]).toEqual([404, 'not_found'])
  })

  test('an installer may change the limit of the floor and not the programme', async () => {
    const { store, clock, holder } = world
    const email = 'ines@example.org'
    await settleMember(store, clock, { buildingId: holder.buildingId, email, role: 'installer' })
    const { id } = await store.db.selectFrom('user').select('id').where('email', '=', email).executeTakeFirstOrThrow()
    const key = await keyOf('write', id)
    expect((await write('PATCH', bathroom('comfort'), { max_floor_temperature: 27 }, key)).status).toBe(200)
    for (const refused of [
      await write('PATCH', bathroom('comfort'), { comfort_band: 1 }, key),
      await write('PUT', bathroom('programme'), PROGRAMME, key),
    ])
      expect(refused.json.error.code).toBe('not_permitted')
  })

  test.each([
    [{}, 'invalid_value', /at least one step/],
    [{ moonday: [] }, 'unknown_field', /moonday/],
    [{ monday: [{ at: '25:00', setback: 0 }] }, 'invalid_value', /monday/],
    [{ monday: [{ at: '08:00', setback: 11 }] }, 'invalid_value', /setback/],
    [{ monday: PROGRAMME.monday.toReversed() }, 'invalid_value', /later than the step before/],
    [[], 'invalid_body', /object/],
  ])('a programme %j is refused', async (body, code, about) => {
    const { status, json } = await write('PUT', bathroom('programme'), body)
    expect([status, json.error.code]).toEqual([400, code])
    expect(json.error.message).toMatch(about)
  })

  test('answers have the headers of /v1: tags, limits and open origins', async () => {
    const { headers } = await get(bathroom('comfort'))
    expect(headers).toMatchObject({ etag: expect.any(String), 'access-control-allow-origin': '*' })
    expect(headers['ratelimit-policy']).toMatch(/"read"/)
    const again = await world.call('GET', bathroom('comfort'), {
      key: readKey,
      headers: { 'if-none-match': headers.etag ?? '' },
    })
    expect(again.status).toBe(304)
    expect((await world.call('OPTIONS', bathroom('comfort'))).status).toBe(204)
    expect((await world.call('POST', bathroom('comfort'), { key: writeKey, body: {} })).status).toBe(405)
    expect((await get('/control/v1/nowhere')).json.error.code).toBe('not_found')
  })

  test('its document describes it and nothing of /v1, and that of /v1 nothing of it', async () => {
    const document = (await world.call('GET', '/control/openapi.json')).json
    expect(Object.keys(document.paths).every((path) => path.startsWith('/control/v1/'))).toBe(true)
    expect(Object.keys(document.paths)).toHaveLength(11)
    expect(Object.keys(document.components.schemas).sort()).toEqual(
      [
        ...['BuildingComfort', 'Calendar', 'CalendarPut', 'Calendars', 'Cooling', 'CoolingPut', 'Error'],
        ...['FleetFlexibility', 'Flexibility'],
        ...['HotWater', 'HotWaterPut', 'Programme', 'ProgrammeCalendar', 'ProgrammeCopies'],
        ...['RoomComfort', 'RoomComfortPatch'],
      ].sort(),
    )
    const main = (await world.call('GET', '/openapi.json')).json
    expect(Object.keys(main.paths).filter((path) => path.startsWith('/control'))).toEqual([])
    expect(Object.keys(main.components.schemas)).not.toContain('Programme')
  })
})
