import { Agent, request } from 'node:http'
import { MINUTE_MS } from '@hypocaust/testing/clock.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { settleMember } from '@hypocaust/testing/members.ts'
import { invalidField, validPatch } from '@hypocaust/testing/patches.ts'
import { runs } from '@hypocaust/testing/runs.ts'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createLogger } from '../src/base/logger.ts'
import { createMetrics } from '../src/base/metrics.ts'
import { StoreError } from '../src/store/store.ts'

/** An answer as it is on the wire; what differs from one request to the next is left out. */
interface Wire {
  status: number
  headers: Record<string, string>
  text: string
}

interface Change {
  path?: string
  headers?: Record<string, string>
  body: string
}

const OWN_OF_EACH = ['x-request-id', 'date', 'connection', 'keep-alive', 'ratelimit']
const WRITES = 40

describe.each(ENGINES)('changes of rooms over a connection on %s', (engine) => {
  let world: World
  let port: number
  let others: number
  const changed: string[] = []
  const lines: string[] = []
  const metrics = createMetrics()
  beforeAll(async () => {
    world = await openWorld(engine, {
      ...{ limits: { read: 0, write: WRITES }, metrics },
      logger: createLogger('info', { write: (line) => void lines.push(line) }),
      onBuildingChanged: (buildingId) => void changed.push(buildingId),
    })
    port = Number(new URL(await world.app.listen({ host: '127.0.0.1', port: 0 })).port)
    world.app.server.on('request', () => others++)
  })
  afterAll(() => world.close())
  // Another budget for every test.
  beforeEach(() => {
    others = 0
    world.clock.advance(2 * MINUTE_MS)
  })

  const headersOf = ({ headers = {} }: Change) => ({
    'x-api-key': world.holder.writeKey,
    'content-type': 'application/json',
    ...headers,
  })

  /** Head and body in one piece, on a connection of its own. */
  function sent(change: Change): Promise<Wire> {
    const { path = world.bathroomPath, body } = change
    const length = { 'content-length': String(Buffer.byteLength(body)) }
    const agent = new Agent({ keepAlive: true })
    const headers = { ...headersOf(change), ...length }
    const options = { agent, port, host: '127.0.0.1', path, method: 'PATCH', headers }
    return new Promise((resolve, reject) => {
      const asking = request(options, async (answer) => {
        const text = Buffer.concat(await Array.fromAsync(answer)).toString()
        agent.destroy()
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers as Record<string, string>, text })
      })
      asking.on('error', reject).end(body)
    })
  }

  /** Past everything that stands before the framework. */
  async function ordinary(change: Change): Promise<Wire> {
    const { path: url = world.bathroomPath, body } = change
    const answer = await world.app.inject({ method: 'PATCH', url, headers: headersOf(change), payload: body })
    return { status: answer.statusCode, headers: answer.headers as Record<string, string>, text: answer.body }
  }

  const same = ({ status, headers, text }: Wire) => {
    const kept = Object.entries(headers).filter(([name]) => !OWN_OF_EACH.includes(name))
    return { status, text, headers: Object.fromEntries(kept.map(([name, value]) => [name, String(value)])) }
  }
  const leftIn = ({ headers }: Wire) => Number(/r=(\d+)/.exec(headers.ratelimit ?? '')?.[1])

  test('are answered as the ordinary way does, header by header, whatever is changed', async () => {
    await fc.assert(
      fc.asyncProperty(validPatch, async (patch) => {
        world.clock.advance(2 * MINUTE_MS)
        const change = { body: JSON.stringify(patch), headers: { 'x-request-id': 'from-a-proxy' } }
        const first = await ordinary(change)
        const second = await sent(change)
        expect(same(second)).toEqual(same(first))
        expect([first.status, leftIn(first), leftIn(second)]).toEqual([200, WRITES - 1, WRITES - 2])
        expect(second.headers['x-request-id']).toBe('from-a-proxy')
        expect(second.text).toBe((await world.get(world.bathroomPath)).text)
      }),
      { numRuns: runs(80) },
    )
    expect(others).toBe(0)
  })

  test('are refused as the ordinary way does, and cost as much', async () => {
    await fc.assert(
      fc.asyncProperty(validPatch, invalidField, async (valid, invalid) => {
        world.clock.advance(2 * MINUTE_MS)
        const change = { body: JSON.stringify({ ...valid, ...invalid }) }
        const first = await ordinary(change)
        const second = await sent(change)
        expect(same(second)).toEqual(same(first))
        expect([first.status, leftIn(first), leftIn(second)]).toEqual([400, WRITES - 1, WRITES - 2])
      }),
      { numRuns: runs(80) },
    )
  })

  test.each([
    ['no key', { 'x-api-key': '' }, 401],
    ['a mistyped key', { 'x-api-key': 'hyp_wrong' }, 401],
    ['a key that may only read', { 'x-api-key': 'reading' }, 403],
    ['a key of another account', { 'x-api-key': 'stranger' }, 404],
    ['a key of a guest of another room', { 'x-api-key': 'guest' }, 404],
    ['a key of a resident, who does not name rooms', { 'x-api-key': 'resident' }, 403],
    ['another type', { 'content-type': 'text/plain' }, 415],
    ['a condition that does not hold', { 'if-match': '"another"' }, 412],
  ])('%s is refused as the ordinary way refuses it, and changes nothing', async (what, given, status) => {
    const { holder, stranger, store, clock } = world
    const { buildingId, roomIds } = holder
    const email = `${what.replaceAll(/\W/g, '.')}@example.org`
    const member = (role: 'guest' | 'resident') =>
      settleMember(store, clock, { buildingId, email, role, roomIds: roomIds.slice(1) })
    const keys: Record<string, () => Promise<string>> = {
      reading: async () => holder.readKey,
      stranger: async () => stranger.writeKey,
      guest: async () => (await member('guest')).writeKey,
      resident: async () => (await member('resident')).writeKey,
    }
    const named = (given as Record<string, string>)['x-api-key'] ?? ''
    const headers = { ...given, ...(named in keys && { 'x-api-key': (await keys[named]?.()) ?? '' }) }
    const before = await world.bathroom()
    const change = { body: '{"target_temperature":8,"name":"Sauna"}', headers }
    const refused = await sent(change)
    expect(refused.status).toBe(status)
    expect(same(refused)).toEqual(same(await ordinary(change)))
    expect(await world.bathroom()).toEqual(before)
  })

  test.each([
    ['no JSON', '{'],
    ['a list', '[]'],
    ['a field twice', '{"target_temperature":8,"target_temperature":9}'],
    ['a field of the website', '{"floor_type":"wood"}'],
    ['bytes that are no text', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]).toString('latin1')],
  ])('%s is refused as the ordinary way refuses it', async (_what, body) => {
    const refused = await sent({ body })
    expect(refused.status).toBe(400)
    expect(same(refused)).toEqual(same(await ordinary({ body })))
  })

  test('a room that does not exist is refused, the budget is charged once, and nothing is changed', async () => {
    const change = {
      path: world.bathroomPath.replace(/\w{12}$/, '000000000000'),
      body: '{"target_temperature":20}',
    }
    const list = () => world.get(world.roomsPath)
    const before = await list()
    const refused = await sent(change)
    expect([refused.status, leftIn(refused)]).toEqual([404, WRITES - 1])
    expect(same(refused)).toEqual(same(await ordinary(change)))
    expect((await list()).headers.etag).toBe(before.headers.etag)
  })

  test('a change that the database does not take is answered with its error, and not tried again', async () => {
    const { store } = world
    const batch = store.batch
    let tried = 0
    store.batch = async () => {
      tried++
      throw new StoreError('unavailable', 'no connection')
    }
    const change = { body: '{"target_temperature":20}' }
    const failed = await sent(change)
    expect([failed.status, tried, leftIn(failed)]).toEqual([503, 1, WRITES - 1])
    expect(same(failed)).toEqual(same(await ordinary(change)))
    store.batch = batch
    expect(others).toBe(0)
    expect(lines.at(-1)).toContain('no connection')
  })

  test('beyond the budget a change is refused', async () => {
    const body = '{"target_temperature":20}'
    const left: number[] = []
    for (let n = 0; n < WRITES; n++) left.push(leftIn(await sent({ body })))
    expect(left).toEqual(Array.from({ length: WRITES }, (_, i) => WRITES - 1 - i))
    const refused = await sent({ body })
    expect([refused.status, leftIn(refused)]).toEqual([429, 0])
    expect(same(refused)).toEqual(same(await ordinary({ body })))
  })

  test('are followed by the heating, logged with their key, in the change log and in the figures', async () => {
    const count = async () => {
      const { values } = await metrics.httpDuration.get()
      const isOwn = ({ metricName, labels }: (typeof values)[number]) =>
        metricName?.endsWith('_count') &&
        labels.method === 'PATCH' &&
        labels.route === '/v1/buildings/:buildingId/rooms/:roomId' &&
        String(labels.status) === '200'
      return values.find(isOwn)?.value ?? 0
    }
    await sent({ body: '{"target_temperature":20}' })
    const [before, changesBefore, linesBefore] = [await count(), changed.length, lines.length]
    await sent({ body: '{"target_temperature":21.5}', headers: { 'x-request-id': 'abc' } })
    expect(await count()).toBe(before + 1)
    expect(changed.slice(changesBefore)).toEqual([world.holder.buildingId])
    expect(lines.slice(linesBefore).map((line) => JSON.parse(line))).toMatchObject([
      { reqId: 'abc', method: 'PATCH', path: world.bathroomPath, key: { name: 'write key' } },
    ])
    const entry = await world.store.db
      .selectFrom('changeLog')
      .selectAll()
      .orderBy('sequence', 'desc')
      .executeTakeFirst()
    expect(entry).toMatchObject({ actorKind: 'key', actorName: 'write key', roomId: world.bathroomId })
    expect(others).toBe(0)
  })
})
