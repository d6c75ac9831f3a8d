import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DAY_MS } from '@hypocaust/domain'
import { TestClock } from '@hypocaust/testing/clock.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isNewer, LatestRelease } from '../src/doors/latest-release.ts'

describe('the latest release', () => {
  let server: Server
  let requests: IncomingMessage[]
  let answer: (response: ServerResponse) => void
  beforeEach(async () => {
    requests = []
    server = createServer((request, response) => {
      requests.push(request)
      answer(response)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    answer = (response) =>
      response.end(
        JSON.stringify({ tag_name: 'v1.2.0', body: 'Warmer floors.', html_url: 'https://example.org/1.2.0' }),
      )
  })
  afterEach(() => server.close())

  const warnings: string[] = []
  const logger = { warn: (_: unknown, text?: string) => warnings.push(text ?? '') } as never
  const clock = new TestClock()
  const feed = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/releases/latest`
  const release = (version: string) => new LatestRelease({ feed: feed(), version, clock, logger })
  const NEWEST = { version: '1.2.0', notes: 'Warmer floors.', url: 'https://example.org/1.2.0' }

  test('is named where it is newer than this version', async () => {
    expect(await release('1.1.9').get()).toEqual(NEWEST)
    expect(await release('1.2.0').get()).toBeNull()
    expect(await release('2.0.0').get()).toBeNull()
  })

  test('is asked for once a day, and only when somebody looks', async () => {
    const latest = release('1.0.0')
    expect(requests).toHaveLength(0)
    await Promise.all([latest.get(), latest.get()])
    expect(requests).toHaveLength(1)
    clock.advance(DAY_MS)
    await latest.get()
    expect(requests).toHaveLength(2)
  })

  test('the feed learns nothing of the installation', async () => {
    await release('1.0.0').get()
    const sent = JSON.stringify([requests[0]?.url, requests[0]?.rawHeaders])
    expect(requests[0]?.headers['user-agent']).toBe('hypocaust')
    expect(sent).not.toContain('1.0.0')
  })

  test('a feed that fails keeps what is known, and is asked again the next day', async () => {
    const latest = release('1.0.0')
    await latest.get()
    answer = (response) => response.writeHead(500).end()
    clock.advance(DAY_MS)
    expect(await latest.get()).toEqual(NEWEST)
    expect(warnings).toContainEqual(expect.stringContaining('asked again tomorrow'))
    answer = (response) => response.end('{"tag_name":7}')
    clock.advance(DAY_MS)
    expect(await latest.get()).toEqual(NEWEST)
  })

  test('without a feed nobody is asked', async () => {
    expect(await new LatestRelease({ version: '1.0.0', clock, logger }).get()).toBeNull()
  })
})

test.each([
  ['1.10.0', '1.9.0', true],
  ['1.9.0', '1.10.0', false],
  ['2.0.0-rc.1', '1.0.0', false],
  ['latest', '1.0.0', false],
])('%s is newer than %s: %s', (name, version, expected) => {
  expect(isNewer(name, version)).toBe(expected)
})
