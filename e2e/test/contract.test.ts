import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import type { HTTPMethods } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Chance } from '../fuzz/chance.ts'
import { type Caller, caseOf } from '../fuzz/http.ts'
import { INTERFACES, type Operation } from '../openapi.ts'

const ROOT = join(import.meta.dirname, '../..')
const REQUESTS = 1000

/** Debian's own, where another comes first in the PATH and does not have the library. */
const python = ['python3', '/usr/bin/python3'].find(
  (program) => spawnSync(program, ['-c', 'import jsonschema']).status === 0,
)

function judged(answers: string[]): { checked: number; problems: string[] } {
  const script = [join(ROOT, 'e2e/contract/check.py'), join(ROOT, 'docs/openapi.json')]
  const { stdout, stderr } = spawnSync(python ?? 'python3', script, { input: answers.join('\n'), encoding: 'utf8' })
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout)
}

let world: World
beforeAll(async () => {
  world = await openWorld('sqlite')
})
afterAll(() => world.close())

const described = ({ method, path }: { method: string; path: string }, operation: Operation): boolean =>
  method === operation.method &&
  new RegExp(`^${operation.path.replace(/\{\w+\}/g, '[^/?]+')}(\\?|$)`).test(path) &&
  // An answer to a path that cannot be one is not of this operation.
  !/%(?![0-9a-f]{2})|%00|%ff/i.test(path)

describe.skipIf(python === undefined && process.env.CI !== 'true')('the API document', () => {
  test('describes what 1,000 requests are answered, in the eyes of Python’s jsonschema', async () => {
    const chance = new Chance(16)
    const { v1 } = INTERFACES
    const settled = ({ holder }: { holder: World['holder'] }) => ({ ...holder, gatewayId: '', token: '' })
    const caller: Caller = { house: settled(world), other: settled({ holder: world.stranger }), cookie: '' }
    const answers: string[] = []
    const tags = new Map<string, string>()
    while (answers.length < REQUESTS) {
      const operation = chance.pick(v1.operations)
      const { method, path, headers, body } = caseOf(chance, v1, operation, caller)
      if (!described({ method, path }, operation)) continue
      const tag = tags.get(path)
      const conditional = tag !== undefined && method === 'GET' && chance.one(0.3) && { 'if-none-match': tag }
      const call = { headers: { ...headers, ...conditional }, body }
      const { status, headers: sent, text, json } = await world.call(method as HTTPMethods, path, call)
      if (sent.etag !== undefined) tags.set(path, sent.etag)
      const answer = { operation: operation.id, status, type: String(sent['content-type']) }
      answers.push(JSON.stringify({ ...answer, body: text === '' ? null : json }))
    }
    const statuses = new Set(answers.map((line) => JSON.parse(line).status))
    expect([...statuses]).toEqual(expect.arrayContaining([200, 304, 400, 401, 403, 404]))
    expect(judged(answers)).toEqual({ checked: REQUESTS, problems: [] })
  })

  test('answers that are not as described are found', () => {
    const right = { operation: 'GET /v1/buildings', status: 200, type: 'application/json', body: [] }
    const wrong = [{ body: [{}] }, { status: 418 }, { type: 'text/html' }, { status: 304 }]
    const answers = [right, ...wrong.map((change) => ({ ...right, ...change }))].map((each) => JSON.stringify(each))
    expect(judged(answers)).toMatchObject({ checked: 5, problems: { length: 4 } })
  })
})
