import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cut, grown, type Range, shown } from '../src/buildings/sheets.ts'

const ranges = (sheets: number) =>
  fc.tuple(fc.nat(sheets), fc.nat(sheets)).map(([a, b]): Range => [Math.min(a, b), Math.max(a, b)])
const settings = fc
  .integer({ min: 1, max: 60 })
  .chain((sheets) => fc.record({ sheets: fc.constant(sheets), inPage: ranges(sheets), onScreen: ranges(sheets) }))

describe('sheets of a long list', () => {
  test('what is on the screen is in the page, and what is in the page stays while it holds that', () => {
    fc.assert(
      fc.property(settings, ({ sheets, inPage, onScreen }) => {
        const [first, end] = shown(inPage, onScreen, sheets)
        expect(first).toBeLessThanOrEqual(onScreen[0])
        expect(end).toBeGreaterThanOrEqual(onScreen[1])
        expect(shown([first, end], onScreen, sheets)).toEqual([first, end])
      }),
    )
  })

  test('a screen above or below the list shows the sheet at its end, or none', () => {
    expect(shown([0, 1], [-3, 2], 5)).toEqual([0, 2])
    expect(shown([0, 1], [4, 9], 5)).toEqual([4, 5])
    expect(shown([0, 1], [0, 1], 0)).toEqual([0, 1])
  })

  test('one sheet more at a time, until all are there', () => {
    fc.assert(
      fc.property(settings, ({ sheets, inPage }) => {
        let range = inPage
        const missing = sheets - (range[1] - range[0])
        for (let i = 0; i < missing; i++) range = grown(range, sheets)
        expect(range).toEqual([0, sheets])
        expect(grown(range, sheets)).toBe(range)
      }),
    )
  })

  test('every item is in one sheet, in order', () => {
    fc.assert(
      fc.property(fc.array(fc.nat()), fc.integer({ min: 1, max: 30 }), (items, size) => {
        expect(cut(items, size).flatMap((sheet) => sheet.items)).toEqual(items)
      }),
    )
  })
})
