import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cut } from '../src/buildings/sheets.ts'

test('every building is in one sheet, in order', () => {
  fc.assert(
    fc.property(fc.array(fc.nat()), fc.integer({ min: 1, max: 30 }), (items, size) => {
      const sheets = cut(items, size)
      expect(sheets.flatMap((sheet) => sheet.items)).toEqual(items)
      expect(sheets.map(({ number }) => number)).toEqual(sheets.map((_, i) => i))
      expect(sheets.slice(0, -1).every((sheet) => sheet.items.length === size)).toBe(true)
    }),
  )
})
