import { ENGINES } from '@hypocaust/testing/database.ts'
import { appOn, openWorld, type World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

describe.each(ENGINES)('running it on %s', (engine) => {
  let world: World
  beforeAll(async () => {
    world = await openWorld(engine)
  })
  afterAll(() => world.close())

  test('live and ready say ok', async () => {
    for (const path of ['/health/live', '/health/ready']) {
      const { status, json } = await world.call('GET', path)
      expect([status, json]).toEqual([200, { status: 'ok' }])
    }
  })

  test('without its database it is live, but not ready', async () => {
    const broken = await openWorld(engine)
    await broken.store.close()
    expect((await broken.call('GET', '/health/live')).status).toBe(200)
    const { status, json, headers } = await broken.call('GET', '/health/ready')
    expect((await broken.call('GET', '/metrics')).text).toMatch(/^hypocaust_ready 0$/m)
    expect([status, json.error.code]).toEqual([503, 'unavailable'])
    expect(headers['retry-after']).toBeTruthy()
    await broken.app.close()
  })

  test('metrics are in the form of Prometheus, and count requests by route, not by id', async () => {
    await world.get(world.roomsPath)
    const { status, text, headers } = await world.call('GET', '/metrics')
    expect(text).toMatch(/^hypocaust_ready 1$/m)
    expect(status).toBe(200)
    expect(headers['content-type']).toMatch(/^text\/plain/)
    expect(text).toContain(
      'hypocaust_http_request_duration_seconds_count{method="GET",route="/v1/buildings/:buildingId/rooms",status="200"}',
    )
    expect(text).not.toContain(world.holder.buildingId)
    expect(text).toContain('process_cpu_seconds_total')
  })

  test('with a token, the figures are for those who send it', async () => {
    const metricsToken = 'a token of the operator'
    const guarded = await appOn(world.store, world.clock, { metricsToken })
    const ask = (authorization?: string) =>
      guarded.inject({ url: '/metrics', headers: { ...(authorization && { authorization }) } })
    expect((await ask(`Bearer ${metricsToken}`)).statusCode).toBe(200)
    for (const wrong of [undefined, 'Bearer', `Bearer ${metricsToken}x`, metricsToken]) {
      const { statusCode, headers } = await ask(wrong)
      expect([statusCode, headers['www-authenticate']]).toEqual([401, 'Bearer'])
    }
    await guarded.close()
  })

  test('every response has a request id of its own', async () => {
    const paths = ['/v1/buildings', '/v1/nothing', '/health/live', '/openapi.json', '/nothing', '/v1/%zz']
    const ids = await Promise.all(paths.map(async (path) => (await world.call('GET', path)).headers['x-request-id']))
    expect(new Set(ids).size).toBe(paths.length)
    for (const id of ids) expect(id).toMatch(/^[\w-]{8,64}$/)
  })

  test('a proxy’s request id is kept', async () => {
    const { headers } = await world.get('/v1/key', { headers: { 'x-request-id': 'edge-42_a' } })
    expect(headers['x-request-id']).toBe('edge-42_a')
  })

  test.each(['a b', 'x'.repeat(65), '"quoted"', '{}'])('a request id of %j is replaced', async (id) => {
    const { headers } = await world.get('/v1/key', { headers: { 'x-request-id': id } })
    expect(headers['x-request-id']).not.toBe(id)
    expect(headers['x-request-id']).toMatch(/^[\w-]{8,64}$/)
  })
})
