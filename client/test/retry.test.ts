import {
  answering,
  hangingUp,
  listeningWorld,
  neverAnswering,
  type Observed,
  observedClient,
  type ScriptedServer,
  serverThat,
  type Turn,
} from '@hypocaust/testing/client.ts'
import { eventually } from '@hypocaust/testing/eventually.ts'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { REQUIRED_FIELDS } from '../src/generated/required-fields.ts'
import { HypocaustClient, type HypocaustError } from '../src/index.ts'
import { backOffMs, REAL_SURROUNDINGS, SURROUNDINGS } from '../src/retry.ts'

let server: ScriptedServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

const KEY = { id: 'k', name: 'test', permission: 'read', expires_at: null }
/** With the fields that are never missing, and nothing in them. */
const empty = (kind: 'Building' | 'Room') => Object.fromEntries(REQUIRED_FIELDS[kind].map((field) => [field, null]))
const ROOM = { ...empty('Room'), id: 'r' }
const stateWith = (revision: string, rooms: object[] = [ROOM]) => ({
  ...Object.fromEntries(REQUIRED_FIELDS.State.map((field) => [field, null])),
  building: empty('Building'),
  rooms,
  revision,
})
const house: Turn = (request, response) => {
  const { url = '' } = request
  const value = url.includes('/state') ? stateWith('a') : url.endsWith('/rooms') ? [ROOM] : empty('Building')
  answering(200, value)(request, response)
}
const away = (headers = {}) => answering(503, { error: { code: 'unavailable', message: 'Away.' } }, headers)
const clientOf = ({ url }: ScriptedServer, options = {}) => observedClient({ baseUrl: url, apiKey: 'k', ...options })
const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => {
      throw new Error('it did not fail')
    },
    (error: unknown) => error as HypocaustError,
  )

describe('trying again', () => {
  test('waits as long as the service asks when the budget is used up, then succeeds', async () => {
    const world = await listeningWorld({ limits: { read: 1, write: 1 } })
    const { client, time } = observedClient({ baseUrl: world.url, apiKey: world.holder.readKey })
    time.onSleep = (ms) => world.clock.advance(ms)
    await client.listBuildings()
    expect(await client.getKey()).toMatchObject({ permission: 'read' })
    expect(time.waitsMs).toEqual([60_000])
    await world.close()
  })

  test('waits twice as long each time where nothing is asked', async () => {
    server = await serverThat(away(), hangingUp, away(), answering(200, KEY))
    const { client, time } = clientOf(server)
    expect(await client.getKey()).toEqual(KEY)
    expect(time.waitsMs).toEqual([500, 1000, 2000])
  })

  test('gives up after four more tries, with the last error', async () => {
    server = await serverThat(away({ 'retry-after': '2' }))
    const { client, time } = clientOf(server)
    expect(await failureOf(client.getKey())).toMatchObject({ code: 'unavailable', status: 503, retryAfterS: 2 })
    expect(time.waitsMs).toEqual([2000, 2000, 2000, 2000])
    expect(server.requests).toHaveLength(5)
  })

  test('does not wait for hours', async () => {
    server = await serverThat(away({ 'retry-after': '3600' }))
    const { client, time } = clientOf(server)
    expect(await failureOf(client.getKey())).toMatchObject({ code: 'unavailable' })
    expect(time.waitsMs).toEqual([])
  })

  test('understands a date in Retry-After', async () => {
    server = await serverThat(away({ 'retry-after': 'Sat, 10 Jan 2026 08:15:13 GMT' }), answering(200, KEY))
    const { client, time } = clientOf(server)
    await client.getKey()
    expect(time.waitsMs).toEqual([10_000])
  })

  test('repeats a PATCH, whose values are absolute', async () => {
    server = await serverThat(hangingUp, answering(200, empty('Room')))
    const { client } = clientOf(server)
    await client.patchRoom('b', 'r', { target_temperature: 21 })
    expect(server.requests).toEqual(['PATCH /v1/buildings/b/rooms/r', 'PATCH /v1/buildings/b/rooms/r'])
  })

  test('does not repeat what failed inside the service', async () => {
    server = await serverThat(answering(500, { error: { code: 'internal_error', message: 'Oh.' } }))
    const { client } = clientOf(server)
    expect(await failureOf(client.patchRoom('b', 'r', {}))).toMatchObject({ code: 'internal_error' })
    expect(server.requests).toHaveLength(1)
  })

  test('the back-off grows, keeps its bounds, and differs between clients', () => {
    fc.assert(
      fc.property(fc.nat(100), fc.double({ min: 0, max: 1, noNaN: true }), (attempt, random) => {
        const waitMs = backOffMs(attempt, random)
        expect(waitMs).toBeGreaterThanOrEqual(250)
        expect(waitMs).toBeLessThanOrEqual(30_000)
        expect(backOffMs(attempt + 1, random)).toBeGreaterThanOrEqual(waitMs)
      }),
    )
    expect(backOffMs(3, 0)).not.toBe(backOffMs(3, 1))
  })
})

describe('without an answer of Hypocaust', () => {
  test('nobody there', async () => {
    const gone = await serverThat(hangingUp)
    await gone.close()
    const error = await failureOf(clientOf(gone, { retries: 0 }).client.getKey())
    expect(error).toMatchObject({ code: 'no_connection', status: undefined })
    expect(error.message).toContain(gone.url)
    expect(error.message).toContain('ECONNREFUSED')
  })

  test('a host that nobody knows, at once', async () => {
    const { client, time } = observedClient({ baseUrl: 'http://nowhere.invalid', apiKey: 'k' })
    const error = await failureOf(client.getKey())
    expect(error.code).toMatch(/^(unknown_host|no_connection)$/)
    if (error.code === 'unknown_host') expect(time.waitsMs).toEqual([])
  })

  test.each(['', 'nonsense', 'ftp://house.example', 'house.example:8080'])('no address: "%s"', (baseUrl) => {
    expect(() => new HypocaustClient({ baseUrl, apiKey: 'k' })).toThrow(
      expect.objectContaining({ code: 'invalid_address', message: expect.stringContaining(`"${baseUrl}"`) }),
    )
  })

  test.each(['', 'hyp_…', 'two words', 'line\nbreak'])('no key: %j', (apiKey) => {
    expect(() => new HypocaustClient({ baseUrl: 'http://127.0.0.1', apiKey })).toThrow(
      expect.objectContaining({ code: 'invalid_api_key' }),
    )
  })

  test('too slow', async () => {
    server = await serverThat(neverAnswering)
    const error = await failureOf(clientOf(server, { retries: 0, timeoutMs: 20 }).client.getKey())
    expect(error).toMatchObject({ code: 'timeout' })
  })

  test('a connection that breaks in the middle of the answer', async () => {
    server = await serverThat(
      (request, response) => {
        response.writeHead(200, { 'content-length': '1000' }).write('{"id":')
        setImmediate(() => request.socket.destroy())
      },
      answering(200, KEY),
    )
    const { client } = clientOf(server)
    expect(await client.getKey()).toEqual(KEY)
  })

  test('a web page where the service should be', async () => {
    server = await serverThat((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Router</h1>')
    })
    expect(await failureOf(clientOf(server).client.getKey())).toMatchObject({ code: 'unexpected_answer', status: 200 })
    expect(server.requests).toHaveLength(1)
  })

  test('a redirect is reported and not followed, so the key stays here', async () => {
    const elsewhere = await serverThat(answering(200, KEY))
    server = await serverThat(answering(301, {}, { location: `${elsewhere.url}/v1/key` }))
    const error = await failureOf(clientOf(server).client.getKey())
    expect(error).toMatchObject({ code: 'unexpected_answer', status: 301 })
    expect(error.message).toContain(elsewhere.url)
    expect(elsewhere.requests).toEqual([])
    await elsewhere.close()
  })

  test('a building that has moved is reported with its new address, as the service says it', async () => {
    const message = 'The building 1 has moved to https://cell-2.example.'
    const location = 'https://cell-2.example/v1/buildings'
    server = await serverThat(answering(307, { error: { code: 'moved', message } }, { location }))
    expect(await failureOf(clientOf(server).client.getKey())).toMatchObject({ code: 'moved', status: 307, message })
  })
})

describe('stopping', () => {
  test('a call ends with the reason of its signal', async () => {
    server = await serverThat(neverAnswering)
    const stop = new AbortController()
    const call = clientOf(server).client.getKey({ signal: stop.signal })
    stop.abort(new Error('enough'))
    expect(await failureOf(call)).toMatchObject({ message: 'enough' })
  })

  test('a wait ends with the reason of its signal', async () => {
    server = await serverThat(away({ 'retry-after': '50' }))
    const stop = new AbortController()
    const surroundings = {
      ...REAL_SURROUNDINGS,
      sleep: (ms: number, signal?: AbortSignal) => {
        const sleeping = REAL_SURROUNDINGS.sleep(ms, signal)
        stop.abort(new Error('enough'))
        return sleeping
      },
    }
    const client = new HypocaustClient({ baseUrl: server.url, apiKey: 'k', ...{ [SURROUNDINGS]: surroundings } })
    expect(await failureOf(client.getKey({ signal: stop.signal }))).toMatchObject({ message: 'enough' })
  })
})

describe('watching', () => {
  const troubles: string[] = []
  afterEach(() => troubles.splice(0))
  const watched = ({ client }: Observed, options = {}) =>
    client.watch('b', { intervalMs: 1000, onTrouble: ({ code }) => troubles.push(code), ...options })
  const broken = answering(500, { error: { code: 'internal_error', message: 'Oh.' } })
  const missing = answering(404, { error: { code: 'not_found', message: 'No such thing.' } })
  const paths = () => (server?.requests ?? []).map((line) => line.replace('GET /v1/', ''))

  test('outlives a failure inside the service', async () => {
    server = await serverThat(broken, house)
    const watching = watched(clientOf(server))
    expect((await watching.next()).done).toBe(false)
    await watching.return()
    expect(troubles).toEqual(['internal_error'])
  })

  test('a first look that failed is repeated without waiting for a change', async () => {
    server = await serverThat(broken, house)
    const watching = watched(clientOf(server))
    expect((await watching.next()).done).toBe(false)
    await watching.return()
    expect(paths()).toEqual(['buildings/b/state?wait=0', 'buildings/b/state?wait=0'])
  })

  test('waits trouble out, reports it, and goes on', async () => {
    server = await serverThat(away({ 'retry-after': '45' }), house)
    const observed = clientOf(server)
    const watching = watched(observed)
    expect((await watching.next()).done).toBe(false)
    await watching.return()
    expect(troubles).toEqual(['unavailable'])
    expect(observed.time.waitsMs).toEqual([45_000])
  })

  test('a lost connection is tried again, then the state is read at once and yielded, and waited for again', async () => {
    server = await serverThat(house, hangingUp, house, neverAnswering)
    const observed = clientOf(server)
    const stop = new AbortController()
    const watching = watched(observed, { signal: stop.signal })
    await watching.next()
    expect((await watching.next()).done).toBe(false)
    expect(troubles).toEqual(['no_connection'])
    const next = watching.next()
    const waits = ['wait=0', 'wait=50', 'wait=0', 'wait=50']
    await eventually(() => paths().length === waits.length)
    expect(paths()).toEqual(waits.map((wait) => `buildings/b/state?${wait}`))
    stop.abort()
    await next
  })

  test('a state that is the same after the wait is not yielded again', async () => {
    const unchanged: Turn = (_request, response) => response.writeHead(304, { etag: '"a"' }).end()
    server = await serverThat(house, unchanged, answering(200, stateWith('b', [])), neverAnswering)
    const watching = watched(clientOf(server))
    await watching.next()
    expect((await watching.next()).value?.rooms).toEqual([])
    await watching.return()
  })

  test('a service without states is polled, and asked for one again after trouble', async () => {
    const look = [house, house]
    server = await serverThat(missing, ...look, ...look, hangingUp, hangingUp, house, neverAnswering)
    const observed = clientOf(server)
    const stop = new AbortController()
    const watching = watched(observed, { signal: stop.signal })
    expect((await watching.next()).value?.alerts).toBeUndefined()
    const afterTrouble = await watching.next()
    expect(afterTrouble.value?.revision).toBe('a')
    expect(observed.time.waitsMs).toEqual([1000, 1000, 500])
    expect(paths()[7]).toBe('buildings/b/state?wait=0')
    stop.abort()
    await watching.return()
  })

  test('a building that was removed ends it', async () => {
    server = await serverThat(house, missing)
    const watching = watched(clientOf(server))
    await watching.next()
    expect(await failureOf(watching.next())).toMatchObject({ code: 'not_found' })
  })

  test('more buildings than a key may wait for are polled', async () => {
    server = await serverThat(house)
    const observed = clientOf(server)
    const stop = new AbortController()
    const watches = Array.from({ length: 41 }, () => watched(observed, { signal: stop.signal }))
    for (const each of watches) await each.next()
    const next = watches.at(-1)?.next()
    await eventually(() => paths().length > 42)
    expect(new Set(paths())).toEqual(new Set(['buildings/b/state?wait=0']))
    expect(new Set(observed.time.waitsMs)).toEqual(new Set([1000]))
    stop.abort()
    expect(await next).toEqual({ done: true, value: undefined })
    await Promise.all(watches.map((each) => each.return()))
  })
})
