import { runs } from '@hypocaust/testing/runs.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { packAnswers, packJobs, unpackAnswers, unpackJobs } from '../src/store/sqlite/messages.ts'

const value = fc.oneof(fc.string(), fc.double({ noNaN: true }), fc.bigInt(), fc.constant(null), fc.uint8Array())
const statement = fc.record({ sql: fc.constantFrom('a', 'b', 'c'), parameters: fc.array(value, { maxLength: 5 }) })
const limit = fc.record({ count: statement, most: fc.nat(), name: fc.string() })
const numbered = <T extends object>(all: T[]) => all.map((each, i) => ({ id: i + 7, ...each }))
const jobs = fc
  .array(fc.record({ statements: fc.array(statement, { maxLength: 4 }), limits: fc.array(limit, { maxLength: 2 }) }), {
    maxLength: 6,
  })
  .map(numbered)
const rows = fc.array(fc.record({ a: value, b: value }), { maxLength: 2 })
const results = fc.array(fc.record({ affectedRows: fc.nat(), rows }), { maxLength: 4 })
const error = fc.record({ kind: fc.constantFrom('unique' as const, 'limit' as const), message: fc.string() })
const answers = fc.array(fc.oneof(fc.record({ results }), fc.record({ error })), { maxLength: 6 }).map(numbered)

test('jobs arrive in the writer’s thread as they were sent', () => {
  fc.assert(
    fc.property(jobs, (sent) => {
      expect(unpackJobs(structuredClone(packJobs(sent)))).toEqual(sent)
    }),
    { numRuns: runs(500) },
  )
})

test('answers arrive as the writer’s thread gave them, each by its id', () => {
  fc.assert(
    fc.property(answers, (given) => {
      const arrived = unpackAnswers(structuredClone(packAnswers(given)))
      expect(arrived.toSorted((a, b) => a.id - b.id)).toEqual(given)
    }),
    { numRuns: runs(500) },
  )
})
