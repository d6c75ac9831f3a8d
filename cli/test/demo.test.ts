import type { Room } from '@hypocaust/domain'
import { hypocaust, start } from '@hypocaust/testing/command.ts'
import { temporaryFolder } from '@hypocaust/testing/folder.ts'
import { afterAll, expect, test } from 'vitest'
import { HypocaustClient } from '../../client/src/client.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

const demo = (...flags: string[]) =>
  start(folder.path, ['demo', '--port', '0', '--mqtt-port', '0', '--log-level', 'error', ...flags])

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
}, 300_000)

test('on a bad day a client that follows the house sees a sensor lost, the building silent, and both come back', async () => {
  const running = await demo('--faults', 'sensor,silence', '--speed', '600')
  const [readKey = ''] = running.stdout.match(/hyp_\w{38}/) ?? []
  const [, buildingId = ''] = /buildings\/([\w-]+)/.exec(running.stdout) ?? []
  const client = new HypocaustClient({ baseUrl: running.url, apiKey: readKey })
  const seen = new Set<string>()
  for await (const { building, rooms } of client.watch(buildingId)) {
    if (building.available === false) seen.add('silence')
    else if (rooms.some(({ current_temperature }) => current_temperature === null)) seen.add('sensor')
    else if (seen.size === 2) break
  }
  expect(running.stdout).toContain('Injecting faults: sensor, silence (seed 1).')
  expect(await running.end('SIGTERM')).toBe(0)
}, 300_000)

test('a service that is none of a demo has no bad days to offer', async () => {
  const { code, stderr } = await hypocaust(folder.path, ['serve', '--faults'])
  expect([code, stderr]).toEqual([2, "hypocaust: unknown option '--faults'\n"])
})
