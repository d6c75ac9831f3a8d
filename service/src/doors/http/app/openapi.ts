import * as domain from '@hypocaust/domain'
import { APP_ERRORS, AppErrorBody, ERRORS } from '@hypocaust/domain'
import type { FastifyInstance, RouteOptions } from 'fastify'
import Type, { type TSchema } from 'typebox'
import { withPortablePatterns } from '../portable-patterns.ts'

const DESCRIPTION = `The interface of the website and the app. For programs there is \`/v1\`, opened by an API key and kept stable; this one changes together with its pages, without notice.

A session opens it: sign in, and send the cookie along. A change is accepted only from a page of the same origin, or from no page at all.`

const ACCOUNT = { name: 'Account', description: 'Doors, sessions, passwords and passkeys.' }

/** What the first word of a path after /app is about; where it is not listed, the account. */
const TAGS = [
  {
    name: 'Buildings',
    description: 'The houses of an account.',
    words: ['buildings', 'alerts', 'house-file', 'events', 'weather-source', 'notices'],
  },
  { name: 'Rooms', description: 'Readings, targets, and the reasons of the control.', words: ['rooms'] },
  { name: 'Gateways', description: 'The machines that receive sensor readings and work valves.', words: ['gateways'] },
  { name: 'Keys', description: 'API keys for programs.', words: ['keys'] },
]

const COOKIE = { type: 'apiKey', in: 'cookie', name: 'hypocaust.session_token' }
const COOKIE_DESCRIPTION = 'Set by signing in. Over HTTPS its name begins with `__Secure-`.'

interface ObjectSchema {
  type?: string
  description?: string
  properties?: Record<string, { description?: string }>
  required?: string[]
}

/** What is taken of a route's own schemas. */
interface Described {
  summary?: string
  security?: []
  params?: ObjectSchema
  querystring?: ObjectSchema
  body?: ObjectSchema
  response?: Record<string, ObjectSchema & { content?: Record<string, { schema: TSchema }> }>
}

type Route = Pick<RouteOptions, 'url' | 'method'> & { schema: Described }

/** Tells of /app in OpenAPI, by the schemas with which the routes check what comes and form what goes. */
export function describeOwnInterface(app: FastifyInstance, version: string): void {
  const routes: Route[] = []
  app.addHook('onRoute', ({ url, method, schema }) => {
    if (url.startsWith('/app/') && method !== 'HEAD') routes.push({ url, method, schema: (schema ?? {}) as Described })
  })
  const schema = {
    hide: true,
    security: [],
    summary: 'This document',
    response: { 200: Type.Unsafe<object>({ type: 'object', additionalProperties: true }) },
  }
  let document: Buffer | undefined
  app.get('/app/openapi.json', { schema }, async (_request, reply) => {
    document ??= Buffer.from(JSON.stringify(withPortablePatterns(documentOf(routes, version))))
    reply.type('application/json; charset=utf-8')
    return document
  })
}

function documentOf(routes: Route[], version: string): object {
  const names = new Names()
  const paths: Record<string, Record<string, object>> = {}
  for (const route of routes.toSorted((a, b) => keyOf(a).localeCompare(keyOf(b)))) {
    const path = route.url.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [String(route.method).toLowerCase()]: operationOf(route, names) }
  }
  const responses = { Refused: refusal(names, 4), Failed: refusal(names, 5) }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Hypocaust, the website’s own interface',
      version,
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This service' }],
    tags: [ACCOUNT, ...TAGS].map(({ name, description }) => ({ name, description })),
    security: [{ session: [] }],
    paths,
    components: {
      securitySchemes: { session: { ...COOKIE, description: COOKIE_DESCRIPTION } },
      responses,
      schemas: names.used(),
    },
  }
}

const keyOf = ({ url, method }: Route): string => `${url} ${method}`

function operationOf({ url, method, schema }: Route, names: Names): object {
  const { summary, security, params, querystring, body, response = {} } = schema
  const parameters = [...parametersOf('path', params), ...parametersOf('query', querystring)]
  return {
    operationId: [String(method).toLowerCase(), ...url.split(/[^A-Za-z]+/).slice(2)].reduce(camelCase),
    tags: [tagOf(url)],
    summary,
    ...(security && { security }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: true, content: { 'application/json': { schema: names.named(body) } } } }),
    responses: {
      ...Object.fromEntries(Object.entries(response).map(([status, each]) => [status, answerOf(each, names)])),
      '4XX': { $ref: '#/components/responses/Refused' },
      '5XX': { $ref: '#/components/responses/Failed' },
    },
  }
}

const camelCase = (start: string, word: string): string => start + word.charAt(0).toUpperCase() + word.slice(1)

function tagOf(url: string): string {
  const [, , first = ''] = url.split('/')
  return (TAGS.find(({ words }) => words.includes(first)) ?? ACCOUNT).name
}

const parametersOf = (place: 'path' | 'query', { properties = {}, required = [] }: ObjectSchema = {}) =>
  Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: place,
    required: required.includes(name),
    ...(description && { description }),
    schema,
  }))

function answerOf(answer: NonNullable<Described['response']>[string], names: Names): object {
  const { description = 'Done, or what was asked for.', content } = answer
  if (content) return { description, content }
  if (answer.type === 'null') return { description }
  return { description, content: { 'application/json': { schema: names.named(answer) } } }
}

/** Every refusal has one form; which there are stands in one table. */
function refusal(names: Names, hundreds: 4 | 5): object {
  const ofKeys = ['missing_api_key', 'invalid_api_key', 'read_only_key']
  const refusals = Object.entries({ ...ERRORS, ...APP_ERRORS })
    .filter(([code, { status }]) => Math.floor(status / 100) === hundreds && !ofKeys.includes(code))
    .map(([code, { status, when }]) => `\`${code}\` (${status}): ${when}`)
  return { description: refusals.join('\n\n'), content: { 'application/json': { schema: names.named(AppErrorBody) } } }
}

/** The schemas of the domain by their names, so that each is written once. */
class Names {
  readonly #names = new Map<string, string>()
  readonly #used = new Map<string, object>()

  constructor() {
    for (const [name, value] of Object.entries(domain)) {
      if (typeof value === 'object' && (value as ObjectSchema).properties) {
        const text = JSON.stringify(value)
        if (!this.#names.has(text)) this.#names.set(text, name)
      }
    }
  }

  /** A reference where the domain has a name for it, also within. */
  named(schema: object): object {
    const name = this.#names.get(JSON.stringify(schema))
    if (name === undefined) return this.#within(schema)
    if (!this.#used.has(name)) {
      this.#used.set(name, {})
      this.#used.set(name, this.#within(schema))
    }
    return { $ref: `#/components/schemas/${name}` }
  }

  used(): Record<string, object> {
    return Object.fromEntries([...this.#used].toSorted(([a], [b]) => a.localeCompare(b)))
  }

  #within(schema: object): object {
    if (Array.isArray(schema)) return schema.map((each) => this.#of(each))
    return Object.fromEntries(Object.entries(schema).map(([key, each]) => [key, this.#of(each)]))
  }

  #of = (value: unknown): unknown => (typeof value === 'object' && value !== null ? this.named(value) : value)
}
