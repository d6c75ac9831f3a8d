import { expect, test, vi } from 'vitest'
import { isKept, keptUnder } from '../service-worker.ts'

const kept = (path: string, method = 'GET', below = '') => {
  vi.stubGlobal('registration', { scope: `https://heating.example${below}/` })
  const url = new URL(below + path, 'https://heating.example')
  return isKept({ url, request: new Request(url, { method }) })
}
/** At the root, and below a path that itself looks like one of the site's. */
const PLACES = ['', '/api/hassio_ingress/token', '/app/heating']

test.each([
  '/app/keys',
  '/app/keys?all=1',
  '/app/sessions',
  '/app/passkeys',
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

test('charts up to now of one length share a place, whatever the time; one of the past keeps its own', async () => {
  const nowS = Math.floor(Date.now() / 1000)
  const under = (fromS: number, toS: number) =>
    keptUnder({ request: new Request(`https://heating.example/app/rooms/1/history?from=${fromS}&to=${toS}`) })
  expect(await under(nowS - 86_400, nowS)).toBe('/app/rooms/1/history?length=86400')
  expect(await under(nowS - 86_100, nowS + 300)).toBe(await under(nowS - 86_400, nowS))
  expect(await under(nowS - 604_800, nowS)).not.toBe(await under(nowS - 86_400, nowS))
  expect(await under(0, 86_400)).toContain('from=0')
})
