import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { MINUTE_MS } from '@hypocaust/testing/clock.ts'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { heatedWorld } from '@hypocaust/testing/heated-world.ts'
import type { World } from '@hypocaust/testing/world.ts'
import type { HTTPMethods } from 'fastify'
import { describe, expect, test } from 'vitest'
import { createKey } from '../../service/src/people/keys/keys.ts'
import { Chance } from '../fuzz/chance.ts'
import { type Caller, caseOf } from '../fuzz/http.ts'
import { Interface, type Operation } from '../openapi.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Of each interface on each engine; npm run test:contract sends more. */
const REQUESTS = Number(process.env.CONTRACT_REQUESTS ?? 250)
const SEED = Number(process.env.CONTRACT_SEED ?? 16)
/** So often the house goes on. */
const LIVES_EVERY = 50
const DOCUMENTS = { v1: 'openapi.json', control: 'openapi-control.json' } as const

/** Debian's own, where another comes first in the PATH and does not have the library. */
const python = ['python3', '/usr/bin/python3'].find(
  (program) => spawnSync(program, ['-c', 'import jsonschema']).status === 0,
)

/** By Python's jsonschema and the document, or by the types of the Python client. */
type Judge = 'check.py' | 'check_client.py'

function judged(answers: string[], document: string, judge: Judge): { checked: number; problems: string[] } {
  const script = [join(ROOT, 'e2e/contract', judge), join(ROOT, 'docs', document)]
  const options = { input: answers.join('\n'), encoding: 'utf8', maxBuffer: 2 ** 26 } as const
  const { stdout, stderr } = spawnSync(python ?? 'python3', script, options)
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout)
}

const described = ({ method, path }: { method: string; path: string }, operation: Operation): boolean =>
  method === operation.method &&
  new RegExp(`^${operation.path.replace(/\{\w+\}/g, '[^/?]+')}(\\?|$)`).test(path) &&
  // An answer to a path that cannot be one is not of this operation.
  !/%(?![0-9a-f]{2})|%00|%ff/i.test(path)

/** With keys that open both interfaces. */
async function callerOf({ store, clock, holder, stranger }: World): Promise<Caller> {
  const settled = async (who: World['holder']) => {
    const key = {
      accountId: who.accountId,
      name: 'Contract',
      permission: 'write',
      expiresAt: null,
      control: true,
    } as const
    const controlKey = (await createKey(store, clock, key)).value
    return { ...who, writeKey: controlKey, controlKey, gatewayId: '', token: '' }
  }
  return { house: await settled(holder), other: await settled(stranger), cookie: '' }
}

const skips = python === undefined && process.env.CI !== 'true'

describe.skipIf(skips).each(ENGINES)('the API documents on %s', (engine) => {
  const heated = heatedWorld(engine)

  /** A reading that may already be an hour old, and a decision about it. */
  async function goOn(chance: Chance): Promise<void> {
    await heated.live(1, 18 + chance.below(50) / 10)
    heated.world.clock.advance(chance.below(90) * MINUTE_MS)
  }

  test.each(['v1', 'control'] as const)(
    `%s: describes what ${REQUESTS} requests are answered, in the eyes of Python’s jsonschema and of the Python client`,
    { timeout: 180_000 + 100 * REQUESTS },
    async (name) => {
      const chance = new Chance(SEED)
      const of = new Interface(DOCUMENTS[name])
      const ending = of.operations.filter(({ isStream }) => !isStream)
      const caller = await callerOf(heated.world)
      // Most requests are of the house's own people: what is refused at once has little to be compared.
      const atHome = { ...caller, other: caller.house }
      const answers: string[] = []
      const statuses = new Map<number, number>()
      const tags = new Map<string, string>()
      while (answers.length < REQUESTS) {
        if (answers.length % LIVES_EVERY === 0) await goOn(chance)
        const operation = chance.pick(ending)
        const { method, path, headers, body } = caseOf(chance, of, operation, chance.one(0.7) ? atHome : caller)
        if (!described({ method, path }, operation)) continue
        const tag = tags.get(path)
        const conditional = tag !== undefined && method === 'GET' && chance.one(0.3) && { 'if-none-match': tag }
        const call = { headers: { ...headers, ...conditional }, body }
        const { status, headers: sent, text, json } = await heated.world.call(method as HTTPMethods, path, call)
        if (sent.etag !== undefined) tags.set(path, sent.etag)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        const answer = { operation: operation.id, status, type: String(sent['content-type']) }
        answers.push(JSON.stringify({ ...answer, body: text === '' ? null : json }))
      }
      const counts = [...statuses].toSorted(([a], [b]) => a - b).map(([status, count]) => `${count} × ${status}`)
      console.log(`${name} on ${engine}: ${counts.join(', ')}`)
      expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 304, 400, 401, 403, 404]))
      for (const judge of ['check.py', 'check_client.py'] as const)
        expect(judged(answers, DOCUMENTS[name], judge)).toEqual({ checked: REQUESTS, problems: [] })
    },
  )
})

test.skipIf(skips)('answers that are not as described are found', () => {
  const right = { operation: 'GET /v1/buildings', status: 200, type: 'application/json', body: [] }
  const wrong = [{ body: [{}] }, { status: 418 }, { type: 'text/html' }, { status: 304 }]
  const answers = [right, ...wrong.map((change) => ({ ...right, ...change }))].map((each) => JSON.stringify(each))
  expect(judged(answers, DOCUMENTS.v1, 'check.py')).toMatchObject({ checked: 5, problems: { length: 4 } })
  // Another status and type than the documented ones are no question of types.
  expect(judged(answers, DOCUMENTS.v1, 'check_client.py')).toMatchObject({ checked: 5, problems: { length: 3 } })
})
