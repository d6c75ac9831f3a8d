import type { Room } from '@hypocaust/domain'
import { afterAll, expect, test } from 'vitest'
import { start, temporaryFolder } from './command.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

const demo = () => start(folder.path, ['demo', '--port', '0', '--mqtt-port', '0', '--log-level', 'error'])

test('the demo furnishes a house, tells how to get in, and does so once', async () => {
  const first = await demo()
  const [readKey, writeKey] = first.stdout.match(/hyp_\w{38}/g) ?? []
  expect(first.stdout).toMatch(/Account .*@.* password /)
  const [, curlKey, curlUrl] = /curl -s -H 'x-api-key: (\S+)' (\S+)/.exec(first.stdout) ?? []
  expect(curlKey).toBe(readKey)

  const rooms = await (await fetch(curlUrl ?? '', { headers: { 'x-api-key': curlKey ?? '' } })).json()
  expect(rooms).toHaveLength(6)
  for (const room of rooms as Room[]) expect(room.current_temperature).toBeTypeOf('number')
  const permissions = await Promise.all(
    [readKey, writeKey].map(async (key) => {
      const answer = await fetch(`${first.url}/v1/key`, { headers: { 'x-api-key': key ?? '' } })
      return ((await answer.json()) as { permission: string }).permission
    }),
  )
  expect(permissions).toEqual(['read', 'write'])
  expect(await first.end('SIGTERM')).toBe(0)

  const second = await demo()
  expect(second.stdout.replaceAll(second.url, '')).toBe(first.stdout.replaceAll(first.url, ''))
  expect(await second.end('SIGTERM')).toBe(0)
}, 120_000)
