import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { ERRORS, ErrorBody, type ErrorCode, matches } from '@hypocaust/domain'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { STRANGERS_SENSOR } from '@hypocaust/testing/houses.ts'
import { settleMember } from '@hypocaust/testing/members.ts'
import { appOn, openWorld, type World } from '@hypocaust/testing/world.ts'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

interface Raw {
  status: number
  headers: Record<string, string>
  json: unknown
}

/** What a client sees that speaks on a bare socket. */
async function rawRequest(port: number, text: string): Promise<Raw> {
  const socket = connect(port, '127.0.0.1')
  socket.write(text)
  let received = ''
  socket.setEncoding('utf8').on('data', (chunk) => {
    received += chunk
  })
  await once(socket, 'close')
  const [head = '', body = ''] = received.split('\r\n\r\n')
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(lines.map((line) => line.toLowerCase().split(': ')))
  return { status: Number(statusLine.split(' ')[1]), headers, json: JSON.parse(body) }
}

async function listeningPort(app: FastifyInstance): Promise<number> {
  await app.listen({ host: '127.0.0.1', port: 0 })
  return (app.server.address() as AddressInfo).port
}

describe.each(ENGINES)('errors on %s', (engine) => {
  let world: World
  let port: number
  beforeAll(async () => {
    world = await openWorld(engine, { limits: { read: 0, write: 40 } })
    port = await listeningPort(world.app)
  })
  afterAll(() => world.close())

  /** Work while another connection keeps the database to itself, or has damaged it. */
  async function beside<T>(sql: string, undo: string, work: () => Promise<T>): Promise<T> {
    const other = await world.test.connect()
    await other.execute(sql)
    try {
      return await work()
    } finally {
      await other.execute(undo)
      await other.end()
    }
  }

  /** Apart from the others, which need not be in a hurry. */
  async function sayTooLittle(): Promise<Raw> {
    const hasty = await appOn(world.store, world.clock, { requestTimeoutMs: 300 })
    const answer = await rawRequest(await listeningPort(hasty), 'GET /v1/buildings HTTP/1.1\r\nhost: x\r\n')
    await hasty.close()
    return answer
  }

  const LOCK = { sqlite: 'begin immediate', postgres: 'begin; lock table rooms in exclusive mode' }[engine]

  async function exhaust(): Promise<Raw> {
    for (;;) {
      const answer = await world.patch({})
      if (answer.status === 200) continue
      world.clock.advance(60_000)
      return answer
    }
  }

  /** One way into each error. The compiler refuses a code without one, and one without a code. */
  const WAYS: Record<ErrorCode, () => Promise<Raw>> = {
    moved: async () => {
      const buildingId = randomUUID()
      const { store, clock, holder } = world
      const move = { buildingId, stage: 'moved' as const, url: 'https://cell-2.example', since: clock.now() }
      await store.db.insertInto('buildingMoves').values(move).execute()
      await store.db.insertInto('movedMembers').values({ buildingId, accountId: holder.accountId }).execute()
      return world.get(`/v1/buildings/${buildingId}`)
    },
    invalid_json: () => world.patch('{'),
    invalid_body: () => world.patch('[]'),
    unknown_field: () => world.patch({ powr: 1 }),
    invalid_value: () => world.patch({ target_temperature: 36 }),
    unknown_sensor: () => world.patch({ sensor_id: STRANGERS_SENSOR }),
    missing_api_key: () => world.call('GET', '/v1/buildings'),
    invalid_api_key: () => world.call('GET', '/v1/buildings', { key: 'hyp_x' }),
    read_only_key: () => world.patch({}, { key: world.holder.readKey }),
    not_permitted: async () => {
      const { store, clock, holder } = world
      const resident = await settleMember(store, clock, { ...holder, email: 'eve@example.org', role: 'resident' })
      return world.patch({ name: 'Spa' }, { key: resident.writeKey })
    },
    not_found: () => world.get('/v1/buildings/none'),
    method_not_allowed: () => world.call('DELETE', '/v1/buildings'),
    not_acceptable: () => world.get('/v1/events'),
    precondition_failed: () => world.patch({}, { headers: { 'if-match': '"older"' } }),
    request_timeout: sayTooLittle,
    body_too_large: () => world.patch(' '.repeat(16 * 1024 + 1)),
    uri_too_long: () =>
      rawRequest(port, `GET /v1/buildings?${'x'.repeat(9000)} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`),
    unsupported_media_type: () => world.patch('x', { headers: { 'content-type': 'text/plain' } }),
    headers_too_large: () =>
      rawRequest(port, `GET /v1/buildings HTTP/1.1\r\nhost: x\r\nx-much: ${'x'.repeat(40_000)}\r\n\r\n`),
    internal_error: () =>
      beside('alter table weather rename to elsewhere', 'alter table elsewhere rename to weather', () =>
        world.get('/v1/buildings'),
      ),
    unavailable: () => beside(LOCK, 'rollback', () => world.patch({ name: 'x' })),
    rate_limited: exhaust,
  }

  test.each(Object.keys(ERRORS) as ErrorCode[])('%s occurs, in the one form and with its status', async (code) => {
    const { status, headers, json } = await WAYS[code]()
    expect(matches(ErrorBody, json)).toBe(true)
    expect((json as ErrorBody).error.code).toBe(code)
    expect(status).toBe(ERRORS[code].status)
    expect(headers['content-type']).toMatch(/^application\/json/)
    expect(headers['x-request-id']).toBeTruthy()
    const tellsWhen = code === 'rate_limited' || code === 'unavailable'
    if (tellsWhen) expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    else expect(headers['retry-after']).toBeUndefined()
  })

  test('the API document lists exactly these codes, each with its status', async () => {
    const { json } = await world.call('GET', '/openapi.json')
    const operations = Object.values(json.paths).flatMap((path) => Object.values(path as object))
    const statusOf: Record<string, number> = {}
    for (const [status, reference] of operations.flatMap(({ responses }) => Object.entries(responses))) {
      const { $ref = '' } = reference as { $ref?: string }
      const response = json.components.responses[$ref.split('/').at(-1) ?? '']
      for (const code of Object.keys(response?.content['application/json'].examples ?? {}))
        statusOf[code] = Number(status)
    }
    expect(statusOf).toEqual(Object.fromEntries(Object.entries(ERRORS).map(([code, { status }]) => [code, status])))
  })

  test('an internal error reveals nothing of what went wrong', async () => {
    const { json } = await WAYS.internal_error()
    expect(JSON.stringify(json)).not.toMatch(/weather|table|sql/i)
  })

  test('while another process keeps the database to itself, reading goes on', async () => {
    await beside(LOCK, 'rollback', async () => {
      expect((await world.get('/v1/buildings')).status).toBe(200)
    })
  })

  test('bytes that are no HTTP get the one form, too', async () => {
    const { status, json } = await rawRequest(port, 'this is not HTTP\r\n\r\n')
    expect(status).toBe(400)
    expect(matches(ErrorBody, json)).toBe(true)
  })

  test.each(['/v1', '/v1/', '/v1/nothing', '/health', '/health/x', '/metrics/x', '/docs/x', '/app', '/app/x', '/x'])(
    'there is no %s, in the one form',
    async (path) => {
      const { status, json } = await world.get(path)
      expect([status, json.error]).toEqual([404, { code: 'not_found', message: `No such path: ${path}` }])
    },
  )

  test('the query is no part of the path named', async () => {
    const { json } = await world.get('/v1/nothing?token=secret')
    expect(json.error.message).toBe('No such path: /v1/nothing')
  })

  test.each([
    ['is undecodable', '/v1/%zz'],
    ['has an undecodable id', '/v1/buildings/%ff'],
  ])('a path that %s does not exist, with all headers of /v1', async (_why, path) => {
    const { status, json, headers } = await world.call('PATCH', path, { key: world.holder.writeKey })
    expect([status, json.error.code]).toEqual([404, 'not_found'])
    expect(headers).toMatchObject({ 'access-control-allow-origin': '*', 'ratelimit-policy': '"write";q=40;w=60' })
  })

  test('an id with an encoded slash is an id that does not exist', async () => {
    const { json } = await world.get('/v1/buildings/a%2Fb')
    expect(json.error.message).toBe('No such building: a/b')
  })

  test('an id of any length is that of no building', async () => {
    const id = 'x'.repeat(101)
    expect((await world.get(`/v1/buildings/${id}`)).json.error.message).toBe(`No such building: ${id}`)
  })
})
