import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { FLOOR_TYPES, fallbackAfterS, WINDOW_S } from '@hypocaust/domain/facts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { importsOf } from '../../scripts/directions.ts'

const FACTS = join(import.meta.dirname, '../src/facts')

test.each(readdirSync(FACTS))('facts/%s needs no package, so the website can import it', (file) => {
  const imports = importsOf(readFileSync(join(FACTS, file), 'utf8'))
  expect(imports.filter((specifier) => !/^\.\/[a-z-]+\.ts$/.test(specifier))).toEqual([])
})

test('a gateway follows a command for three windows of its slowest floor', () => {
  const floors = fc.array(fc.constantFrom(...FLOOR_TYPES), { minLength: 1 })
  fc.assert(
    fc.property(floors, (types) => {
      const windows = types.map((type) => WINDOW_S[type])
      for (const windowS of windows) expect(fallbackAfterS(windows)).toBeGreaterThanOrEqual(3 * windowS)
      expect(windows.map((windowS) => 3 * windowS)).toContain(fallbackAfterS(windows))
    }),
  )
})

test('a gateway without rooms still lets a command end', () => {
  expect(fallbackAfterS([])).toBe(2700)
})
