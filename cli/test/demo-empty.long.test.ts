import { start } from '@hypocaust/testing/command.ts'
import { eventually } from '@hypocaust/testing/eventually.ts'
import { temporaryFolder } from '@hypocaust/testing/folder.ts'
import { expect, test } from 'vitest'

test('the empty demo has no account, and its gateway takes the pairing code that the page shows', async () => {
  const own = temporaryFolder()
  const running = await start(own.path, [
    ...['demo', '--empty', '--port', '0', '--mqtt-port', '0', '--log-level', 'error', '--speed', '60'],
  ])
  expect(running.stdout).not.toContain('password')
  const headers = { 'content-type': 'application/json', cookie: '' }
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever fields it expects
  const call = async (method: string, path: string, body?: object): Promise<any> => {
    const answer = await fetch(`${running.url}/app${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0])
    if (cookies.length > 0) headers.cookie = cookies.join('; ')
    return answer.status === 204 ? undefined : await answer.json()
  }
  await call('POST', '/accounts', { email: 'ada@example.org', password: 'correct horse battery' })
  const place = { location: { lat: 59.91, lng: 10.75 }, timezone: 'Europe/Oslo' }
  const { id } = await call('POST', '/buildings', { name: 'Lakeside 12', ...place })
  await call('POST', `/buildings/${id}/gateways`, { name: 'cellar' })
  await eventually(async () => (await call('GET', `/buildings/${id}/sensors`)).length === 6)
  expect((await call('GET', `/buildings/${id}/loops`)).loops).toHaveLength(6)
  expect(await running.end('SIGTERM')).toBe(0)
  own.remove()
}, 300_000)
