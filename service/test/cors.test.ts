import { ENGINES } from '@hypocaust/testing/database.ts'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const EXPOSED = 'ETag, RateLimit, RateLimit-Policy, Retry-After, x-request-id'

describe.each(ENGINES)('other origins on %s', (engine) => {
  let world: World
  beforeAll(async () => {
    world = await openWorld(engine)
  })
  afterAll(() => world.close())

  test('a page of any origin may read /v1 and its headers', async () => {
    const { headers } = await world.get('/v1/buildings', { headers: { origin: 'https://panel.example' } })
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-expose-headers': EXPOSED,
    })
    expect(headers['access-control-allow-credentials']).toBeUndefined()
  })

  test('it may read errors as well, also without a key', async () => {
    for (const path of ['/v1/buildings', '/v1/nothing']) {
      expect((await world.call('GET', path)).headers['access-control-allow-origin']).toBe('*')
    }
  })

  test('a preflight needs no key and allows the methods of that path', async () => {
    const { status, text, headers } = await world.call('OPTIONS', world.bathroomPath, {
      headers: { origin: 'https://panel.example', 'access-control-request-method': 'PATCH' },
    })
    expect([status, text]).toEqual([204, ''])
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, PATCH',
      'access-control-allow-headers': 'x-api-key, authorization, content-type, if-match, if-none-match, last-event-id',
    })
  })

  test('a preflight for a path that does not exist is not found', async () => {
    expect((await world.call('OPTIONS', '/v1/nothing')).status).toBe(404)
  })

  test('nothing outside /v1 is open to other origins', async () => {
    for (const path of ['/openapi.json', '/health/live', '/metrics', '/docs/']) {
      expect((await world.call('GET', path)).headers['access-control-allow-origin']).toBeUndefined()
    }
    expect((await world.call('OPTIONS', '/metrics')).status).toBe(405)
  })
})
