import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pollIn } from '../src/doors/http/v1/poll-bytes.ts'

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

describe('beside the parser of Node', () => {
  const server = createServer({ requireHostHeader: false })
  beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'))
  afterAll(() => void server.close())

  /** What Node's parser makes of the bytes: its requests, as far as a poll goes by them. */
  async function parsed(request: Buffer) {
    const seen: object[] = []
    const note = ({ method, url, headers, rawHeaders }: IncomingMessage) => {
      const hosts = rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host')
      const { host, connection: _, ...rest } = headers
      seen.push({ method, url: url?.toLowerCase(), hosts: hosts.length, host, ...rest })
    }
    server.on('request', note).on('request', (_, response) => response.end())
    const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' })
    socket.end(request)
    let answer = ''
    for await (const chunk of socket) answer += chunk
    server.removeAllListeners('request')
    return { seen, isRefused: answer.startsWith('HTTP/1.1 400') }
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
    'chunked',
  )
  const line = fc
    .tuple(
      fc.oneof(name, fc.constantFrom('accept', 'connection', 'transfer-encoding', ' x', 'a b', '')),
      fc.array(odd, { maxLength: 4 }),
    )
    .map(([left, right]) => `${left}:${right.join('')}`)

  test('whatever is recognised, Node reads as the same request and as nothing more', async () => {
    let recognised = 0
    const lines = fc.array(line, { maxLength: 4 }).map((some) => ['host: a', ...some])
    await fc.assert(
      fc.asyncProperty(lines, async (some) => {
        const request = bytes(...some)
        const poll = pollIn(request)
        if (!poll) return
        recognised++
        const { seen, isRefused } = await parsed(request)
        expect(isRefused).toBe(false)
        expect(seen).toHaveLength(1)
        expect(seen[0]).toMatchObject({ method: 'GET', url: `/v1/buildings/${ID}/rooms`, hosts: 1, ...poll.headers })
        for (const header of ['x-api-key', 'if-none-match', 'x-request-id'])
          expect(header in (seen[0] ?? {})).toBe(header in poll.headers)
      }),
      { numRuns: 400 },
    )
    expect(recognised).toBeGreaterThan(20)
  })
})
