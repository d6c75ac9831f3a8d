import {
  answering,
  hangingUp,
  listeningWorld,
  type Observed,
  observedClient,
  serverThat,
  type Turn,
} from '@hypocaust/testing/client.ts'
import { BATHROOM_SENSOR } from '@hypocaust/testing/houses.ts'
import type { World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createKey } from '../../service/src/people/keys/keys.ts'
import { type HouseEvent, HypocaustClient, HypocaustError, type Snapshot } from '../src/index.ts'

let world: World & { url: string }
let reader: Observed
let writer: Observed

beforeAll(async () => {
  world = await listeningWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  await world.reset()
  reader = observedClient({ baseUrl: world.url, apiKey: world.holder.readKey })
  writer = observedClient({ baseUrl: world.url, apiKey: world.holder.writeKey })
})

const codeOf = async (call: Promise<unknown>) =>
  call.then(
    () => 'no error',
    (error: unknown) => (error instanceof HypocaustError ? error.code : error),
  )

describe('the methods', () => {
  test('are those of the two API documents, and no others but watch', async () => {
    const operationsOf = async (document: string) => {
      const { paths } = (await (await fetch(world.url + document)).json()) as {
        paths: Record<string, Record<string, { operationId: string }>>
      }
      return Object.values(paths).flatMap(({ head: _likeGet, ...methods }) =>
        Object.values(methods).map(({ operationId }) => operationId),
      )
    }
    const operations = (await Promise.all(['/openapi.json', '/control/openapi.json'].map(operationsOf))).flat()
    const methods = Object.getOwnPropertyNames(HypocaustClient.prototype).filter((name) => name !== 'constructor')
    expect(methods.sort()).toEqual([...operations, 'watch'].sort())
  })

  test('wait for a change elsewhere, and name the room', async () => {
    const { buildingId } = world.holder
    const { cursor } = await reader.client.getChanges()
    const waiting = reader.client.getChanges({ since: cursor, waitS: 50 })
    await writer.client.patchRoom(buildingId, world.bathroomId, { target_temperature: 23 })
    expect((await waiting).buildings).toEqual([{ id: buildingId, rooms: [world.bathroomId] }])
  })

  test('set the programme and the comfort of a room and its building', async () => {
    const { buildingId, accountId, roomIds } = world.holder
    const key = { accountId, name: 'control', permission: 'write', expiresAt: null, control: true } as const
    const { value: apiKey } = await createKey(world.store, world.clock, key)
    const { client } = observedClient({ baseUrl: world.url, apiKey })
    const room = [buildingId, world.bathroomId] as const
    const programme = { monday: [{ at: '05:30', setback: 0 }] }
    expect(await client.getProgramme(...room)).toBeNull()
    expect(await client.putProgramme(...room, programme, { ifUnchanged: true })).toEqual(programme)
    const copies = { room_ids: roomIds.slice(1) }
    expect(await client.copyProgramme(...room, copies)).toEqual(copies)
    expect(await client.getProgramme(buildingId, roomIds[1] ?? '')).toEqual(programme)
    await client.deleteProgramme(...room)
    const comfort = await client.patchRoomComfort(...room, { comfort_band: 0.4 })
    expect(await client.getRoomComfort(...room)).toEqual(comfort)
    expect(await client.putBuildingComfort(buildingId, { comfort: 'saving' })).toEqual({ comfort: 'saving' })
    expect(await client.getBuildingComfort(buildingId)).toEqual({ comfort: 'saving' })
    const cooling = await client.putCooling(buildingId, { season: 'automatic' })
    expect(cooling).toMatchObject({ season: 'automatic', state: { season: 'heating' } })
    expect(await client.getCooling(buildingId)).toEqual(cooling)
  })

  test('set and end an override and an absence, and read the outlook', async () => {
    const { buildingId } = world.holder
    const room = [buildingId, world.bathroomId] as const
    const until = new Date(world.clock.now() + 7_200_000).toISOString()
    const { client } = writer
    expect(await client.putOverride(...room, { target_temperature: 23, until })).toEqual({
      target_temperature: 23,
      until,
    })
    expect(await client.getOutlook(...room)).toMatchObject({ setpoint: 23, reason: 'override', until })
    await client.deleteOverride(...room)
    expect(await client.getOverride(...room)).toBeNull()
    const away = await client.putAway(buildingId, { until, target_temperature: 15 })
    expect(await client.getAway(buildingId)).toEqual(away)
    await client.deleteAway(buildingId)
    expect(await client.getAway(buildingId)).toBeNull()
    const limit = await client.putPowerLimit(buildingId, { limit_w: 4200, until })
    expect(await client.getPowerLimit(buildingId)).toEqual(limit)
    await client.deletePowerLimit(buildingId)
    expect(await client.getPowerLimit(buildingId)).toBeNull()
  })

  test('take times as dates, and no date that is none', async () => {
    const { buildingId } = world.holder
    const room = [buildingId, world.bathroomId] as const
    const [from, until] = [1, 2].map((hours) => new Date(world.clock.now() + hours * 3_600_000)) as [Date, Date]
    const { client } = writer
    const between = { from: from.toISOString(), until: until.toISOString() }
    expect(await client.putOverride(...room, { target_temperature: 23, until })).toMatchObject({ until: between.until })
    expect(await client.putAway(buildingId, { from, until, target_temperature: 15 })).toMatchObject(between)
    expect(await client.putPowerLimit(buildingId, { limit_w: 4200, from, until })).toMatchObject(between)
    const never = new Date(Number.NaN)
    const put = async () => client.putAway(buildingId, { until: never, target_temperature: 15 })
    await expect(put()).rejects.toThrow(RangeError)
    expect(await client.getAway(buildingId)).toMatchObject(between)
    await client.deleteOverride(...room)
    await client.deleteAway(buildingId)
    await client.deletePowerLimit(buildingId)
  })

  test.each([
    ['listRooms', '{"rooms":[]}', 'it is not a list'],
    ['listRooms', '[{"id":"x"}]', 'Room has no name'],
    ['getBuilding', '[]', 'Building is not an object'],
    ['getBuilding', 'null', 'Building is not an object'],
    ['getExplanation', '{}', 'Explanation has no decided_at'],
    ['getDiagnosis', '{}', 'Diagnosis has no examined_at'],
  ] as const)('%s refuses %s of another program', async (method, body, problem) => {
    const other = async () => new Response(body, { headers: { 'content-type': 'application/json' } })
    const client = new HypocaustClient({ baseUrl: 'http://other', apiKey: 'x', fetch: other })
    await expect(client[method]('b', 'r' as never)).rejects.toMatchObject({
      code: 'unexpected_answer',
      message: expect.stringContaining(problem),
    })
  })

  test('give what the service gives', async () => {
    const { buildingId } = world.holder
    const { client } = reader
    expect(await client.listBuildings()).toEqual((await world.get('/v1/buildings')).json)
    expect(await client.getBuilding(buildingId)).toEqual((await world.get(world.buildingPath)).json)
    expect(await client.listRooms(buildingId)).toEqual((await world.get(world.roomsPath)).json)
    expect(await client.getRoom(buildingId, world.bathroomId)).toEqual(await world.bathroom())
    expect(await client.getKey()).toEqual((await world.get('/v1/key')).json)
  })

  test('a change is returned and kept', async () => {
    const patch = { target_temperature: 22.5, preset_mode: 'low', name: 'Bad & Sauna' } as const
    expect(await writer.client.patchRoom(world.holder.buildingId, world.bathroomId, patch)).toMatchObject(patch)
    expect(await world.bathroom()).toMatchObject(patch)
  })

  test('a change may depend on what was read: what another changed since is not overwritten', async () => {
    const { buildingId } = world.holder
    const room = [buildingId, world.bathroomId] as const
    const ifUnchanged = { ifUnchanged: true }
    const other = observedClient({ baseUrl: world.url, apiKey: world.holder.writeKey }).client
    const { client } = writer
    expect(await codeOf(client.patchRoom(...room, { target_temperature: 22 }, ifUnchanged))).toBe('not_read')
    await client.getRoom(...room)
    await client.patchRoom(...room, { target_temperature: 22 }, ifUnchanged)
    await client.patchRoom(...room, { target_temperature: 22.5 }, ifUnchanged)
    await other.patchRoom(...room, { target_temperature: 18 })
    expect(await codeOf(client.patchRoom(...room, { target_temperature: 23 }, ifUnchanged))).toBe('precondition_failed')
    expect((await client.getRoom(...room)).target_temperature).toBe(18)

    const until = new Date(world.clock.now() + 7_200_000).toISOString()
    await client.getOverride(...room)
    await other.putOverride(...room, { target_temperature: 23, until })
    expect(await codeOf(client.putOverride(...room, { target_temperature: 17, until }, ifUnchanged))).toBe(
      'precondition_failed',
    )
    await client.getOverride(...room)
    await client.putOverride(...room, { target_temperature: 17, until }, ifUnchanged)
    await client.deleteOverride(...room, ifUnchanged)
    expect(await client.getOverride(...room)).toBeNull()

    await client.getAway(buildingId)
    await client.putAway(buildingId, { until, target_temperature: 15 }, ifUnchanged)
    await other.putAway(buildingId, { until, target_temperature: 12 })
    expect(await codeOf(client.deleteAway(buildingId, ifUnchanged))).toBe('precondition_failed')
  })

  test('an address with a slash at its end is the same address', async () => {
    const client = new HypocaustClient({ baseUrl: `${world.url}//`, apiKey: world.holder.readKey })
    expect(await client.getKey()).toMatchObject({ permission: 'read' })
  })
})

describe('tags', () => {
  test('an unchanged answer costs a 304 and reads the same', async () => {
    const first = await reader.client.listRooms(world.holder.buildingId)
    const second = await reader.client.listRooms(world.holder.buildingId)
    expect(second).toEqual(first)
    expect(reader.exchanges.map((line) => line.slice(-3))).toEqual(['200', '304'])
  })

  test('what a caller does to an answer does not show in the next', async () => {
    const first = await reader.client.listRooms(world.holder.buildingId)
    first.length = 0
    expect(await reader.client.listRooms(world.holder.buildingId)).toHaveLength(2)
  })

  test('a changed answer is new', async () => {
    await reader.client.listRooms(world.holder.buildingId)
    await world.report(BATHROOM_SENSOR, { temperatureC: 21.4 })
    const [bathroom] = await reader.client.listRooms(world.holder.buildingId)
    expect(bathroom?.current_temperature).toBe(21.4)
  })
})

describe('errors', () => {
  test('carry the code, status and request id of the service', async () => {
    const error = await reader.client.getBuilding('nowhere').catch((error: unknown) => error)
    expect(error).toBeInstanceOf(HypocaustError)
    expect(error).toMatchObject({ code: 'not_found', status: 404, message: 'No such building: nowhere' })
    expect((error as HypocaustError).requestId).toMatch(/^[\w-]+$/)
  })

  test('tell a wrong key, a key that may not write, and a wrong value apart', async () => {
    const stranger = observedClient({ baseUrl: world.url, apiKey: 'hyp_wrong' })
    const { buildingId } = world.holder
    expect(await codeOf(stranger.client.getKey())).toBe('invalid_api_key')
    expect(await codeOf(reader.client.patchRoom(buildingId, world.bathroomId, {}))).toBe('read_only_key')
    const tooWarm = { target_temperature: 99 }
    expect(await codeOf(writer.client.patchRoom(buildingId, world.bathroomId, tooWarm))).toBe('invalid_value')
  })

  test('that will not pass are not tried again', async () => {
    await codeOf(reader.client.getBuilding('nowhere'))
    expect(reader.exchanges).toHaveLength(1)
    expect(reader.time.waitsMs).toEqual([])
  })
})

describe('events', () => {
  const targetIn = ({ value }: IteratorResult<HouseEvent, void>) =>
    value?.kind === 'state' ? value.state.rooms[0]?.target_temperature : undefined

  test('show the state of each building, then what has changed in it', async () => {
    const { buildingId } = world.holder
    const events = reader.client.getEvents()
    expect((await events.next()).value).toEqual({ kind: 'buildings', buildingIds: [buildingId] })
    const first = (await events.next()).value
    expect(first).toEqual({
      ...{ kind: 'state', buildingId, state: await reader.client.getState(buildingId) },
      changed: [
        'building',
        'rooms',
        'alerts',
        'away',
        'power_limit',
        'overrides',
        'outlooks',
        'air',
        'proposals',
        'timezone',
      ],
    })
    await writer.client.patchRoom(buildingId, world.bathroomId, { target_temperature: 23 })
    const next = await events.next()
    expect(targetIn(next)).toBe(23)
    expect(next.value).toMatchObject({
      changed: expect.not.arrayContaining(['timezone']),
      state: { timezone: 'Europe/Oslo' },
    })
    await events.return()
  })

  test('go on after the last one when the connection is lost', async () => {
    const block = (target: number, id: string) =>
      `event: state\nid: ${id}\ndata: {"building_id":"b","rooms":[{"target_temperature":${target}}],"revision":"r"}\n\n`
    const asked: (string | undefined)[] = []
    const streaming =
      (...pieces: string[]): Turn =>
      (request, response) => {
        asked.push(request.headers['last-event-id'] as string | undefined)
        response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
        for (const piece of pieces) response.write(piece)
        response.end()
      }
    const [head, tail] = [block(21, 'two').slice(0, 30), block(21, 'two').slice(30)]
    const server = await serverThat(
      streaming('retry: 3000\n\n', block(20, 'one'), head),
      hangingUp,
      answering(503, { error: { code: 'unavailable', message: 'busy' } }, { 'retry-after': '7' }),
      streaming(':\n\n', head, tail),
      answering(401, { error: { code: 'invalid_api_key', message: 'no' } }),
    )
    const { client, time } = observedClient({ baseUrl: server.url, apiKey: 'hyp_x' })
    const events = client.getEvents()
    expect([targetIn(await events.next()), targetIn(await events.next())]).toEqual([20, 21])
    expect(await codeOf(events.next())).toBe('invalid_api_key')
    expect(asked).toEqual([undefined, 'one'])
    expect(time.waitsMs).toContain(7000)
    await server.close()
  })

  test('end at the signal while they wait, without an error', async () => {
    const stop = new AbortController()
    const events = reader.client.getEvents({ buildingId: world.holder.buildingId, signal: stop.signal })
    await events.next()
    await events.next()
    const next = events.next()
    stop.abort()
    expect(await next).toEqual({ done: true, value: undefined })
  })
})

describe('watching', () => {
  const watched = (stop?: AbortController) =>
    reader.client.watch(world.holder.buildingId, stop ? { signal: stop.signal } : {})
  const targetOf = ({ value }: IteratorResult<Snapshot, void>) => value?.rooms[0]?.target_temperature
  const changeElsewhere = (target_temperature: number) =>
    writer.client.patchRoom(world.holder.buildingId, world.bathroomId, { target_temperature })
  /** `state?wait=50 200`: what was asked for, since this was last asked. */
  const asked = () =>
    reader.exchanges
      .splice(0)
      .map((line) => line.replace(`GET /v1/buildings/${world.holder.buildingId}/`, '').replace(/\?\S+/, ''))

  test('waits for each change with one request', async () => {
    const watching = watched()
    expect(targetOf(await watching.next())).toBe(20)
    expect(asked()).toEqual(['state 200'])
    for (const targetC of [22, 23]) {
      const next = watching.next()
      await changeElsewhere(targetC)
      expect(targetOf(await next)).toBe(targetC)
      expect(asked()).toEqual(['state 200'])
    }
    await watching.return()
    expect(reader.time.waitsMs).toEqual([500, 500])
  })

  test('shows an absence, an override and their end as well', async () => {
    const { buildingId } = world.holder
    const watching = watched()
    const nextOf = async (change: () => Promise<unknown>) => {
      const next = watching.next()
      await change()
      return (await next).value
    }
    await watching.next()
    const away = await nextOf(() => writer.client.putAway(buildingId, { until: null, target_temperature: 15 }))
    expect(away?.away).toMatchObject({ until: null, target_temperature: 15 })
    const override = { target_temperature: 24, hours: 2 }
    const held = await nextOf(() => writer.client.putOverride(buildingId, world.bathroomId, override))
    expect(held?.overrides?.[world.bathroomId]).toMatchObject({ target_temperature: 24 })
    const ended = await nextOf(() => writer.client.deleteOverride(buildingId, world.bathroomId))
    expect(ended?.overrides?.[world.bathroomId]).toBeNull()
    await watching.return()
  })

  test('a change made while the last one was read is not missed', async () => {
    const watching = watched()
    await watching.next()
    await changeElsewhere(24)
    expect(targetOf(await watching.next())).toBe(24)
    await watching.return()
  })

  test('two watches of one client each see every change, whichever reads it first', async () => {
    const [one, other] = [watched(), watched()]
    await Promise.all([one.next(), other.next()])
    const next = one.next()
    await changeElsewhere(25)
    expect(targetOf(await next)).toBe(25)
    expect(targetOf(await other.next())).toBe(25)
    await Promise.all([one.return(), other.return()])
  })

  test('ends at the signal while it waits, without an error', async () => {
    const stop = new AbortController()
    const watching = watched(stop)
    await watching.next()
    const next = watching.next()
    stop.abort()
    expect(await next).toEqual({ done: true, value: undefined })
  })

  test('ends with an error when the key is revoked', async () => {
    const stranger = observedClient({ baseUrl: world.url, apiKey: 'hyp_wrong' })
    const watching = stranger.client.watch(world.holder.buildingId)
    expect(await codeOf(watching.next())).toBe('invalid_api_key')
  })
})
