import { connect } from 'node:net'
import { MINUTE_MS } from '@hypocaust/testing/clock.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createMetrics } from '../src/base/metrics.ts'
import { revokeKey } from '../src/people/keys/keys.ts'

/** An answer as it is on the wire; what differs from one request to the next is left out. */
interface Wire {
  status: number
  headers: Record<string, string>
  text: string
}

const OWN_OF_EACH = ['x-request-id', 'date', 'connection', 'keep-alive', 'transfer-encoding']

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
    return wire(answer.status, Object.fromEntries(answer.headers), await answer.text())
  }

  /** Past everything that stands before the framework. */
  async function ordinary(headers: Record<string, string>, path = world.roomsPath): Promise<Wire> {
    const { statusCode, headers: all, body } = await world.app.inject({ url: path, headers })
    return wire(statusCode, all as Record<string, string>, body)
  }

  function wire(status: number, all: Record<string, unknown>, text: string): Wire {
    const headers = Object.entries(all).filter(([name]) => !OWN_OF_EACH.includes(name))
    return { status, headers: Object.fromEntries(headers.map(([name, value]) => [name, String(value)])), text }
  }

  const spent = ({ headers: { ratelimit: _, ...headers }, ...rest }: Wire) => ({ ...rest, headers })
  const leftIn = ({ headers }: Wire) => Number(/r=(\d+)/.exec(headers.ratelimit ?? '')?.[1])

  test('the first answer, one from the kept list and a 304 are those of the ordinary way, header by header', async () => {
    const key = { 'x-api-key': world.holder.readKey }
    const first = await ordinary(key)
    const kept = await polled(key)
    expect(spent(kept)).toEqual(spent(first))
    expect([leftIn(first), leftIn(kept)]).toEqual([19, 18])
    const tag = { ...key, 'if-none-match': `"another", ${kept.headers.etag}` }
    // The framework adds the length of the body, which says nothing of a 304.
    const { 'content-length': _, ...headers } = (await ordinary(tag)).headers
    expect(await polled(tag)).toEqual({ status: 304, headers, text: '' })
    expect(leftIn(await polled(tag))).toBe(18)
  })

  test('a room is written in the list as it is by itself', async () => {
    const key = { 'x-api-key': world.holder.readKey }
    expect((await polled(key)).text).toContain((await ordinary(key, world.bathroomPath)).text)
  })

  test('ids in capitals, a request id of a proxy and a query are treated alike', async () => {
    const headers = { 'x-api-key': world.holder.readKey, 'x-request-id': 'from-a-proxy' }
    await ordinary(headers)
    for (const path of [
      world.roomsPath
        .toUpperCase()
        .replace(/^.*(?=\/BUILDINGS)/, '/v1')
        .replace('BUILDINGS', 'buildings')
        .replace('ROOMS', 'rooms'),
      `${world.roomsPath}?x=1`,
    ])
      expect(spent(await polled(headers, path))).toEqual(spent(await ordinary(headers, path)))
    const { headers: answered } = await fetch(`${url}${world.roomsPath}`, { headers })
    expect(answered.get('x-request-id')).toBe('from-a-proxy')
  })

  test.each([
    ['no key', {}],
    ['a mistyped key', { 'x-api-key': 'hyp_wrong' }],
    ['a key of another account', { 'x-api-key': 'stranger' }],
  ])('%s is refused as the ordinary way refuses it', async (_what, given: Record<string, string>) => {
    const headers = given['x-api-key'] === 'stranger' ? { 'x-api-key': world.stranger.readKey } : given
    expect((await polled(headers)).status).toBeGreaterThanOrEqual(400)
    expect(spent(await polled(headers))).toEqual(spent(await ordinary(headers)))
  })

  test('beyond the budget a poll is refused, and a 304 is not', async () => {
    const key = { 'x-api-key': world.holder.readKey }
    const { headers } = await ordinary(key)
    for (let n = 1; n < 20; n++) expect((await polled(key)).status).toBe(200)
    const refused = await polled(key)
    expect([refused.status, leftIn(refused)]).toEqual([429, 0])
    const known = await polled({ ...key, 'if-none-match': String(headers.etag) })
    expect([known.status, leftIn(known)]).toEqual([304, 0])
  })

  test('polls of one key at the same moment are counted one by one', async () => {
    const key = { 'x-api-key': world.holder.readKey }
    await ordinary(key)
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
    await ordinary(key)
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
