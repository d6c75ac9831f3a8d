import { expect, test } from 'vitest'
import { isKept } from '../service-worker.ts'

const kept = (path: string, method = 'GET') => {
  const url = new URL(path, 'https://heating.example')
  return isKept({ url, request: new Request(url, { method }), sameOrigin: true })
}

test.each(['/app/keys', '/app/sessions', '/app/passkeys', '/app/events', '/app/rooms/1/history.csv', '/v1/buildings'])(
  'the phone keeps no answer of %s',
  (path) => expect(kept(path)).toBe(false),
)

test.each(['/app/session', '/app/buildings', '/app/rooms/1/history'])(
  'the phone keeps the last answer of %s',
  (path) => {
    expect(kept(path)).toBe(true)
    expect(kept(path, 'POST')).toBe(false)
  },
)
