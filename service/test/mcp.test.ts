import { openWorld, type World } from '@hypocaust/testing/world.ts'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createLogger } from '../src/base/logger.ts'

let lines: string[] = []
let world: World
let address: string

beforeAll(async () => {
  world = await openWorld('sqlite', {
    logger: createLogger('info', { write: (line) => lines.push(line) }),
    limits: { read: 120, write: 5 },
  })
  address = await world.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => world.close())
beforeEach(async () => {
  lines = []
  world.clock.advance(60_000)
  await world.reset()
})

async function assistant(headers: Record<string, string>): Promise<Client> {
  const client = new Client({ name: 'assistant', version: '1.0.0' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${address}/mcp`), { requestInit: { headers } }))
  return client
}

const reader = () => assistant({ authorization: `Bearer ${world.holder.readKey}` })
const writer = () => assistant({ 'x-api-key': world.holder.writeKey })
const bathroom = () => ({ building_id: world.holder.buildingId, room_id: world.bathroomId })

async function call(client: Client, name: string, args: Record<string, unknown> = {}) {
  const { structuredContent, isError, content } = await client.callTool({ name, arguments: args })
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever fields it expects
  return { value: structuredContent as any, isError: isError === true, text: JSON.stringify(content) }
}

test('lists the buildings and rooms of the key and no others', async () => {
  const { value } = await call(await reader(), 'list_rooms')
  const rooms = (await world.get(world.roomsPath)).json
  expect(value.buildings).toHaveLength(1)
  expect(value.buildings[0]).toMatchObject({ id: world.holder.buildingId, rooms })
})

test('explains a room, lists alerts and summarises the history', async () => {
  const client = await reader()
  const { explanation } = (await call(client, 'explain_room', bathroom())).value
  expect(explanation).toEqual((await world.get(`${world.bathroomPath}/explanation`)).json)
  const { alerts } = (await call(client, 'list_alerts', bathroom())).value
  expect(alerts).toEqual((await world.get(`${world.buildingPath}/alerts`)).json)
  const { summary } = (await call(client, 'summarise_history', bathroom())).value
  expect(Date.parse(summary.to)).toBe(world.clock.now())
  expect(Date.parse(summary.to) - Date.parse(summary.from)).toBe(24 * 3_600_000)
})

test('with a write key a target is proposed without effect, then set, and the log names the key', async () => {
  const client = await writer()
  const change = { target_temperature: 22.5 }
  const proposed = await call(client, 'propose_room_change', { ...bathroom(), change })
  expect(proposed.value).toEqual({ room: 'Bathroom', changes: [{ field: 'target_temperature', from: 20, to: 22.5 }] })
  expect((await world.bathroom()).target_temperature).toBe(20)
  expect(lines).toEqual([])
  const { value } = await call(client, 'change_room', { ...bathroom(), change })
  expect(value.room.target_temperature).toBe(22.5)
  expect((await world.bathroom()).target_temperature).toBe(22.5)
  const { name } = (await world.get('/v1/key', { key: world.holder.writeKey })).json
  const logged = lines.map((line) => JSON.parse(line))
  expect(logged).toMatchObject([{ method: 'PATCH', path: world.bathroomPath, key: { name } }])
})

test('an override and an absence are set and ended, and the outlook shows them', async () => {
  const client = await writer()
  const until = new Date(world.clock.now() + 7_200_000).toISOString()
  const { override } = (await call(client, 'override_room', { ...bathroom(), target_temperature: 23, until })).value
  expect(override).toEqual({ target_temperature: 23, until })
  const during = (await call(client, 'room_outlook', bathroom())).value
  expect(during).toMatchObject({ outlook: { setpoint: 23, reason: 'override' }, override })
  await call(client, 'end_override', bathroom())
  expect((await call(client, 'room_outlook', bathroom())).value.override).toBeNull()
  const { away } = (await call(client, 'set_away', { ...bathroom(), until, target_temperature: 15 })).value
  expect((await call(client, 'get_away', bathroom())).value).toEqual({ away })
  await call(client, 'end_away', bathroom())
  expect((await call(client, 'get_away', bathroom())).value).toEqual({ away: null })
})

test('a key that may only read has no tool that writes', async () => {
  const client = await reader()
  const names = (await client.listTools()).tools.map(({ name }) => name)
  const writing = (await (await writer()).listTools()).tools.map(({ name }) => name).filter((n) => !names.includes(n))
  expect(writing).toContain('change_room')
  const args = { ...bathroom(), change: { target_temperature: 25 } }
  const refused = await call(client, 'change_room', args).catch((error: Error) => error)
  expect(refused).toSatisfy((it) => it instanceof Error || it.isError)
  expect((await world.bathroom()).target_temperature).toBe(20)
})

test('a refusal of the service reaches the assistant in words', async () => {
  const client = await writer()
  const tooHot = await call(client, 'change_room', { ...bathroom(), change: { target_temperature: 99 } })
  expect(tooHot).toMatchObject({ isError: true, text: expect.stringContaining('invalid_value') })
  const foreign = { building_id: world.stranger.buildingId, room_id: world.stranger.roomIds[0] }
  for (const name of ['explain_room', 'summarise_history', 'list_alerts', 'propose_room_change', 'change_room']) {
    const answer = await call(client, name, { ...foreign, change: { target_temperature: 21 } })
    expect(answer).toMatchObject({ isError: true, text: expect.stringContaining('No such building') })
  }
  const noTime = await call(client, 'summarise_history', { ...bathroom(), from: 'yesterday' })
  expect(noTime).toMatchObject({ isError: true, text: expect.stringContaining('from must be a time') })
})

test('unknown fields of a change are refused', async () => {
  const client = await writer()
  const args = { ...bathroom(), change: { sensor_id: 'aa:bb', target_temperature: 22 } }
  const answer = await call(client, 'change_room', args).catch((error: Error) => error)
  expect(answer).toSatisfy((it) => it instanceof Error || it.isError)
  expect((await world.bathroom()).target_temperature).toBe(20)
})

test('without a valid key nothing is served, in the shape of every error', async () => {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const none = await world.call('POST', '/mcp', { body })
  expect(none).toMatchObject({ status: 401, json: { error: { code: 'missing_api_key' } } })
  expect(none.headers['www-authenticate']).toBeDefined()
  const wrong = await world.call('POST', '/mcp', { body, headers: { authorization: 'Bearer hyp_wrong' } })
  expect(wrong).toMatchObject({ status: 401, json: { error: { code: 'invalid_api_key' } } })
})

test('every message costs three reads, so that nobody keeps the service busy with messages', async () => {
  const body = { jsonrpc: '2.0', id: 1, method: 'ping' }
  const headers = { accept: 'application/json, text/event-stream' }
  const statuses = []
  for (let i = 0; i < 41; i++)
    statuses.push((await world.call('POST', '/mcp', { key: world.holder.readKey, body, headers })).status)
  expect(statuses.slice(0, 40)).not.toContain(429)
  expect(statuses[40]).toBe(429)
})

test('a batch is refused: the protocol has none any more, and a hundred messages would cost as much as one', async () => {
  const messages = Array.from({ length: 100 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/list' }))
  const { status, json } = await world.call('POST', '/mcp', { key: world.holder.readKey, body: messages })
  expect([status, json.error.code]).toEqual([400, 'invalid_body'])
})

test('a stream that stays open keeps no other message of its key waiting', async () => {
  const headers = { accept: 'application/json, text/event-stream' }
  const send = (method: string, signal: AbortSignal | null = null) =>
    fetch(`${address}/mcp`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'x-api-key': world.holder.readKey },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method }),
      signal,
    })
  const ends = new AbortController()
  const streams = Array.from({ length: 10 }, () => send('subscriptions/listen', ends.signal))
  expect((await send('ping')).status).toBe(200)
  ends.abort()
  await Promise.allSettled(streams)
})

test('GET is answered with the methods there are, also to a browser', async () => {
  const { status, headers, json } = await world.call('GET', '/mcp', { headers: { accept: 'text/html' } })
  expect(status).toBe(405)
  expect(headers.allow).toBe('POST')
  expect(json.error.code).toBe('method_not_allowed')
})

test('an assistant of the protocol’s 2025 revisions is served too', async () => {
  const headers = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' }
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'older', version: '1' } }
  const call = (id: number, method: string, params: object) =>
    world.call('POST', '/mcp', {
      key: world.holder.readKey,
      headers,
      body: { jsonrpc: '2.0', id, method, params },
    })
  const opened = await call(1, 'initialize', params)
  expect(opened.text).toContain('"protocolVersion":"2025-06-18"')
  const listed = await call(2, 'tools/call', { name: 'list_rooms', arguments: {} })
  expect(listed.text).toContain('Bathroom')
})
