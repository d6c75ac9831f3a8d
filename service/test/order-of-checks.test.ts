import { ENGINES } from '@hypocaust/testing/database.ts'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const BAD_BODY = '{"nonsense":'

describe.each(ENGINES)('checks come in a fixed order, on %s', (engine) => {
  let world: World
  beforeAll(async () => {
    world = await openWorld(engine)
  })
  afterAll(() => world.close())

  const codeOf = ({ status, json }: { status: number; json: { error: { code: string } } }) => [status, json.error.code]

  test('a path that does not exist comes before the method and the key', async () => {
    expect(codeOf(await world.call('DELETE', '/v1/cellars'))).toEqual([404, 'not_found'])
  })

  test('nothing between two slashes is no path', async () => {
    for (const path of ['/v1/', '/v1/buildings/', '/v1/buildings//rooms', `${world.roomsPath}/`]) {
      const { status, json } = await world.call('GET', path)
      expect([status, json.error.message]).toEqual([404, `No such path: ${path}`])
    }
  })

  test('an id may be written in upper case', async () => {
    const path = world.bathroomPath.replace(/[0-9a-f-]{36}/g, (id) => id.toUpperCase())
    const { status, json } = await world.get(path)
    expect([status, json.id]).toEqual([200, world.bathroomId])
    const key = world.holder.writeKey
    expect((await world.call('PATCH', path, { key, body: { name: 'Bath' } })).json.name).toBe('Bath')
    expect((await world.get(path.replace(/.rooms.*/, '/rooms'))).json).toHaveLength(world.holder.roomIds.length)
    const unknown = '019BB0F4-6E00-7C3A-9D5E-2F1A6B7C8D9E'
    expect((await world.get(`/v1/buildings/${unknown}`)).json.error.message).toBe(`No such building: ${unknown}`)
  })

  test('a refusal of a key says how to authenticate', async () => {
    for (const key of [undefined, 'hyp_nonsense']) {
      const { headers } = await world.call('GET', '/v1/buildings', { ...(key && { key }) })
      expect(headers['www-authenticate']).toMatch(
        /^ApiKey realm="Hypocaust", header="x-api-key", Bearer realm="Hypocaust", resource_metadata="http\S+"$/,
      )
    }
  })

  test('the method comes before the key', async () => {
    const answer = await world.call('DELETE', world.bathroomPath, { body: BAD_BODY })
    expect(codeOf(answer)).toEqual([405, 'method_not_allowed'])
    expect(answer.headers.allow).toBe('GET, HEAD, PATCH')
  })

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'] as const)(
    '%s on the list of buildings is not allowed',
    async (method) => {
      const answer = await world.call(method, '/v1/buildings')
      expect(codeOf(answer)).toEqual([405, 'method_not_allowed'])
      expect(answer.headers.allow).toBe('GET, HEAD')
    },
  )

  test('a missing key comes before the building, the room and the body', async () => {
    for (const path of [world.bathroomPath, '/v1/buildings/none/rooms/none']) {
      expect(codeOf(await world.call('PATCH', path, { body: BAD_BODY }))).toEqual([401, 'missing_api_key'])
    }
  })

  test('an invalid key comes before the building, the room and the body', async () => {
    const answers = await Promise.all(
      [world.bathroomPath, '/v1/buildings/none/rooms/none'].map((path) =>
        world.call('PATCH', path, { key: 'hyp_nonsense', body: BAD_BODY }),
      ),
    )
    for (const answer of answers) expect(codeOf(answer)).toEqual([401, 'invalid_api_key'])
    expect(answers[0]?.text).toBe(answers[1]?.text)
  })

  test('permission comes before the building, the room and the body', async () => {
    const strange = `/v1/buildings/${world.stranger.buildingId}/rooms/${world.stranger.roomIds[0]}`
    const answers = await Promise.all(
      [world.bathroomPath, strange, '/v1/buildings/none/rooms/none'].flatMap((path) =>
        ['{"name":"x"}', BAD_BODY, '[]'].map((body) => world.call('PATCH', path, { key: world.holder.readKey, body })),
      ),
    )
    for (const answer of answers) expect(codeOf(answer)).toEqual([403, 'read_only_key'])
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  })

  test('building and room come before the body, its media type and its size', async () => {
    const key = world.holder.writeKey
    for (const path of ['/v1/buildings/none/rooms/none', `${world.roomsPath}/none`]) {
      expect(codeOf(await world.call('PATCH', path, { key, body: BAD_BODY }))).toEqual([404, 'not_found'])
      expect(codeOf(await world.call('PATCH', path, { key, body: ' '.repeat(20_000) }))).toEqual([404, 'not_found'])
      const headers = { 'content-type': 'text/plain' }
      expect(codeOf(await world.call('PATCH', path, { key, body: 'x', headers }))).toEqual([404, 'not_found'])
    }
  })

  test('the building comes before the room', async () => {
    const { json } = await world.get('/v1/buildings/none/rooms/none')
    expect(json.error.message).toBe('No such building: none')
  })
})
