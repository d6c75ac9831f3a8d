import { expect, test } from 'vitest'
import { isKept, keptUnder } from '../worker/kept.ts'

const HOST = 'https://heating.example'
const kept = (path: string, method = 'GET', below = '') =>
  isKept({ method, url: HOST + below + path }, `${HOST}${below}/`)
/** At the root, and below a path that itself looks like one of the site's. */
const PLACES = ['', '/api/hassio_ingress/token', '/app/heating']

test.each([
  '/app/account/archive',
  '/app/account/removal',
  '/app/keys',
  '/app/keys?all=1',
  '/app/sessions',
  '/app/passkeys',
  '/app/webhooks',
  '/app/events',
  '/app/rooms/1/history.csv',
  '/v1/buildings',
])('the phone keeps no answer of %s', (path) =>
  expect(PLACES.map((below) => kept(path, 'GET', below))).toEqual([false, false, false]),
)

test.each(['/app/session', '/app/buildings', '/app/rooms/1/history'])(
  'the phone keeps the last answer of %s',
  (path) => {
    expect(PLACES.map((below) => kept(path, 'GET', below))).toEqual([true, true, true])
    expect(kept(path, 'POST')).toBe(false)
  },
)

test('charts up to now of one length share a place, whatever the time; one of the past keeps its own', () => {
  const nowS = 1_800_000_000
  const under = (fromS: number, toS: number) =>
    keptUnder(`${HOST}/app/rooms/1/history?from=${fromS}&to=${toS}`, nowS * 1000)
  expect(under(nowS - 86_400, nowS)).toBe('/app/rooms/1/history?length=86400')
  expect(under(nowS - 86_100, nowS + 300)).toBe(under(nowS - 86_400, nowS))
  expect(under(nowS - 604_800, nowS)).not.toBe(under(nowS - 86_400, nowS))
  expect(under(0, 86_400)).toContain('from=0')
})
