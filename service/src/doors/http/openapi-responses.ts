import { STATUS_CODES } from 'node:http'
import { ERRORS } from '@hypocaust/domain'

/** As much of an OpenAPI document as is touched here. */
interface Document {
  paths?: Record<string, Record<string, Operation>>
  components?: {
    schemas?: Record<string, unknown>
    headers?: Record<string, Header>
    responses?: Record<string, Response>
  }
}

interface Operation {
  operationId: string
  summary: string
  description?: string
  requestBody?: unknown
  responses: Record<string, Response | Reference>
}

interface Response {
  description: string
  headers?: Record<string, Reference>
  content?: unknown
}

interface Reference {
  $ref: string
}

interface Header {
  description: string
  schema: { type: string; examples: (string | number)[] }
}

const header = (type: string, description: string, example: string | number): Header => ({
  description,
  schema: { type, examples: [example] },
})

const HEADERS: Record<string, Header> = {
  'x-request-id': header(
    'string',
    'Names this request in the logs; one sent along is kept.',
    '5f0c7a52-0b1e-4f2f-8d3a-9c6b7e5d4a31',
  ),
  ETag: header(
    'string',
    'Changes whenever the answer does. Send it as `If-None-Match` to read, and as `If-Match` to change only what you have seen.',
    '"wGGW5pgI1OrGHGHRz3zVHJ2NqR5hPyaK"',
  ),
  'RateLimit-Policy': header(
    'string',
    'The budget: `q` requests in `w` seconds. Absent where the limit is switched off.',
    '"read";q=600;w=60',
  ),
  RateLimit: header('string', 'What is left: `r` requests, for `t` seconds.', '"read";r=598;t=42'),
  Location: header('string', 'Where to send the request.', 'https://cell-2.example.org/v1/buildings'),
  'Retry-After': header('integer', 'Seconds until it is worth trying again.', 40),
  'WWW-Authenticate': header(
    'string',
    'How to authenticate.',
    'ApiKey realm="Hypocaust", header="x-api-key", Bearer realm="Hypocaust", resource_metadata="https://heating.example.org/.well-known/oauth-protected-resource"',
  ),
  Deprecation: header(
    'string',
    'From when fields of this answer are deprecated: the document marks them and names what to use instead (RFC 9745).',
    '@1796083200',
  ),
  Sunset: header('string', 'Until then they are sent at least (RFC 8594).', 'Wed, 01 Dec 2027 00:00:00 GMT'),
  Allow: header('string', 'The methods this path has.', 'GET, HEAD'),
}

/** Adds the headers to every response, and writes each error response once for all operations. */
export function completeResponses<T extends object>(document: T): T {
  const { paths = {}, components = {} } = document as Document
  const shared: Record<string, Response> = {}
  for (const operation of Object.values(paths).flatMap((path) => Object.values(path))) {
    for (const [status, response] of Object.entries(operation.responses) as [string, Response][]) {
      const renamed = status === '200' && hasDeprecated(response, components.schemas ?? {}) ? RENAMED : []
      const complete = { ...response, headers: referencesTo([...headersOf(Number(status), response), ...renamed]) }
      operation.responses[status] = isRefusal(Number(status)) ? share(shared, status, complete) : complete
    }
  }
  for (const path of Object.values(paths)) if (path.get) path.head = headOf(path.get)
  const text = JSON.stringify([paths, shared])
  const used = Object.entries(HEADERS).filter(([name]) => text.includes(`"#/components/headers/${name}"`))
  return { ...document, components: { ...components, headers: Object.fromEntries(used), responses: shared } }
}

const RENAMED = ['Deprecation', 'Sunset']

function hasDeprecated(part: unknown, schemas: Record<string, unknown>): boolean {
  const text = JSON.stringify(part) ?? ''
  if (text.includes('"deprecated":true')) return true
  const named = text.matchAll(/"#\/components\/schemas\/(\w+)"/g)
  return [...named].some(([, name]) => hasDeprecated(schemas[name ?? ''], schemas))
}

/** As GET, without the body; of errors, too. */
function headOf({ requestBody: _none, ...get }: Operation): Operation {
  const responses = Object.entries(get.responses).map(([status, response]) => {
    const { content: _body, ...headersOnly } = response as Response
    return [status, headersOnly]
  })
  return {
    ...get,
    operationId: `${get.operationId}Head`,
    summary: `${get.summary}: headers only`,
    description: 'As `GET`, without a body.',
    responses: Object.fromEntries(responses),
  }
}

function share(shared: Record<string, Response>, status: string, response: Response): Reference {
  const base = (STATUS_CODES[status] ?? status).replace(/\W/g, '')
  const text = JSON.stringify(response)
  for (let n = 1; ; n++) {
    const name = n === 1 ? base : `${base}${n}`
    shared[name] ??= response
    if (JSON.stringify(shared[name]) === text) return { $ref: `#/components/responses/${name}` }
  }
}

/** Also where the request is to be sent elsewhere; a 304 is an answer. */
const isRefusal = (status: number): boolean => status >= 400 || status === ERRORS.moved.status

function headersOf(status: number, { content }: Response): string[] {
  // These two are refused before there is a request to count.
  if (status === 408 || status === 431) return ['x-request-id']
  // And of these nobody knows whose budget they would count against.
  const isCounted = status !== 401 && status !== 405
  return [
    'x-request-id',
    'RateLimit-Policy',
    ...(isCounted ? ['RateLimit'] : []),
    // A stream has no end that a tag could be made of.
    ...(!isRefusal(status) && !isStream(content) ? ['ETag'] : []),
    ...(status === 401 ? ['WWW-Authenticate'] : []),
    ...(status === 429 || status === 503 ? ['Retry-After'] : []),
    ...(status === 405 ? ['Allow'] : []),
    ...(status === ERRORS.moved.status ? ['Location'] : []),
  ]
}

const isStream = (content: unknown): boolean => Object.hasOwn(Object(content), 'text/event-stream')

const referencesTo = (names: string[]): Record<string, Reference> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
