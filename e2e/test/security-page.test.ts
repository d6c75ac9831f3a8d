import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const PAGE = readFileSync(join(ROOT, 'docs/security.md'), 'utf8')

test('every risk of the OWASP API Top 10 names tests, and every test named is there', () => {
  const rows = PAGE.split('\n').filter((line) => /^\| API\d+ /.test(line))
  expect(rows.map((row) => /API(\d+)/.exec(row)?.[1])).toEqual(Array.from({ length: 10 }, (_, i) => String(i + 1)))
  for (const row of rows) {
    const named = [...row.matchAll(/`([\w/-]+(?:\.long)?\.test\.ts)`/g)].map(([, file = '']) => file)
    expect(named, row).not.toEqual([])
    // A file without a folder stands beside the one before it.
    let folder = ''
    for (const file of named) {
      if (file.includes('/')) folder = file.slice(0, file.lastIndexOf('/'))
      expect(existsSync(join(ROOT, folder, file.slice(file.lastIndexOf('/') + 1))), file).toBe(true)
    }
  }
})

test('every line of RFC 9700 names a test that is there, or says why there is none', () => {
  const section = PAGE.slice(PAGE.indexOf('RFC 9700 line by line'), PAGE.indexOf('Left open: tokens'))
  const rows = section.split('\n').filter((line) => /^\| (?:RFC )?\d/.test(line))
  expect(rows.length).toBeGreaterThan(25)
  const whole: Record<string, string> = {
    web: 'e2e/test/web-apps.long.test.ts',
    matrix: 'e2e/test/authorisation.long.test.ts',
  }
  for (const row of rows) {
    const [last = ''] = row.split('|').slice(-2)
    if (last.includes('none:')) continue
    const named = [...last.matchAll(/`([\w/.-]+)`/g)].map(([, name = '']) => name)
    expect(named, row).not.toEqual([])
    for (const name of named) {
      const file = name.endsWith('.ts') ? name : (whole[name] ?? `service/test/oauth-${name}.test.ts`)
      expect(existsSync(join(ROOT, file)), file).toBe(true)
    }
  }
})

test('every command it names is a script of the project', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const named = [...PAGE.matchAll(/`npm run ([\w:]+)`/g)].map(([, name]) => name)
  expect(named.length).toBeGreaterThan(3)
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named))
})
