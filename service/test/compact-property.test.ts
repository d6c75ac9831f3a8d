import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compact } from '../src/house/heating/compact.ts'

const number = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(-0, Number.NaN, Number.POSITIVE_INFINITY))
const leaf = fc.oneof(number, fc.string(), fc.boolean(), fc.constantFrom(null, undefined))
const numbers = fc.array(number, { maxLength: 6 })
const part = fc.oneof(
  leaf,
  numbers,
  fc.dictionary(fc.string(), fc.oneof(leaf, numbers), { maxKeys: 4, noNullPrototype: true }),
)
const value = fc.dictionary(fc.string(), part, { maxKeys: 6, noNullPrototype: true })

test('a compacted value is what its text reads back as', () => {
  fc.assert(
    fc.property(value, (any) => {
      const { text, value } = compact(any)
      expect(value).toStrictEqual(JSON.parse(text))
    }),
  )
})

test('a value with parts of a compacted one has the text of a value without a past', () => {
  fc.assert(
    fc.property(value, value, (before, after) => {
      const known = compact(before)
      const next = { ...known.value, ...after }
      expect(compact(next, known)).toStrictEqual(compact(next))
    }),
  )
})

test('seven digits are kept of a number', () => {
  expect(compact({ spread: [1.23456789e-9, -1234.56789, 3] }).text).toBe('{"spread":[1.234568e-9,-1234.568,3]}')
})
