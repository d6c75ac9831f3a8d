import { join } from 'node:path'
import { carriedOut, hypocaust } from '@hypocaust/testing/command.ts'
import { temporaryFolder } from '@hypocaust/testing/folder.ts'
import { afterAll, expect, test } from 'vitest'
import { openStore } from '../../service/src/store/open.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())
const data = join(folder.path, 'house')
const run = (...args: string[]) => carriedOut([...args, '--data', data])

test('a script is given the buildings that need a person now, with their alerts, and no others', async () => {
  const account = ['account', 'create', 'ada@example.org', '--password-stdin', '--data', data]
  await hypocaust(folder.path, account, 'correct horse battery\n')
  await run('building', 'apply', join(import.meta.dirname, 'house.yaml'), '--account', 'ada@example.org')
  expect((await run('building', 'list', '--json')).json).toHaveLength(1)

  const store = await openStore(data)
  const report = (gatewayMs: number, sensorMs: number) =>
    store.batch([
      store.db.updateTable('gateways').set({ lastSeenAt: gatewayMs, createdAt: gatewayMs } as never),
      store.db.updateTable('sensors').set({ measuredAt: sensorMs, receivedAt: sensorMs, temperatureC: 20 }),
    ])
  await report(Date.now(), Date.now())
  const quiet = await run('building', 'list', '--needs-attention')
  expect(quiet.stdout).toBe('No building needs attention.\n')

  const hourAgoMs = Date.now() - 2 * 3_600_000
  await report(hourAgoMs, hourAgoMs)
  const { json } = await run('building', 'list', '--needs-attention', '--json')
  expect(json).toMatchObject([{ account: 'ada@example.org', alerts: [{ kind: 'building_silent', room: null }] }])
  const { stdout } = await run('building', 'list', '--needs-attention')
  expect(stdout).toContain('building_silent')
  await store.close()
})
