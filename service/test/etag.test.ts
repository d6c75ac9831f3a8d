import { MINUTE_MS } from '@hypocaust/testing/clock.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { BATHROOM_SENSOR } from '@hypocaust/testing/houses.ts'
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

  test('one of several tags suffices, as does a weakened one; * is an ordinary read', async () => {
    const tag = await tagOf()
    for (const header of [`"other", ${tag}`, `W/${tag}`]) expect((await ask(header)).status).toBe(304)
    // An ordinary read, and paid for as one: it says nothing of what the caller has.
    expect((await ask('*')).status).toBe(200)
    expect((await ask('"other", "more"')).status).toBe(200)
  })

  test('HEAD has the tag of GET, and no body', async () => {
    const { status, text, headers } = await world.call('HEAD', world.roomsPath, { key: world.holder.readKey })
    expect([status, text, headers.etag]).toEqual([200, '', await tagOf()])
  })

  test('an answer may be kept by nobody but the asker', async () => {
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
})
