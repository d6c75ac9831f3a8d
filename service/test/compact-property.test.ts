import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compact } from '../src/house/heating/compact.ts'

const number = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(-0, Number.NaN, Number.POSITIVE_INFINITY))
const leaf = fc.oneof(number, fc.string(), fc.boolean(), fc.constantFrom(null, undefined))
const numbers = fc.array(number, { maxLength: 6 })
// No interface has a member of the other name.
const name = fc.string().filter((any) => any !== '__proto__')
const part = fc.oneof(
  leaf,
  numbers,
  fc.dictionary(name, fc.oneof(leaf, numbers), { maxKeys: 4, noNullPrototype: true }),
)
const value = fc.dictionary(name, part, { maxKeys: 6, noNullPrototype: true })

test('a compacted value is what its text reads back as', () => {
  fc.assert(
    fc.property(value, (any) => {
      const { text, compacted } = compact(any)
      expect(compacted.value).toStrictEqual(JSON.parse(text))
    }),
  )
})

test('values that share parts with those before read back as values without a past', () => {
  fc.assert(
    fc.property(fc.array(value, { minLength: 2, maxLength: 5 }), (changes) => {
      let before = compact({}).compacted
      for (const change of changes) {
        const next = { ...before.value, ...change }
        const { text, compacted } = compact(next, before)
        expect(JSON.parse(text)).toStrictEqual(compact(next).compacted.value)
        expect(compacted.value).toStrictEqual(JSON.parse(text))
        before = compacted
      }
    }),
  )
})

test('seven digits are kept of a number', () => {
  expect(compact({ spread: [1.23456789e-9, -1234.56789, 3] }).text).toBe('{"spread":[1.234568e-9,-1234.568,3]}')
})
