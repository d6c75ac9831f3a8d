import { INTERFACES, type Interface, type Operation } from '../openapi.ts'
import type { SettledHouse } from '../settle.ts'
import type { Chance } from './chance.ts'
import { fromSchema } from './from-schema.ts'
import type { Target } from './target.ts'
import { timed, type Verdict } from './verdict.ts'

const OWNERS_EACH = 1000
const AT_ONCE = 4
const GIVE_UP_MS = 20_000
const METHODS = ['GET', 'PUT', 'POST', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']

export interface Caller {
  house: SettledHouse
  other: SettledHouse
  cookie: string
  /** Of the owner, if the interface knows of webhooks. */
  webhookId?: string | undefined
}

export interface Case {
  method: string
  path: string
  headers: Record<string, string>
  body: string | undefined
  isStream: boolean
}

/** Requests made from the interface's own document: nearly right, wrong in one place, or wrong altogether. */
export async function fuzzHttp(
  target: Target,
  name: keyof typeof INTERFACES,
  cases: number,
  chance: Chance,
  verdict: Verdict,
): Promise<void> {
  const of = INTERFACES[name]
  const oneOf = (caller: Caller) => caseOf(chance, of, chance.pick(of.operations), caller)
  await fuzzRequests(target, name, cases, verdict, oneOf)
}

/** Sends cases a few at a time, with a new owner from time to time. */
export async function fuzzRequests(
  target: Target,
  name: string,
  cases: number,
  verdict: Verdict,
  oneOf: (caller: Caller) => Case,
): Promise<void> {
  for (let done = 0; done < cases; done += OWNERS_EACH) {
    // An owner signs out, removes the house, or changes the password: so there is a new one from time to time.
    const [owner, other] = [await target.newOwner(), await target.newOwner()]
    const cookie = name === 'app' ? await target.signIn(owner.email) : ''
    const webhookId = cookie === '' ? undefined : await webhookOf(target, cookie)
    const caller: Caller = { house: owner, other, cookie, webhookId }
    const count = Math.min(OWNERS_EACH, cases - done)
    const queue = Array.from({ length: count }, () => oneOf(caller))
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let next = queue.pop(); next; next = queue.pop()) await tried(target, next, verdict)
      }),
    )
    verdict.count(`/${name}`, count)
    if (!target.process.isRunning) {
      verdict.fault('crash', target.process.stderr.slice(-1500))
      await target.process.start()
    }
  }
}

async function webhookOf(target: Target, cookie: string): Promise<string> {
  const body = JSON.stringify({ url: 'https://receiver.example/', events: ['change'] })
  const headers = { cookie, origin: target.url, 'content-type': 'application/json' }
  const answer = await fetch(`${target.url}/app/webhooks`, { method: 'POST', headers, body })
  if (!answer.ok) throw new Error(`webhook: ${answer.status} ${await answer.text()}`)
  return ((await answer.json()) as { id: string }).id
}

export function caseOf(chance: Chance, of: Interface, operation: Operation, caller: Caller): Case {
  const { path, query } = whereOf(chance, of, operation, caller)
  const method = chance.one(0.03) ? chance.pick(METHODS) : operation.method
  const body = bodyOf(chance, of, operation, caller)
  const headers: Record<string, string> = {
    ...(body !== undefined && {
      'content-type': chance.one(0.05) ? chance.pick(['text/plain', 'x', 'application/xml']) : 'application/json',
    }),
    ...credentials(chance, caller),
    ...(operation.isStream && chance.one(0.9) && { accept: 'text/event-stream' }),
    ...(operation.isStream && chance.one(0.5) && { 'last-event-id': lastEventId(chance) }),
    ...(chance.one(0.1) && { 'if-none-match': chance.pick(['*', '"x"', 'W/"x"', '""']) }),
    ...(chance.one(0.1) && { 'if-match': chance.pick(['*', '"x"', 'x']) }),
    ...(chance.one(0.03) && { origin: chance.pick(['null', 'http://evil.example', 'x']) }),
  }
  return { method, path: path + query, headers, body, isStream: operation.isStream }
}

const lastEventId = (chance: Chance): string =>
  chance.pick(['', 'x', 'A'.repeat(6), 'A'.repeat(60), 'A'.repeat(66), '_'.repeat(8000), '=?', "'"])

function whereOf(chance: Chance, of: Interface, operation: Operation, { house, other, webhookId }: Caller) {
  const known: Record<string, string[]> = {
    buildingId: [house.buildingId, house.buildingId, other.buildingId],
    roomId: [...house.roomIds, ...house.roomIds, ...other.roomIds],
    gatewayId: [house.gatewayId, other.gatewayId],
    ...(webhookId !== undefined && { webhookId: [webhookId] }),
  }
  const path = operation.path.replace(/\{(\w+)\}/g, (_all, parameter) => {
    const ids = known[parameter]
    return ids && chance.one(0.85) ? chance.pick(ids) : encoded(chance.text() || 'x', chance)
  })
  const parts = operation.parameters
    .filter((parameter) => parameter.in === 'query' && chance.one(0.7))
    // Waiting is what it is for: it is asked not to.
    .map(({ name, schema }) => [
      name,
      name === 'wait'
        ? chance.pick(['0', '-1', 'x', ''])
        : knownOr(chance, known, name, fromSchema(chance, of, schema)),
    ])
  if (chance.one(0.05)) parts.push([chance.text(), chance.text()])
  const query = parts
    .map(([name, value]) => `${encoded(String(name), chance)}=${encoded(String(value), chance)}`)
    .join('&')
  return { path, query: query && `?${query}` }
}

/** Some are sent as they are, as far as a request line can hold them. */
function encoded(text: string, chance: Chance): string {
  if (chance.one(0.1)) return text.replace(/[^\x21-\x7e]|[?#\\]/g, '%')
  return encodeURIComponent(text.toWellFormed())
}

/** A building or a room that is named leads somewhere now and then. */
function knownOr(chance: Chance, known: Record<string, string[]>, name: string, value: unknown): unknown {
  const ids = name === 'building_id' ? known.buildingId : name === 'room_id' ? known.roomId : undefined
  return ids && chance.one(0.7) ? chance.pick(ids) : value
}

function bodyOf(chance: Chance, of: Interface, operation: Operation, caller: Caller): string | undefined {
  if (!operation.body) return chance.one(0.05) && operation.method !== 'GET' ? '{}' : undefined
  if (chance.one(0.05))
    return chance.pick(['', '{', 'null', '[]', '"x"', '{"a":1,"a":2}', '['.repeat(5000), 'x'.repeat(20_000)])
  const roomIds = [...caller.house.roomIds, ...caller.house.roomIds, ...caller.other.roomIds]
  return JSON.stringify(fromSchema(chance, of, operation.body), (name, value) =>
    (name === 'id' || name === 'room_id') && chance.one(0.7) ? chance.pick(roomIds) : value,
  )
}

export function credentials(chance: Chance, { house, other, cookie }: Caller): Record<string, string> {
  const { readKey, writeKey, controlKey } = house
  const key = chance.pick([
    readKey,
    writeKey,
    writeKey,
    controlKey,
    controlKey,
    controlKey,
    other.writeKey,
    'hyp_x',
    '',
  ])
  const session = chance.one(0.95) ? cookie : chance.pick(['x=y', `${cookie}x`, ''])
  return { 'x-api-key': key, ...(session && { cookie: session }) }
}

async function tried(target: Target, each: Case, verdict: Verdict): Promise<void> {
  const what = () => JSON.stringify(each).slice(0, 600)
  try {
    const { status, type, text } = await timed(verdict, what, () => asked(target, each))
    if (status >= 500) verdict.fault('5xx', `${status} ${text.slice(0, 200)} for ${what()}`)
    const isOfForm = each.path.startsWith('/oauth/') ? isOauthError : isError
    if (status >= 400 && each.method !== 'HEAD' && !isOfForm(type, text))
      verdict.fault('error shape', `${status} ${type} ${text.slice(0, 200)} for ${what()}`)
  } catch (error) {
    // A request that Node's own client refuses to send is none.
    const { message, cause } = error as Error & { cause?: Error }
    if (!/invalid|Invalid|must not contain|Parse/.test(`${message} ${cause?.message}`))
      verdict.fault('no answer', `${message} ${cause?.message ?? ''} for ${what()}`)
  }
}

async function asked(target: Target, { method, path, headers, body, isStream }: Case) {
  const controller = new AbortController()
  const signal = AbortSignal.any([controller.signal, AbortSignal.timeout(GIVE_UP_MS)])
  const request = { method, headers, signal, redirect: 'manual' as const }
  const hasBody = body !== undefined && method !== 'GET' && method !== 'HEAD'
  const answer = await fetch(target.url + path, { ...request, ...(hasBody && { body }) })
  const type = answer.headers.get('content-type') ?? ''
  if (isStream && answer.ok) {
    controller.abort()
    return { status: answer.status, type, text: '' }
  }
  return { status: answer.status, type, text: await answer.text() }
}

/** As RFC 6749 has it; what is refused before it is known for a form has the form of everything else. */
function isOauthError(type: string, text: string): boolean {
  if (isError(type, text)) return true
  const { error, error_description: why } = JSON.parse(text) as Record<string, unknown>
  return typeof error === 'string' && typeof why === 'string'
}

function isError(type: string, text: string): boolean {
  if (!type.startsWith('application/json')) return false
  const { jsonrpc, error } = JSON.parse(text) as { jsonrpc?: string; error?: { code?: unknown; message?: unknown } }
  // An assistant is answered as JSON-RPC does, where the message was one.
  return typeof error?.code === (jsonrpc ? 'number' : 'string') && typeof error?.message === 'string'
}
