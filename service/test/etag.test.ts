import { MINUTE_MS } from '@hypocaust/testing/clock.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { BATHROOM_SENSOR, LIVING_ROOM_SENSOR } from '@hypocaust/testing/houses.ts'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

describe.each(ENGINES)('entity tags on %s', (engine) => {
  let world: World
  beforeAll(async () => {
    world = await openWorld(engine)
  })
  afterAll(() => world.close())
  beforeEach(() => world.reset())

  const tagOf = async (path = world.roomsPath) => (await world.get(path)).headers.etag ?? ''
  const ask = (tag: string, path = world.roomsPath) => world.get(path, { headers: { 'if-none-match': tag } })

  test('every GET of /v1 has a strong one', async () => {
    for (const path of ['/v1/buildings', world.buildingPath, world.roomsPath, world.bathroomPath, '/v1/key']) {
      expect(await tagOf(path)).toMatch(/^"[\w-]{16,}"$/)
    }
  })

  test('an unchanged answer is a 304 without a body, with its tag and request id', async () => {
    const tag = await tagOf()
    const { status, text, headers } = await ask(tag)
    expect([status, text, headers.etag]).toEqual([304, '', tag])
    expect(headers['x-request-id']).toBeTruthy()
    expect(headers['content-type']).toBeUndefined()
  })

  test('a change makes another tag', async () => {
    const tag = await tagOf()
    await world.patch({ target_temperature: 23 })
    const { status, json } = await ask(tag)
    expect([status, json[0].target_temperature]).toEqual([200, 23])
  })

  test('a value that goes stale without any write makes another tag', async () => {
    await world.report(BATHROOM_SENSOR, { temperatureC: 21 })
    const tag = await tagOf()
    expect((await ask(tag)).status).toBe(304)
    world.clock.advance(61 * MINUTE_MS)
    expect((await ask(tag)).status).toBe(200)
  })

  test('a building that falls silent makes another tag', async () => {
    await world.heartbeat(world.holder.gatewayIds[0])
    const tag = await tagOf('/v1/buildings')
    world.clock.advance(6 * MINUTE_MS)
    expect((await ask(tag, '/v1/buildings')).status).toBe(200)
  })

  test('one of several tags suffices, as does a weakened one', async () => {
    const tag = await tagOf()
    for (const header of [`"other", ${tag}`, `W/${tag}`]) expect((await ask(header)).status).toBe(304)
    expect((await ask('"other", "more"')).status).toBe(200)
  })

  test('* is a 304 of whatever exists, paid for as a read: it says nothing of what the caller has', async () => {
    const left = (headers: Record<string, string>) => Number(/r=(\d+)/.exec(headers.ratelimit ?? '')?.[1])
    for (const path of [world.roomsPath, world.bathroomPath, `${world.buildingPath}/state`, '/v1/buildings']) {
      const before = left((await world.get(path)).headers)
      const { status, headers } = await ask('*', path)
      expect([path, status, left(headers)]).toEqual([path, 304, before - 1])
    }
    expect((await ask('*', `${world.roomsPath}/nowhere`)).status).toBe(404)
  })

  test('a 304 states no length, on any route', async () => {
    const span = 'from=2026-01-09T00:00:00Z&to=2026-01-10T00:00:00Z'
    for (const path of [
      ...['/v1/buildings', world.buildingPath, world.roomsPath, world.bathroomPath, '/v1/key'],
      ...['state', 'alerts', 'away', 'presence', 'energy'].map((part) => `${world.buildingPath}/${part}`),
      ...['override', 'outlook', 'explanation', 'diagnosis', `history?${span}`].map(
        (part) => `${world.bathroomPath}/${part}`,
      ),
    ]) {
      const { status, headers } = await ask(await tagOf(path), path)
      expect([path, status, headers['content-length']]).toEqual([path, 304, undefined])
    }
  })

  test('HEAD has the tag of GET, and no body', async () => {
    const { status, text, headers } = await world.call('HEAD', world.roomsPath, { key: world.holder.readKey })
    expect([status, text, headers.etag]).toEqual([200, '', await tagOf()])
  })

  test('HEAD of what the caller has is a 304 like that of GET', async () => {
    const tag = await tagOf()
    for (const path of [world.roomsPath, '/v1/buildings', '/v1/changes?wait=0'])
      for (const known of [tag, '*']) {
        const get = await world.get(path, { headers: { 'if-none-match': known } })
        const head = await world.call('HEAD', path, {
          key: world.holder.readKey,
          headers: { 'if-none-match': known },
        })
        const isKnown = known === '*' || path === world.roomsPath
        expect([path, known, head.status, get.status]).toEqual([path, known, ...(isKnown ? [304, 304] : [200, 200])])
        if (isKnown) expect([head.text, head.headers['content-length']]).toEqual(['', undefined])
      }
  })

  test('an answer may be kept by nobody but the caller', async () => {
    expect((await world.get(world.roomsPath)).headers['cache-control']).toBe('private, no-cache')
  })

  test('the answer to a PATCH has the tag of the room as it is then', async () => {
    const { headers } = await world.patch({ target_temperature: 23 })
    expect(headers.etag).toBe(await tagOf(world.bathroomPath))
  })

  test('an error has none', async () => {
    expect((await world.get('/v1/buildings/none')).headers.etag).toBeUndefined()
  })

  const patchIf = (tag: string, body: object) => world.patch(body, { headers: { 'if-match': tag } })

  test('a PATCH with the tag of the room as it is goes through, as does one for any state', async () => {
    expect((await patchIf(await tagOf(world.bathroomPath), { target_temperature: 22 })).status).toBe(200)
    expect((await patchIf(`"other", ${await tagOf(world.bathroomPath)}`, { target_temperature: 23 })).status).toBe(200)
    expect((await patchIf('*', { target_temperature: 24 })).json.target_temperature).toBe(24)
  })

  test('a PATCH with an older tag, a weak one or that of another answer changes nothing', async () => {
    const old = await tagOf(world.bathroomPath)
    await world.patch({ target_temperature: 23 })
    const before = await world.bathroom()
    for (const tag of [old, `W/${await tagOf(world.bathroomPath)}`, await tagOf(world.roomsPath)]) {
      const { status, json } = await patchIf(tag, { target_temperature: 21 })
      expect([status, json.error.code]).toEqual([412, 'precondition_failed'])
    }
    expect(await world.bathroom()).toEqual(before)
  })

  test('a reading since then does not keep a PATCH from going through, and another change of settings does', async () => {
    const tag = await tagOf(world.bathroomPath)
    await world.report(BATHROOM_SENSOR, { temperatureC: 19.3 })
    expect(await tagOf(world.bathroomPath)).not.toBe(tag)
    expect((await patchIf(tag, { target_temperature: 22.5 })).status).toBe(200)
    expect((await patchIf(tag, { target_temperature: 23.5 })).status).toBe(412)
  })

  const AWAY = { until: null, target_temperature: 15 }
  const OVERRIDE = { target_temperature: 23, hours: 2 }
  test.each([
    ['override', () => `${world.bathroomPath}/override`, OVERRIDE, { ...OVERRIDE, target_temperature: 24 }],
    ['away', () => `${world.buildingPath}/away`, AWAY, { ...AWAY, target_temperature: 16 }],
  ])('PUT and DELETE of %s are made only of what the caller has seen, one of many', async (_what, at, body, other) => {
    const key = world.holder.writeKey
    const send = (method: 'PUT' | 'DELETE', tag: string, sent?: object) =>
      world.call(method, at(), { key, headers: { 'if-match': tag }, ...(sent && { body: sent }) })
    const none = await tagOf(at())
    const answers = await Promise.all([body, other, body].map((sent) => send('PUT', none, sent)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412])
    expect(answers.find(({ status }) => status === 412)?.json.error.code).toBe('precondition_failed')
    const set = await tagOf(at())
    expect((await send('DELETE', none)).status).toBe(412)
    expect((await send('PUT', set, { ...body, target_temperature: 17 })).status).toBe(200)
    expect((await send('DELETE', set)).status).toBe(412)
    expect((await send('DELETE', await tagOf(at()))).status).toBe(200)
    expect((await send('DELETE', await tagOf(at()))).status).toBe(200)
    expect((await world.get(at())).json).toBeNull()
  })

  test('a bad body comes before a stale tag', async () => {
    expect((await patchIf('"older"', { target_temperature: 99 })).json.error.code).toBe('invalid_value')
  })

  test('of many PATCHes with one tag, exactly one goes through', async () => {
    const tag = await tagOf(world.bathroomPath)
    const targets = [21, 22, 23, 24, 25, 26]
    const answers = await Promise.all(targets.map((target) => patchIf(tag, { target_temperature: target })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412, 412, 412])
    const winner = answers.find(({ status }) => status === 200)
    expect((await world.bathroom()).target_temperature).toBe(winner?.json.target_temperature)
  })

  test('of a target and two sensors with one tag, exactly one goes through', async () => {
    const tag = await tagOf(world.bathroomPath)
    const { sensor_id } = await world.bathroom()
    const bodies = [{ sensor_id: LIVING_ROOM_SENSOR }, { target_temperature: 27 }, { sensor_id: LIVING_ROOM_SENSOR }]
    const answers = await Promise.all(bodies.map((body) => patchIf(tag, body)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412])
    await world.patch({ sensor_id })
  })
})
