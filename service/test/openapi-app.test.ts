import { existsSync, readFileSync } from 'node:fs'
import { HOST, openSite, signedIn } from '@hypocaust/testing/browser.ts'
import type { World } from '@hypocaust/testing/world.ts'
import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'

interface Operation {
  id: string
  method: string
  path: string
  operationId: string
  summary?: string
  tags: string[]
  security?: []
  parameters?: { name: string; in: string; description?: string }[]
  requestBody?: { content: Record<string, { schema: object }> }
  responses: Record<string, { description?: string; content?: Record<string, { schema: object }> }>
}

type Method = NonNullable<InjectOptions['method']>

let world: World
// biome-ignore lint/suspicious/noExplicitAny: the document is read as its readers do, without types
let document: any
let operations: Operation[]

beforeAll(async () => {
  world = await openSite('sqlite')
  document = (await world.call('GET', '/app/openapi.json')).json
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods as object).map(([method, operation]) => ({
      id: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      ...operation,
    })),
  )
})
afterAll(() => world.close())

// biome-ignore lint/suspicious/noExplicitAny: the document is read as its readers do, without types
const resolvedSchema = (schema: any) =>
  schema.$ref === undefined ? schema : document.components.schemas[schema.$ref.split('/').at(-1)]

/** Every route the server has, in its own words: one line each, a tree by paths. */
function routesOfServer(): string[] {
  const lines = world.app.printRoutes({ commonPrefix: false, includeHooks: false }).split('\n')
  const stack: string[] = []
  return lines.flatMap((line) => {
    const [, indent = '', path = '', methods = ''] = /^([│ ├└─]*)(\S+)(?: \(([^)]+)\))?$/u.exec(line) ?? []
    stack.length = Math.floor(indent.length / 4)
    stack.push(path)
    const url = stack.join('')
    return methods
      .split(', ')
      .filter((method) => method && method !== 'HEAD' && url.startsWith('/app'))
      .map((method) => `${method} ${url.replace(/:(\w+)/g, '{$1}')}`)
  })
}

test('every route under /app is in it, and nothing else', () => {
  const routes = routesOfServer()
  expect(routes).toContain('PATCH /app/rooms/{roomId}')
  expect(operations.map(({ id }) => id).sort()).toEqual(routes.sort())
})

test('every operation has a name of its own, a summary, a tag that is explained, and an answer', () => {
  const tags = document.tags.map(({ name }: { name: string }) => name)
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length)
  for (const operation of operations) {
    expect(operation.summary, operation.id).toBeTruthy()
    expect(tags, operation.id).toContain(operation.tags[0])
    const answers = Object.keys(operation.responses).filter((status) => status.startsWith('2'))
    expect(answers, operation.id).not.toEqual([])
  }
})

test('every part of a path is a parameter with a meaning', () => {
  for (const { id, path, parameters = [] } of operations) {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    expect(
      parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name),
      id,
    ).toEqual(named)
    for (const { description } of parameters) expect(description, id).toBeTruthy()
  }
})

async function openAlert(): Promise<string> {
  const id = crypto.randomUUID()
  const row = { id, buildingId: world.holder.buildingId, subject: id, openSubject: id, alert: '{}', beganAt: 0 }
  await world.store.db.insertInto('alerts').values(row).execute()
  return id
}

test('what is sent is described, and a form that does not fit is refused before anything happens', async () => {
  const withBody = operations.filter(({ requestBody }) => requestBody)
  expect(withBody.length).toBeGreaterThan(10)
  const browser = await signedIn(world)
  const alertId = await openAlert()
  const { buildingId } = world.holder
  const ids: Record<string, string> = { buildingId, roomId: world.bathroomId, alertId }
  for (const { id, method, path, requestBody } of withBody) {
    expect(requestBody?.content['application/json']?.schema, id).toBeDefined()
    const url = path.replace(/\{(\w+)\}/g, (place, name: string) => ids[name] ?? place)
    const answer = await browser.call(method as Method, url, { no_such_field: 1 })
    expect([id, answer.status]).toEqual([id, 400])
  }
})

test('every name that is sent is held to the rule for names', () => {
  const schemas = operations.flatMap(({ requestBody }) => Object.values(requestBody?.content ?? {}))
  const named = schemas.map(({ schema }) => resolvedSchema(schema)).filter((schema) => schema.properties?.name)
  expect(named.length).toBeGreaterThan(4)
  for (const { properties } of named) expect(properties.name.pattern).toBeDefined()
})

test('a session is asked for exactly where the document says so', async () => {
  for (const { id, method, path, security } of operations) {
    const url = path.replace(/\{\w+\}/g, world.holder.buildingId)
    const headers = { host: HOST, 'content-type': 'application/json' }
    const payload = method === 'GET' || method === 'DELETE' ? undefined : '{}'
    const answer = await world.app.inject({
      method: method as Method,
      url,
      headers: payload ? headers : { host: HOST },
      ...(payload && { payload }),
    })
    const isClosed = answer.statusCode === 401 && answer.json().error.code === 'not_signed_in'
    expect([id, isClosed]).toEqual([id, security === undefined])
  }
})

test('every reference leads somewhere, and no schema is there for nothing', () => {
  const text = JSON.stringify(document)
  const references = new Set(
    [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)].map(([, a, b]) => `${a}/${b}`),
  )
  const { schemas, responses } = document.components
  const there = [
    ...Object.keys(schemas).map((name) => `schemas/${name}`),
    ...Object.keys(responses).map((name) => `responses/${name}`),
  ]
  expect(there.length).toBeGreaterThan(20)
  expect([...references].sort()).toEqual(there.sort())
})

test('it holds nothing of this installation', () => {
  const text = JSON.stringify(document)
  for (const secret of [world.holder.buildingId, 'ada@example.org', 'localhost']) expect(text).not.toContain(secret)
  const kept = new URL('../../docs/openapi-app.json', import.meta.url)
  expect(existsSync(kept)).toBe(true)
  expect(Object.keys(JSON.parse(readFileSync(kept, 'utf8')).paths)).toEqual(Object.keys(document.paths))
})
