import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const SCENARIO = join(import.meta.dirname, '../matter/leaving.ts')

test('a look that outlasts the last controller does not show the code that pairs nobody any more', {
  timeout: 180_000,
}, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [SCENARIO])
  const shown = JSON.parse(stdout) as { controllers: number; isOldCode: boolean }[]
  expect(shown).toContainEqual({ controllers: 0, isOldCode: false })
  expect(shown).not.toContainEqual({ controllers: 0, isOldCode: true })
})
