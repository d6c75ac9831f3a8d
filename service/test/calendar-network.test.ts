import { CalendarServer } from '@hypocaust/testing/calendar-server.ts'
import { PATIENCE_MS } from '@hypocaust/testing/patience.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { calendarNetwork, httpAddress } from '../src/house/calendars/network.ts'

const NOTHING = { etag: null, lastModified: null }
/** Longer than a busy machine takes for an answer that comes. */
const BOUNDS = { timeoutMs: PATIENCE_MS, mostBytes: 10_000 }
const TEXT = 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n'

describe('a calendar is fetched', () => {
  const server = new CalendarServer()
  const open = calendarNetwork({ privateAddresses: true }, BOUNDS)
  const guarded = calendarNetwork({ privateAddresses: false }, BOUNDS)

  beforeAll(() => server.start())
  afterAll(() => server.stop())
  beforeEach(() => {
    server.asked.length = 0
  })

  const get = () => open.get(server.url, NOTHING)

  test('with its tag and its time, and only when it has changed', async () => {
    server.publish(TEXT, '"a"')
    const first = await get()
    expect(first).toEqual({ kind: 'content', text: TEXT, etag: '"a"', lastModified: null })
    const known = { etag: '"a"', lastModified: 'Thu, 01 Jan 2026 00:00:00 GMT' }
    expect(await open.get(server.url, known)).toEqual({ kind: 'unchanged' })
    expect(server.asked.map((headers) => [headers['if-none-match'], headers['if-modified-since']])).toEqual([
      [undefined, undefined],
      [known.etag, known.lastModified],
    ])
  })

  test.each([
    [404, 'not_found'],
    [410, 'not_found'],
    [401, 'not_permitted'],
    [403, 'not_permitted'],
    [500, 'refused'],
    [503, 'refused'],
    [204, 'refused'],
    [302, 'refused'],
  ])('from a server that answers %i without success: %s', async (status, problem) => {
    server.answer = (_request, response) => response.writeHead(status).end()
    expect(await get()).toEqual({ kind: 'problem', problem })
  })

  test('not beyond its size, however it is sent', async () => {
    server.answer = (_request, response) => {
      const send = () => {
        while (response.write('x'.repeat(1000)));
        response.once('drain', send)
      }
      response.writeHead(200)
      send()
    }
    expect(await get()).toEqual({ kind: 'problem', problem: 'too_large' })
  })

  test.each([
    ['says nothing', () => undefined],
    ['stops in the middle', (response: { write(text: string): unknown }) => void response.write('BEGIN:VCAL')],
  ])('not from a server that %s', async (_what, answer) => {
    server.answer = (_request, response) => answer(response)
    const hasty = calendarNetwork({ privateAddresses: true }, { ...BOUNDS, timeoutMs: 500 })
    expect(await hasty.get(server.url, NOTHING)).toEqual({ kind: 'problem', problem: 'timeout' })
  })

  test('not from a server that breaks off or is not there', async () => {
    server.answer = (request) => request.socket.destroy()
    expect(await get()).toEqual({ kind: 'problem', problem: 'unreachable' })
    expect(await open.get('http://127.0.0.1:1/', NOTHING)).toEqual({ kind: 'problem', problem: 'unreachable' })
  })

  test('by a few redirects, but not by many', async () => {
    const redirecting = (times: number) => {
      let left = times
      server.answer = (_request, response) =>
        left-- > 0 ? response.writeHead(307, { location: '/elsewhere' }).end() : response.end(TEXT)
    }
    redirecting(3)
    expect(await get()).toMatchObject({ kind: 'content', text: TEXT })
    redirecting(4)
    expect(await get()).toEqual({ kind: 'problem', problem: 'too_many_redirects' })
  })

  test('not where a redirect leaves HTTP', async () => {
    server.answer = (_request, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end()
    expect(await get()).toEqual({ kind: 'problem', problem: 'address_not_allowed' })
  })

  test.each([
    'http://calendar.example.org/a.ics',
    'https://127.0.0.1/a.ics',
    'https://[::1]/a.ics',
    'https://192.168.1.5/a.ics',
    'https://2130706433/a.ics',
    'https://cloud.local/a.ics',
    'https://user:secret@calendar.example.org/a.ics',
    'file:///etc/passwd',
    'nonsense',
  ])('not from %s unless the operator allows it', async (address) => {
    expect(guarded.accepts(address)).toBe(false)
    expect(await guarded.get(address, NOTHING)).toEqual({ kind: 'problem', problem: 'address_not_allowed' })
  })

  test('not from a private address to which a redirect leads', async () => {
    const reached = server.asked.length
    expect(await guarded.get(server.url, NOTHING)).toEqual({ kind: 'problem', problem: 'address_not_allowed' })
    expect(server.asked).toHaveLength(reached)
    expect(guarded.accepts('https://calendar.example.org/a.ics')).toBe(true)
  })

  test('by HTTPS where its address has the scheme of calendar programs', () => {
    expect(httpAddress('webcal://calendar.example.org/a.ics')).toBe('https://calendar.example.org/a.ics')
    expect(httpAddress('webcals://calendar.example.org/a.ics')).toBe('https://calendar.example.org/a.ics')
  })
})
