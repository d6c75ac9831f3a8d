import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { openStore, systemClock } from '@hypocaust/service'
import { hypocaust } from '@hypocaust/testing/command.ts'
import { temporaryFolder } from '@hypocaust/testing/folder.ts'
import { BATHROOM_SENSOR, HOUSE, settleHolder } from '@hypocaust/testing/houses.ts'
import { expect, test } from 'vitest'

const TOKEN = 'a-token-that-nobody-may-see'

test('a problem report names version, settings and gateways, and no secret', async () => {
  const folder = temporaryFolder()
  const data = join(folder.path, 'data')
  const store = await openStore(data)
  await settleHolder(store, systemClock, 'ada@example.org', HOUSE)
  await store.close()
  const args = ['report', 'problem.json', '--room', 'Bathroom', '--data', data]
  const { code, stderr } = await hypocaust(folder.path, args, '', { HYPOCAUST_METRICS_TOKEN: TOKEN })
  expect([code, stderr]).toEqual([0, ''])
  const file = join(folder.path, 'problem.json')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const text = readFileSync(file, 'utf8')
  expect(JSON.parse(text)).toMatchObject({
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    settings: { metrics_token: 'set, not shown', port: 8080 },
    checks: expect.arrayContaining([expect.objectContaining({ check: 'Node', ok: true })]),
    room: { name: 'Bathroom' },
  })
  for (const secret of [TOKEN, 'hyp_', 'ada@example.org', BATHROOM_SENSOR]) expect(text).not.toContain(secret)
  folder.remove()
})
