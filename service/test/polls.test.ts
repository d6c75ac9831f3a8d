import { connect } from 'node:net'
import { MINUTE_MS } from '@hypocaust/testing/clock.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createMetrics } from '../src/base/metrics.ts'
import { revokeKey } from '../src/people/keys/keys.ts'

interface Wire {
  status: number
  headers: Record<string, string>
  text: string
}

describe.each(ENGINES)('polls over a connection on %s', (engine) => {
  let world: World
  let url: string
  const metrics = createMetrics()
  beforeAll(async () => {
    world = await openWorld(engine, { limits: { read: 20, write: 20 }, metrics })
    url = await world.app.listen({ host: '127.0.0.1', port: 0 })
  })
  afterAll(() => world.close())
  // Other budgets and other lists for every test.
  beforeEach(async () => {
    world.clock.advance(2 * MINUTE_MS)
  })

  async function polled(headers: Record<string, string>, path = world.roomsPath): Promise<Wire> {
    const answer = await fetch(`${url}${path}`, { headers })
    return { status: answer.status, headers: Object.fromEntries(answer.headers), text: await answer.text() }
  }

  const leftIn = ({ headers }: Wire) => Number(/r=(\d+)/.exec(headers.ratelimit ?? '')?.[1])

  test('an answer costs one of the budget, a 304 nothing', async () => {
    const key = { 'x-api-key': world.holder.readKey }
    const [first, second] = [await polled(key), await polled(key)]
    expect([leftIn(first), leftIn(second)]).toEqual([19, 18])
    expect(second).toMatchObject({ status: 200, text: first.text, headers: { etag: first.headers.etag } })
    const known = await polled({ ...key, 'if-none-match': `"another", ${first.headers.etag}` })
    expect(known).toMatchObject({ status: 304, text: '', headers: { etag: first.headers.etag } })
    expect(leftIn(known)).toBe(18)
    expect(known.headers['cache-control']).toBe(first.headers['cache-control'])
  })

  test('a room is written in the list as it is by itself', async () => {
    const key = { 'x-api-key': world.holder.readKey }
    expect((await polled(key)).text).toContain((await polled(key, world.bathroomPath)).text)
  })

  test('ids may be in capitals, and a proxy may name the request', async () => {
    const headers = { 'x-api-key': world.holder.readKey, 'x-request-id': 'from-a-proxy' }
    const { text } = await polled(headers)
    const shouted = await polled(
      headers,
      world.roomsPath.replace(/[\da-f-]{36}/, (id) => id.toUpperCase()),
    )
    expect(shouted).toMatchObject({ status: 200, text, headers: { 'x-request-id': 'from-a-proxy' } })
  })

  test('a building that the key does not reach costs as much as one that it does', async () => {
    const key = { 'x-api-key': world.stranger.readKey }
    const refused = [await polled(key), await polled({ ...key, 'if-none-match': '"another"' })]
    expect(refused.map((answer) => [answer.status, leftIn(answer)])).toEqual([
      [404, 19],
      [404, 18],
    ])
  })

  test('beyond the budget a poll is refused, and a 304 is not', async () => {
    const key = { 'x-api-key': world.holder.readKey }
    const { headers } = await polled(key)
    for (let n = 1; n < 20; n++) expect((await polled(key)).status).toBe(200)
    const refused = await polled(key)
    expect([refused.status, leftIn(refused)]).toEqual([429, 0])
    const known = await polled({ ...key, 'if-none-match': String(headers.etag) })
    expect([known.status, leftIn(known)]).toEqual([304, 0])
  })

  test('polls of one key at the same moment are counted one by one', async () => {
    const key = { 'x-api-key': world.holder.readKey }
    await polled(key)
    const answers = await Promise.all(Array.from({ length: 25 }, () => polled(key)))
    const left = answers.filter(({ status }) => status === 200).map(leftIn)
    expect(left.toSorted((a, b) => b - a)).toEqual(Array.from({ length: 19 }, (_, i) => 18 - i))
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(6)
  })

  test('polls of several keys at the same moment each get their own answer', async () => {
    const keys = [world.holder.readKey, world.stranger.readKey, 'hyp_wrong', world.holder.writeKey]
    await Promise.all(keys.map((key) => polled({ 'x-api-key': key })))
    const { headers } = await polled({ 'x-api-key': world.holder.readKey })
    const asked = Array.from({ length: 4 }, () => keys).flat()
    const answers = await Promise.all(
      asked.map((key, i) => polled({ 'x-api-key': key, ...(i >= 8 && { 'if-none-match': String(headers.etag) }) })),
    )
    const expected = (holder: number) => [holder, 404, 401, holder]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 304, 304].flatMap(expected))
  })

  test('a key is refused by the very next poll after it was revoked', async () => {
    const key = { 'x-api-key': world.holder.writeKey }
    await polled(key)
    expect((await polled(key)).status).toBe(200)
    const { id } = await world.store.db
      .selectFrom('apiKeys')
      .select('id')
      .where('permission', '=', 'write')
      .where('accountId', '=', world.holder.accountId)
      .executeTakeFirstOrThrow()
    expect(await revokeKey(world.store, world.clock, { id })).toBe(true)
    expect((await polled(key)).status).toBe(401)
  })

  test('a request with two hosts is refused', async () => {
    const { readKey } = world.holder
    await polled({ 'x-api-key': readKey })
    const { port, hostname } = new URL(url)
    const socket = connect({ port: Number(port), host: hostname })
    socket.end(
      `GET ${world.roomsPath} HTTP/1.1\r\nhost: a\r\nhost: b\r\nx-api-key: ${readKey}\r\nconnection: close\r\n\r\n`,
    )
    let answer = ''
    for await (const chunk of socket) answer += chunk
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  })

  test('polls are in the figures under their route', async () => {
    const key = { 'x-api-key': world.holder.readKey }
    await polled(key)
    const count = async () => {
      const { values } = await metrics.httpDuration.get()
      const own = values.find(
        ({ metricName, labels }) =>
          metricName?.endsWith('_count') &&
          labels.route === '/v1/buildings/:buildingId/rooms' &&
          String(labels.status) === '200',
      )
      return own?.value ?? 0
    }
    const before = await count()
    await polled(key)
    expect(await count()).toBe(before + 1)
  })
})
