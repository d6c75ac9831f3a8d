import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const SOURCE = join(import.meta.dirname, '../src')
const BRANCHES = /\bengine\s*[!=]==|\[\s*(?:\w+\.)?engine\s*\]|switch\s*\(\s*(?:\w+\.)?engine/

const branchesOnEngine = (text: string): boolean => BRANCHES.test(text)

test('only store/ writes statements by engine', () => {
  const files = globSync('**/*.ts', { cwd: SOURCE }).filter((file) => !file.startsWith('store/'))
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter((file) => branchesOnEngine(readFileSync(join(SOURCE, file), 'utf8')))).toEqual([])
})

test.each(["if (store.engine === 'postgres')", "engine !== 'sqlite'", 'outdoorIn[engine]', 'switch (store.engine)'])(
  'such a branch is found: %s',
  (text) => expect(branchesOnEngine(text)).toBe(true),
)
