import { readFileSync } from 'node:fs'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { refusalOf } from '../src/doors/http/validation.ts'

let world: World
beforeAll(async () => {
  world = await openWorld('sqlite')
})
afterAll(() => world.close())

const RULES = ['enum', 'format', 'maxItems', 'maxLength', 'maximum', 'minLength', 'minimum', 'pattern', 'type']

/** Keyword and value of every rule that a request can break. */
function rulesOf(schema: unknown): [string, unknown][] {
  if (typeof schema !== 'object' || schema === null) return []
  const inner = Object.entries(schema).flatMap(([name, value]) => {
    if (name === 'examples' || name === 'example') return []
    const isRule = RULES.includes(name) && typeof value !== 'object'
    return isRule ? [[name, value] as [string, unknown]] : rulesOf(value)
  })
  return inner
}

const PARAMS = { limit: 1, allowedValues: ['a'], type: 'string' }

test.each(['openapi.json', 'openapi-app.json'])('every rule of %s is explained in words of our own', (name) => {
  const document = JSON.parse(readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8'))
  const rules = rulesOf(document).filter(([keyword]) => keyword !== 'pattern')
  expect(rules.length).toBeGreaterThan(50)
  for (const [keyword, value] of rules) {
    const problem = { keyword, instancePath: '/x', schemaPath: '', params: { ...PARAMS, [keyword]: value } }
    const { message } = refusalOf({ ...problem, message: 'the validator’s words' }, 'body')
    expect(message, `${keyword} ${value}`).toMatch(/^x must (be|have) .+\.$/)
  }
})

const LATER = '"2027-01-01T00:00:00Z"'

test.each([
  ['PATCH', '', '{"manual_power":{"":1}}', 'The field manual_power."" does not exist or may not be written.'],
  ['PATCH', '', '{"manual_power":{"a b":1}}', 'The field manual_power."a b" does not exist or may not be written.'],
  ['PUT', '/override', '{"target_temperature":21,"until":"2027-02-30T00:00:00Z"}', 'until must be a time as'],
  ['PUT', '/override', `{"target_temperature":21,"until":${LATER},"":1}`, 'The field "" does not exist'],
] as const)('%s …%s with %s is refused with the words: %s', async (method, path, body, words) => {
  const { status, json } = await world.call(method, `${world.bathroomPath}${path}`, {
    key: world.holder.writeKey,
    body,
  })
  expect(status).toBe(400)
  expect(json.error.message).toContain(words)
})

test.each([
  ['?from=2026-02-30T00:00:00Z&to=2026-03-05T00:00:00Z', 'from must be a time as'],
  ['?from=2026-02-01T00:00:00Z&to=2026-03-05T24:00:00Z', 'to must be a time as'],
  ['?from=2026-02-01T00:00:00Z&to=2026-02-02T00:00:00Z&step=60', 'There is no parameter step.'],
])('the history of %s is refused with the words: %s', async (query, words) => {
  const { status, json } = await world.get(`${world.bathroomPath}/history${query}`)
  expect(status).toBe(400)
  expect(json.error.message).toContain(words)
})
