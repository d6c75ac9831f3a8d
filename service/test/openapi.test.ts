import { matches } from '@hypocaust/domain'
import { type Answer, openWorld, type World } from '@hypocaust/testing/world.ts'
import type { TSchema } from 'typebox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NAMED } from '../src/doors/http/v1/schemas.ts'

const EVENING = '2026-01-10T21:00:00.000Z'

interface Operation {
  method: 'GET' | 'HEAD' | 'PATCH' | 'POST' | 'PUT' | 'DELETE'
  path: string
  operationId: string
  summary: string
  tags: string[]
  parameters?: { name: string; in: string; example?: string; description?: string }[]
  requestBody?: { content: Record<string, { schema: { $ref: string } }> }
  responses: Record<string, { $ref?: string; headers?: object; content?: Record<string, { example?: unknown }> }>
}

let world: World
// biome-ignore lint/suspicious/noExplicitAny: the document is read as its readers do, without types
let document: any
let operations: Operation[]

beforeAll(async () => {
  world = await openWorld('sqlite', { limits: { read: 1000, write: 100 } })
  document = (await world.call('GET', '/openapi.json')).json
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods as object).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      ...operation,
    })),
  )
})
afterAll(() => world.close())

const resolved = (response: Operation['responses'][string] | undefined) =>
  response?.$ref ? document.components.responses[response.$ref.split('/').at(-1) ?? ''] : response

const headersOf = (response: Operation['responses'][string] | undefined): string[] =>
  Object.keys(resolved(response)?.headers ?? {})

const STREAM = 'text/event-stream'
const isStream = ({ path }: Operation): boolean => path === '/v1/events'

/** The first example of the schema it takes. */
function bodyOf({ requestBody }: Operation): unknown {
  const name = requestBody?.content['application/json']?.schema.$ref.split('/').at(-1) ?? ''
  return document.components.schemas[name]?.examples[0]
}

function call(operation: Operation, headers: Record<string, string> = {}): Promise<Answer> {
  const { method, path, parameters = [] } = operation
  const filled = path.replace('{buildingId}', world.holder.buildingId).replace('{roomId}', world.bathroomId)
  const query = parameters
    .filter((each) => each.in === 'query' && each.name !== 'building_id')
    .map(({ name, example = '' }) => [name, name === 'wait' ? '1' : example])
  // A stream does not end, its headers are there at once.
  return world.call(
    isStream(operation) ? 'HEAD' : method,
    query.length > 0 ? `${filled}?${new URLSearchParams(query)}` : filled,
    {
      key: world.holder.writeKey,
      headers: { ...(isStream(operation) && { accept: STREAM }), ...headers },
      ...(method === 'PATCH' && { body: path.endsWith('/rooms') ? { rooms: [{ id: world.bathroomId }] } : {} }),
      ...((method === 'PUT' || method === 'POST') && { body: bodyOf(operation) }),
    },
  )
}

test('the document is OpenAPI 3.1 and describes every /v1 path, and nothing else', () => {
  expect(document.openapi).toMatch(/^3\.1\./)
  expect(operations.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
    'DELETE /v1/buildings/{buildingId}/away',
    'DELETE /v1/buildings/{buildingId}/power-limit',
    'DELETE /v1/buildings/{buildingId}/rooms/{roomId}/override',
    'GET /v1/buildings',
    'GET /v1/buildings/{buildingId}',
    'GET /v1/buildings/{buildingId}/alerts',
    'GET /v1/buildings/{buildingId}/away',
    'GET /v1/buildings/{buildingId}/balancing',
    'GET /v1/buildings/{buildingId}/energy',
    'GET /v1/buildings/{buildingId}/house-report',
    'GET /v1/buildings/{buildingId}/power-limit',
    'GET /v1/buildings/{buildingId}/presence',
    'GET /v1/buildings/{buildingId}/rooms',
    'GET /v1/buildings/{buildingId}/rooms/{roomId}',
    'GET /v1/buildings/{buildingId}/rooms/{roomId}/air',
    'GET /v1/buildings/{buildingId}/rooms/{roomId}/diagnosis',
    'GET /v1/buildings/{buildingId}/rooms/{roomId}/energy',
    'GET /v1/buildings/{buildingId}/rooms/{roomId}/explanation',
    'GET /v1/buildings/{buildingId}/rooms/{roomId}/history',
    'GET /v1/buildings/{buildingId}/rooms/{roomId}/outlook',
    'GET /v1/buildings/{buildingId}/rooms/{roomId}/override',
    'GET /v1/buildings/{buildingId}/state',
    'GET /v1/changes',
    'GET /v1/events',
    'GET /v1/key',
    'GET /v1/log',
    'HEAD /v1/buildings',
    'HEAD /v1/buildings/{buildingId}',
    'HEAD /v1/buildings/{buildingId}/alerts',
    'HEAD /v1/buildings/{buildingId}/away',
    'HEAD /v1/buildings/{buildingId}/balancing',
    'HEAD /v1/buildings/{buildingId}/energy',
    'HEAD /v1/buildings/{buildingId}/house-report',
    'HEAD /v1/buildings/{buildingId}/power-limit',
    'HEAD /v1/buildings/{buildingId}/presence',
    'HEAD /v1/buildings/{buildingId}/rooms',
    'HEAD /v1/buildings/{buildingId}/rooms/{roomId}',
    'HEAD /v1/buildings/{buildingId}/rooms/{roomId}/air',
    'HEAD /v1/buildings/{buildingId}/rooms/{roomId}/diagnosis',
    'HEAD /v1/buildings/{buildingId}/rooms/{roomId}/energy',
    'HEAD /v1/buildings/{buildingId}/rooms/{roomId}/explanation',
    'HEAD /v1/buildings/{buildingId}/rooms/{roomId}/history',
    'HEAD /v1/buildings/{buildingId}/rooms/{roomId}/outlook',
    'HEAD /v1/buildings/{buildingId}/rooms/{roomId}/override',
    'HEAD /v1/buildings/{buildingId}/state',
    'HEAD /v1/changes',
    'HEAD /v1/events',
    'HEAD /v1/key',
    'HEAD /v1/log',
    'PATCH /v1/buildings/{buildingId}/rooms',
    'PATCH /v1/buildings/{buildingId}/rooms/{roomId}',
    'POST /v1/buildings/{buildingId}/rooms/{roomId}/feedback',
    'PUT /v1/buildings/{buildingId}/away',
    'PUT /v1/buildings/{buildingId}/power-limit',
    'PUT /v1/buildings/{buildingId}/presence',
    'PUT /v1/buildings/{buildingId}/rooms/{roomId}/override',
  ])
})

test.each(['/openapi.json', '/control/openapi.json'])(
  '%s: each write takes If-Match or has none to take, and each body can be too large or of another type',
  async (path) => {
    const { paths } = (await world.call('GET', path)).json
    const all = Object.values(paths as Record<string, Record<string, Operation>>).flatMap((methods) =>
      Object.entries(methods),
    )
    for (const [method, { operationId, parameters = [], requestBody, responses }] of all) {
      const statuses = Object.keys(responses)
      const takesIfMatch = parameters.some(({ name }) => name === 'If-Match')
      // Several rooms together have no tag of their settings; a calendar is only read as one of all.
      expect(takesIfMatch, operationId).toBe(
        ['put', 'patch', 'delete'].includes(method) &&
          !['patchRooms', 'putCalendar', 'deleteCalendar'].includes(operationId),
      )
      expect(statuses.includes('412'), operationId).toBe(takesIfMatch)
      if (requestBody) expect(statuses, operationId).toEqual(expect.arrayContaining(['413', '415']))
    }
  },
)

test('what a DELETE with a body is answered is described', async () => {
  const bodies = [
    ['application/json', '{}'],
    ['application/json', '{'],
    ['application/json', `"${'x'.repeat(20_000)}"`],
    ['text/plain', '{}'],
    ['application/json', '[]'],
  ]
  for (const operation of operations.filter(({ method }) => method === 'DELETE')) {
    for (const [type = '', body] of bodies) {
      const path = operation.path.replace('{buildingId}', world.holder.buildingId).replace('{roomId}', world.bathroomId)
      const call = { key: world.holder.writeKey, body, headers: { 'content-type': type } }
      const { status } = await world.call('DELETE', path, call)
      expect(Object.keys(operation.responses), `${operation.operationId} ${type} ${body?.slice(0, 9)}`).toContain(
        String(status),
      )
    }
  }
})

test('every operation needs a key, or the token of an app', () => {
  expect(document.security).toEqual([{ apiKey: [] }, { token: [] }])
  expect(document.components.securitySchemes.token).toMatchObject({ type: 'http', scheme: 'bearer' })
  expect(document.components.securitySchemes.apiKey).toMatchObject({ type: 'apiKey', in: 'header', name: 'x-api-key' })
})

test('every operation has a name, a summary and a tag, and every parameter an example and a meaning', () => {
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length)
  for (const { summary, tags, parameters = [] } of operations) {
    expect(summary).toBeTruthy()
    expect(tags).toHaveLength(1)
    for (const { example, description } of parameters) expect([example, description]).not.toContain(undefined)
  }
})

/** With the schemas that it names in their places. */
const inlined = (schema: TSchema): TSchema =>
  JSON.parse(JSON.stringify(schema), (_name, value) => (value?.$ref ? NAMED[value.$ref.replace('#', '')] : value))

test('every schema has examples, which fit it', () => {
  expect(Object.keys(document.components.schemas).sort()).toEqual(Object.keys(NAMED).sort())
  for (const [name, schema] of Object.entries(NAMED)) {
    const { examples } = document.components.schemas[name]
    expect(examples.length).toBeGreaterThan(0)
    for (const example of examples) expect(matches(inlined(schema), example), name).toBe(true)
  }
})

test('the schema of an override wants what the service wants: a target or a mode, and a time or hours', async () => {
  const fields = { target_temperature: 22, hvac_mode: 'off', until: EVENING, hours: 2 }
  const names = Object.keys(fields)
  const subsets = Array.from({ length: 2 ** names.length }, (_, bits) => names.filter((_name, i) => bits & (1 << i)))
  for (const subset of subsets) {
    const body = Object.fromEntries(Object.entries(fields).filter(([name]) => subset.includes(name)))
    const path = `${world.bathroomPath}/override`
    const { status, json } = await world.call('PUT', path, { key: world.holder.writeKey, body })
    const isRight = matches(document.components.schemas.OverridePut, body)
    expect([subset, status]).toEqual([subset, isRight ? 200 : 400])
    if (!isRight)
      expect(json.error.message).toMatch(/^Either (target_temperature or hvac_mode|until or hours) must be given\.$/)
  }
})

test('every response with a body has an example', () => {
  for (const { operationId, responses } of operations.filter(({ method }) => method !== 'HEAD')) {
    for (const [status, response] of Object.entries(responses)) {
      if (status === '304') continue
      const { [STREAM]: stream, 'application/json': content = stream } = resolved(response).content
      expect(content.example ?? content.examples, `${operationId} ${status}`).toBeDefined()
    }
  }
})

test('every pattern is one that all engines of regular expressions read alike', () => {
  const patterns = [...JSON.stringify(document).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(([, text = '""']) =>
    JSON.parse(text),
  )
  expect(patterns.length).toBeGreaterThan(5)
  for (const pattern of patterns) expect(pattern).not.toMatch(/\\[pPukxQ]|\(\?(?!:)/)
})

test('every reference leads somewhere', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#([^"]+)"/g)].map(([, pointer = '']) => pointer)
  expect(references.length).toBeGreaterThan(50)
  for (const pointer of references) {
    const target = pointer
      .split('/')
      .slice(1)
      .reduce((node, part) => node?.[part], document)
    expect(target, pointer).toBeDefined()
  }
})

test('the headers documented are those sent', async () => {
  const names = Object.keys(document.components.headers)
  for (const operation of operations) {
    const answer = await call(operation)
    expect(answer.status).toBe(200)
    const sent = names.filter((name) => answer.headers[name.toLowerCase()] !== undefined)
    expect(sent.sort()).toEqual(headersOf(operation.responses['200']).sort())
  }
  const notAllowed = await world.call('DELETE', '/v1/key')
  for (const name of headersOf(operations[0]?.responses['405'])) {
    expect(notAllowed.headers[name.toLowerCase()], name).toBeDefined()
  }
  expect(headersOf(operations[0]?.responses['429'])).toContain('Retry-After')
  expect(headersOf(operations[0]?.responses['503'])).toContain('Retry-After')
})

test('every read documents If-None-Match and its 304, and keeps to it', async () => {
  for (const operation of operations.filter((each) => each.method === 'GET' && !isStream(each))) {
    expect(operation.parameters?.map(({ name }) => name)).toContain('If-None-Match')
    expect(operation.responses['304']).toBeDefined()
    const { etag = '' } = (await call(operation)).headers
    expect((await call(operation, { 'if-none-match': etag })).status).toBe(304)
  }
})

test('the document says that null is meant, and how long what is to be removed stays', () => {
  expect(document.info.description).toMatch(/`null`, never an invented number/)
  expect(document.info.description).toMatch(/twelve months/)
})
