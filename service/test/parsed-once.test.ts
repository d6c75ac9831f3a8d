import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parsedOnce } from '../src/base/parsed-once.ts'

test('whatever texts come under whatever keys, each is read as JSON.parse reads it', () => {
  const asked = fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd'), text: fc.json({ maxDepth: 1 }) })
  fc.assert(
    fc.property(fc.array(asked), fc.integer({ min: 1, max: 4 }), (all, mostKept) => {
      const read = parsedOnce(mostKept)
      for (const { key, text } of all) {
        expect(read(key, text)).toEqual(JSON.parse(text))
        expect(read(key, text)).toBe(read(key, text))
      }
    }),
  )
})

test('a text that is the same as before is not parsed again, one that was pushed out is', () => {
  const read = parsedOnce<object>(2)
  const first = read('a', '{"n":1}')
  expect(read('a', '{"n":1}')).toBe(first)
  read('b', '{}')
  expect(read('a', '{"n":1}')).toBe(first)
  read('c', '{}')
  expect(read('a', '{"n":1}')).not.toBe(first)
})
