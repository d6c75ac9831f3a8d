import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changeIn, pollIn } from '../src/doors/http/v1/request-bytes.ts'

const ID = '019bb0f4-0001-7000-8000-0000000000ab'
const START = `GET /v1/buildings/${ID}/rooms HTTP/1.1\r\n`
const bytes = (...lines: string[]) =>
  Buffer.from(`${START}${lines.map((line) => `${line}\r\n`).join('')}\r\n`, 'latin1')

test('a poll is recognised with what it is answered by, whatever the case of its letters', () => {
  const upper = Buffer.from(String(bytes('HOST: a', 'X-Api-Key:  hyp_x ')).replace(ID, ID.toUpperCase()))
  const all = bytes('host: a', 'accept: */*', 'x-request-id: 7', 'if-none-match: "a", "b"', 'connection: Keep-Alive')
  expect(pollIn(upper)).toEqual({ buildingId: ID, headers: { host: 'a', 'x-api-key': 'hyp_x' } })
  expect(pollIn(all)?.headers).toEqual({ host: 'a', 'x-request-id': '7', 'if-none-match': '"a", "b"' })
})

test.each([
  ['half of one', bytes('host: a').subarray(0, -1)],
  ['two of them', Buffer.concat([bytes('host: a'), bytes('host: a')])],
  ['one with a body', bytes('host: a', 'content-length: 1')],
  ['one without a host', bytes('accept: */*')],
  ['one with two hosts', bytes('host: a', 'Host: b')],
  ['one with two keys', bytes('host: a', 'x-api-key: a', 'x-api-key: b')],
  ['the last one on its connection', bytes('host: a', 'connection: close')],
  ['one that says so as if to a proxy', bytes('host: a', 'proxy-connection: close')],
  ['one that wants to upgrade', bytes('host: a', 'connection: upgrade', 'upgrade: websocket')],
  ['one with a folded line', bytes('host: a', 'accept: a', ' b')],
  ['one with a space before a colon', bytes('host : a')],
  ['one with lines that end without a return', Buffer.from(String(bytes('host: a')).replaceAll('\r', ''))],
  ['one with a control character', bytes('host: a', 'accept: \0')],
  ['one with a query', Buffer.from(String(bytes('host: a')).replace('/rooms', '/rooms?a=b'))],
  ['one with more than 4 kB', bytes('host: a', `accept: ${'x'.repeat(4096)}`)],
])('%s is for the server that answers everything else', (_what, request) => {
  expect(pollIn(request)).toBeUndefined()
})

const ROOM = '019bb0f4-0002-7000-8000-0000000000cd'
const PATCH = `/v1/buildings/${ID}/rooms/${ROOM}`
const JSON_LINES = ['host: a', 'content-type: application/json']
const change = (body: string, ...lines: string[]) =>
  Buffer.from(`PATCH ${PATCH} HTTP/1.1\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n${body}`, 'latin1')

test('a change of a room is recognised with its body', () => {
  const upper = change('{}', 'HOST: a', 'Content-Type: application/json; charset=UTF-8', 'Content-Length: 2')
  expect(changeIn(change('{"a":1}', ...JSON_LINES, 'x-api-key: hyp_x', 'content-length: 7'))).toMatchObject({
    ...{ path: PATCH, buildingId: ID, roomId: ROOM, body: Buffer.from('{"a":1}') },
    headers: { host: 'a', 'x-api-key': 'hyp_x' },
  })
  expect(changeIn(Buffer.from(String(upper).replace(ROOM, ROOM.toUpperCase())))).toMatchObject({
    ...{ path: PATCH.replace(ROOM, ROOM.toUpperCase()), roomId: ROOM },
  })
})

test.each([
  ['a poll', bytes('host: a')],
  ['one without its body', change('', ...JSON_LINES, 'content-length: 2')],
  ['one with half of its body', change('{', ...JSON_LINES, 'content-length: 2')],
  ['one with more than its body', change('{}G', ...JSON_LINES, 'content-length: 2')],
  ['one whose length is written another way', change('{}', ...JSON_LINES, 'content-length: 02')],
  ['one without a length', change('{}', ...JSON_LINES)],
  ['one with two lengths', change('{}', ...JSON_LINES, 'content-length: 2', 'content-length: 2')],
  ['one in chunks', change('2\r\n{}\r\n0\r\n\r\n', ...JSON_LINES, 'transfer-encoding: chunked')],
  ['one in chunks with a length', change('{}', ...JSON_LINES, 'content-length: 2', 'transfer-encoding: chunked')],
  ['one with Expect: 100-continue', change('{}', ...JSON_LINES, 'content-length: 2', 'expect: 100-continue')],
  ['one with a condition', change('{}', ...JSON_LINES, 'content-length: 2', 'if-match: "a"')],
  ['one of another type', change('{}', 'host: a', 'content-type: text/plain', 'content-length: 2')],
  ['one in another character set', change('{}', 'host: a', 'content-type: application/json; charset=utf-16')],
  ['one without a host', change('{}', 'content-type: application/json', 'content-length: 2')],
  ['the last one on its connection', change('{}', ...JSON_LINES, 'content-length: 2', 'connection: close')],
  ['one with more than 4 kB', change('x'.repeat(4096), ...JSON_LINES, 'content-length: 4096')],
])('%s is for the server that answers everything but changes', (_what, request) => {
  expect(changeIn(request)).toBeUndefined()
})

describe('beside the parser of Node', () => {
  const server = createServer({ requireHostHeader: false })
  beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'))
  afterAll(() => void server.close())

  /** What Node's parser makes of the bytes: its requests, as far as a poll goes by them. */
  async function parsed(request: Buffer) {
    const seen: object[] = []
    const note = async (request: IncomingMessage, response: ServerResponse) => {
      const { method, url, headers, rawHeaders } = request
      const hosts = rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host')
      const { host, connection: _, ...rest } = headers
      const body = Buffer.concat(await Array.fromAsync(request))
      seen.push({ method, url: url?.toLowerCase(), hosts: hosts.length, host, ...rest, body })
      response.end()
    }
    server.on('request', note)
    const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' })
    socket.end(request)
    let answer = ''
    for await (const chunk of socket) answer += chunk
    server.removeAllListeners('request')
    return { seen, isRefused: answer.startsWith('HTTP/1.1 400'), isKept: !/^connection: close/im.test(answer) }
  }

  const name = fc.constantFrom(
    'host',
    'Host',
    'x-api-key',
    'X-API-KEY',
    'if-none-match',
    'x-request-id',
    'content-length',
  )
  const odd = fc.constantFrom(
    '',
    ' ',
    '\t',
    '\r',
    '\n',
    '\r\n',
    '\0',
    ':',
    'ä',
    '"',
    '\u007f',
    '1',
    'keep-alive',
    'close',
    'chunked',
  )
  const line = fc
    .tuple(
      fc.oneof(name, fc.constantFrom('accept', 'connection', 'proxy-connection', 'transfer-encoding', ' x', 'a b', '')),
      fc.array(odd, { maxLength: 4 }),
    )
    .map(([left, right]) => `${left}:${right.join('')}`)

  /** By Node's parser, as one request with these headers, after which the connection is kept. */
  async function isReadAlike(request: Buffer, headers: object, names: string[], expected: object): Promise<void> {
    const { seen, isRefused, isKept } = await parsed(request)
    expect([isRefused, isKept]).toEqual([false, true])
    expect(seen).toHaveLength(1)
    expect(seen[0]).toMatchObject({ hosts: 1, ...headers, ...expected })
    for (const header of names) expect(header in (seen[0] ?? {})).toBe(header in headers)
  }

  test('whatever is recognised, Node reads as the same request and as nothing more', async () => {
    let recognised = 0
    const lines = fc.array(line, { maxLength: 4 }).map((some) => ['host: a', ...some])
    await fc.assert(
      fc.asyncProperty(lines, async (some) => {
        const request = bytes(...some)
        const poll = pollIn(request)
        if (!poll) return
        recognised++
        const names = ['x-api-key', 'if-none-match', 'x-request-id']
        await isReadAlike(request, poll.headers, names, { method: 'GET', url: `/v1/buildings/${ID}/rooms` })
      }),
      { numRuns: 400 },
    )
    expect(recognised).toBeGreaterThan(20)
  })

  test('so it is with changes and their bodies', async () => {
    let recognised = 0
    const lines = fc.array(fc.oneof(line, fc.constantFrom('content-length: 2', 'content-length: 3', 'expect: x')), {
      maxLength: 3,
    })
    const body = fc.constantFrom('{}', '{} ', '{}\n', '{', '{}G', '{}\r\n')
    await fc.assert(
      fc.asyncProperty(lines, body, async (some, sent) => {
        const request = change(sent, ...JSON_LINES, `content-length: ${sent.length}`, ...some)
        const found = changeIn(request)
        if (!found) return
        recognised++
        const names = ['x-api-key', 'x-request-id']
        await isReadAlike(request, found.headers, names, { method: 'PATCH', url: PATCH, body: found.body })
      }),
      { numRuns: 400 },
    )
    expect(recognised).toBeGreaterThan(20)
  })
})
