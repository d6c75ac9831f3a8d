import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const SCENARIO = join(import.meta.dirname, '../matter/leaving.ts')

test.each([
  ['during-a-look', 'a look that outlasts the last controller'],
  ['between-looks', 'a look right after the last controller has left'],
])('%s: %s does not show the code that pairs nobody any more', { timeout: 180_000 }, async (when) => {
  const { stdout } = await promisify(execFile)(process.execPath, [SCENARIO, when])
  const shown = JSON.parse(stdout) as { controllers: number; isOldCode: boolean }[]
  expect(shown).toContainEqual({ controllers: 0, isOldCode: false })
  expect(shown).not.toContainEqual({ controllers: 0, isOldCode: true })
})
