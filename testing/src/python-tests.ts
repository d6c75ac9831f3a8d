import { readFileSync } from 'node:fs'

/** What unittest prints once it has run every test of this file, and all of them passed. */
export function allPassed(file: string): RegExp {
  const tests = readFileSync(file, 'utf8').match(/def test_/g) ?? []
  return new RegExp(`Ran ${tests.length} tests in [\\d.]+s\\n\\nOK`)
}
