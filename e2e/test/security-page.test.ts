import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const PAGE = readFileSync(join(ROOT, 'docs/security.md'), 'utf8')

test('every risk of the OWASP API Top 10 names tests, and every test named is there', () => {
  const rows = PAGE.split('\n').filter((line) => /^\| API\d+ /.test(line))
  expect(rows.map((row) => /API(\d+)/.exec(row)?.[1])).toEqual(Array.from({ length: 10 }, (_, i) => String(i + 1)))
  for (const row of rows) {
    const named = [...row.matchAll(/`([\w/-]+\.test\.ts)`/g)].map(([, file = '']) => file)
    expect(named, row).not.toEqual([])
    // A file without a folder stands beside the one before it.
    let folder = ''
    for (const file of named) {
      if (file.includes('/')) folder = file.slice(0, file.lastIndexOf('/'))
      expect(existsSync(join(ROOT, folder, file.slice(file.lastIndexOf('/') + 1))), file).toBe(true)
    }
  }
})

test('every command it names is a script of the project', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const named = [...PAGE.matchAll(/`npm run ([\w:]+)`/g)].map(([, name]) => name)
  expect(named.length).toBeGreaterThan(3)
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named))
})
