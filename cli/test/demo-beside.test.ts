import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readSettings, startService } from '@hypocaust/service'
import { temporaryFolder } from '@hypocaust/testing/folder.ts'
import { expect, test } from 'vitest'
import { runDemo } from '../src/demo/run.ts'

test('a demo writes nothing into the data of a service that runs', async () => {
  const folder = temporaryFolder()
  const settings = readSettings({ data: folder.path, port: 0, mqtt_port: 0, log_level: 'silent' }, {}, 'none.yaml')
  const service = await startService(settings)
  const demo = runDemo(settings, { speed: 1, kinds: null, seed: 1, hasShadow: false })
  await expect(demo).rejects.toThrow(/another hypocaust serve uses the data folder/)
  expect(existsSync(join(folder.path, 'demo.json'))).toBe(false)
  await service.stop()
  folder.remove()
})
