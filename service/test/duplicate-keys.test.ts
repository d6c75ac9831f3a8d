import fc from 'fast-check'
import { expect, test } from 'vitest'
import { duplicateKeyIn } from '../src/doors/http/duplicate-keys.ts'

test.each([
  ['{"a":1,"a":2}', 'a'],
  ['{"a":1,"\\u0061":2}', 'a'],
  ['{"a":{"b":1,"b":1}}', 'b'],
  ['[{"a":1},{"a":1,"b":[],"a":2}]', 'a'],
  ['{"":1, "" : 2}', ''],
])('%s has the key %j twice', (json, key) => {
  expect(duplicateKeyIn(json)).toBe(key)
})

test('what JSON.stringify writes has no key twice', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 3 }), fc.constantFrom(0, 1, 2), (json, indent) => {
      expect(duplicateKeyIn(JSON.stringify(JSON.parse(json), undefined, indent))).toBeUndefined()
    }),
  )
})

test('a member written once more is found, however deep it lies and whatever its name and value are', () => {
  const member = fc.tuple(fc.string({ unit: 'binary' }), fc.jsonValue({ maxDepth: 1 }))
  fc.assert(
    fc.property(
      member,
      fc.jsonValue({ maxDepth: 1 }),
      fc.array(fc.boolean(), { maxLength: 6 }),
      ([name, value], other, path) => {
        const key = JSON.stringify(name)
        const twice = `{${key}:${JSON.stringify(value)},${key}:${JSON.stringify(other)}}`
        const nested = path.reduce((json, isArray) => (isArray ? `[${json},0]` : `{"outer":${json}}`), twice)
        expect(duplicateKeyIn(nested)).toBe(name)
      },
    ),
  )
})
