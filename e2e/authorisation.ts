import { INTERFACES, type Interface, type Operation, type Schema } from './openapi.ts'

/** Who asks: by key or by the access token of an app on /v1 and /control/v1, by session on /app. */
export const CALLERS = [
  'own',
  'other session',
  'foreign',
  'read-only',
  'without control',
  'revoked',
  'expired',
  'other gateway',
  'app',
  'app that may read',
  'foreign app',
  'app of a former member',
  'none',
] as const
export type Caller = (typeof CALLERS)[number]

/** `in`: the request is carried out, or refused for what is in it. Anything else is the code of the refusal. */
export type Outcome =
  | 'in'
  | 'not_found'
  | 'read_only_key'
  | 'not_permitted'
  | 'missing_api_key'
  | 'invalid_api_key'
  | 'not_signed_in'

export type Door = keyof typeof INTERFACES

/** The settings of the heating control are for keys whose holder chose that, and for no app. */
const OPEN_V1_ALONE: readonly Caller[] = ['without control', 'app', 'app that may read', 'foreign app']

/** Everything the documents describe: a new route is in the matrix as soon as it exists. */
export const ROUTES: { door: Door; operation: Operation }[] = (Object.keys(INTERFACES) as Door[]).flatMap((door) =>
  INTERFACES[door].operations.map((operation) => ({ door, operation })),
)

/** The rule, in one place: what the document says of a route decides what each caller gets. */
export function expected(door: Door, { isOpen, method, path }: Operation, caller: Caller): Outcome {
  if (isOpen) return 'in'
  const namesSomething = /\{\w+\}/.test(path)
  const ofForeign = namesSomething ? 'not_found' : 'in'
  if (door === 'app') {
    if (caller === 'own' || caller === 'other session') return 'in'
    return caller === 'foreign' ? ofForeign : 'not_signed_in'
  }
  if (door === 'control' && OPEN_V1_ALONE.includes(caller)) return 'not_permitted'
  switch (caller) {
    case 'own':
    case 'without control':
    case 'app':
      return 'in'
    case 'foreign':
    case 'foreign app':
      return ofForeign
    case 'read-only':
    case 'app that may read':
      return method === 'GET' ? 'in' : 'read_only_key'
    case 'revoked':
    case 'expired':
    case 'other gateway':
    case 'app of a former member':
      return 'invalid_api_key'
    // A session opens the website and nothing else.
    case 'other session':
    case 'none':
      return 'missing_api_key'
  }
}

const UUID = '019bb0f4-6e00-7c3a-9d5e-2f1a6b7c8d9e'

/** The least that the schema accepts, so that a refusal is about the caller and not about the body. */
export function leastBody(of: Interface, schema: Schema): unknown {
  const known = of.resolve(schema)
  const choices = known.anyOf ?? known.oneOf
  if (isNullable(of, known)) return null
  if (choices) return leastBody(of, choices[0] ?? {})
  if (known.const !== undefined) return known.const
  if (known.enum) return known.enum[0]
  switch (Array.isArray(known.type) ? known.type[0] : known.type) {
    case 'object': {
      const required = (known.required ?? []).map((name) => [name, leastBody(of, known.properties?.[name] ?? {})])
      return Object.fromEntries(required)
    }
    case 'array':
      return []
    case 'integer':
    case 'number':
      return known.minimum ?? 0
    case 'boolean':
      return false
    case 'string':
      return known.format === 'date-time' ? '2026-01-10T08:15:03.000Z' : known.format === 'uuid' ? UUID : textOf(known)
    default:
      return {}
  }
}

/** Null names nothing, so nothing it names can be missing. */
const isNullable = (of: Interface, { type, anyOf = [] }: Schema): boolean =>
  [type].flat().includes('null') || anyOf.some((each) => of.resolve(each).type === 'null')

const textOf = ({ minLength = 1, pattern = '' }: Schema): string =>
  pattern.includes('[0-9a-f') ? 'a4:c1:38:5e:01:02' : 'x'.repeat(Math.max(1, minLength))
