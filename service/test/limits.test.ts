import { ENGINES } from '@hypocaust/testing/database.ts'
import { type Answer, openWorld, type World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

describe.each(ENGINES)('limits on %s', (engine) => {
  let world: World
  beforeAll(async () => {
    world = await openWorld(engine, { limits: { read: 5, write: 3 } })
  })
  afterAll(() => world.close())

  const nextWindow = () => world.clock.advance(60_000)
  const read = (key = world.holder.writeKey, headers = {}) => world.get('/v1/buildings', { key, headers })

  async function times(count: number, work: () => Promise<Answer>): Promise<number[]> {
    const statuses = []
    for (let i = 0; i < count; i++) statuses.push((await work()).status)
    return statuses
  }

  test('the whole budget of reads is usable in one burst, and the next is refused', async () => {
    nextWindow()
    const answers = await Promise.all(Array.from({ length: 6 }, () => read()))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 429])
  })

  test('a refusal says in whole seconds when the budget is back, and then it is', async () => {
    nextWindow()
    await times(5, read)
    world.clock.advance(20_500)
    const { status, headers, json } = await read()
    expect([status, headers['retry-after'], json.error.code]).toEqual([429, '40', 'rate_limited'])
    world.clock.advance(40_000)
    expect((await read()).status).toBe(200)
  })

  test('reads used up do not block switching the heating off', async () => {
    nextWindow()
    expect(await times(6, read)).toContain(429)
    expect((await world.patch({ hvac_mode: 'off' })).status).toBe(200)
  })

  test('writes used up do not block reading', async () => {
    nextWindow()
    expect(await times(4, () => world.patch({}))).toEqual([200, 200, 200, 429])
    expect((await read()).status).toBe(200)
  })

  test('a write over the budget changes nothing', async () => {
    nextWindow()
    await times(3, () => world.patch({ name: 'Within' }))
    await world.patch({ name: 'Beyond' })
    nextWindow()
    expect((await world.bathroom()).name).toBe('Within')
  })

  test('each key has a budget of its own', async () => {
    nextWindow()
    await times(6, read)
    expect((await read(world.holder.readKey)).status).toBe(200)
  })

  test('the headers tell the budget, what is left and when it is back', async () => {
    nextWindow()
    await read()
    world.clock.advance(15_000)
    const { headers } = await read()
    expect(headers).toMatchObject({ 'ratelimit-policy': '"read";q=5;w=60', ratelimit: '"read";r=3;t=45' })
    expect((await world.patch({})).headers).toMatchObject({
      'ratelimit-policy': '"write";q=3;w=60',
      ratelimit: '"write";r=2;t=60',
    })
  })

  test('every /v1 response names the rule; what is left, only to a key that was counted', async () => {
    nextWindow()
    const uncounted = await Promise.all([
      world.call('GET', '/v1/buildings'),
      world.call('GET', '/v1/buildings', { key: 'x' }),
      world.get('/v1/nothing'),
      world.call('DELETE', '/v1/key'),
      world.call('OPTIONS', '/v1/key'),
    ])
    const counted = await Promise.all([world.patch('{'), world.patch({}, { key: world.holder.readKey })])
    for (const { headers } of [...uncounted, ...counted])
      expect(headers['ratelimit-policy']).toMatch(/^"(read|write)";q=\d+;w=60$/)
    for (const { headers } of uncounted) expect(headers.ratelimit).toBeUndefined()
    for (const { headers } of counted) expect(headers.ratelimit).toMatch(/^"write";r=\d+;t=\d+$/)
  })

  test('a 304 costs nothing', async () => {
    nextWindow()
    const { etag = '' } = (await read()).headers
    const statuses = await times(10, () => read(world.holder.writeKey, { 'if-none-match': etag }))
    expect(new Set(statuses)).toEqual(new Set([304]))
    expect((await read()).headers.ratelimit).toBe('"read";r=3;t=60')
  })

  test('a used-up budget still answers 304, and 429 once there is something new', async () => {
    nextWindow()
    const { etag = '' } = (await read()).headers
    await times(4, read)
    expect((await read()).status).toBe(429)
    const conditional = () => read(world.holder.writeKey, { 'if-none-match': etag })
    const unchanged = await conditional()
    expect([unchanged.status, unchanged.headers.ratelimit]).toEqual([304, '"read";r=0;t=60'])
    await world.heartbeat(world.holder.gatewayIds[0])
    const changed = await conditional()
    expect([changed.status, changed.json.error.code, changed.headers['retry-after']]).toEqual([
      429,
      'rate_limited',
      '60',
    ])
    expect(changed.headers.etag).toBeUndefined()
    expect((await read()).status).toBe(429)
  })

  test('nothing outside /v1 is limited', async () => {
    expect((await world.call('GET', '/health/live')).headers.ratelimit).toBeUndefined()
  })

  test('0 switches a limit off, and its headers', async () => {
    const free = await openWorld(engine, { limits: { read: 0, write: 1 } })
    for (let i = 0; i < 20; i++) expect((await free.get('/v1/key')).status).toBe(200)
    expect((await free.get('/v1/key')).headers.ratelimit).toBeUndefined()
    expect((await free.patch({})).headers.ratelimit).toBe('"write";r=0;t=60')
    await free.close()
  })
})
