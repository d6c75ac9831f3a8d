import { BASE } from './base.ts'
import { checkConnection, noteAnswer } from './freshness.ts'

/** A refusal by the service, or no answer at all. */
export class ApiError extends Error {
  readonly code: string
  readonly status: number
  /** How long an overloaded service asks to be left alone. */
  readonly againAfterMs: number | undefined

  constructor(code: string, status: number, message: string, againAfterMs?: number) {
    super(message)
    this.name = 'ApiError'
    this.code = code
    this.status = status
    this.againAfterMs = againAfterMs
  }
}

/** Without an answer for this long there is none: a phone that left the house must not wait for minutes. */
const PATIENCE_MS = 20_000

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** Small requests can be made to outlive the page that sends them. */
type Lasting = Pick<RequestInit, 'keepalive'>

/** The one way to the service. */
export async function api<T>(method: Method, path: string, body?: unknown, lasting: Lasting = {}): Promise<T> {
  const response = await ask(method, path, body, lasting)
  if (method === 'GET') noteAnswer(path, response)
  if (response.status === 204) return undefined as T
  const json = (await response.json().catch(() => undefined)) as T & { error?: { code: string; message: string } }
  if (response.ok && json !== undefined) return json
  // It broke off: what was asked for may have happened.
  if (response.ok) throw new ApiError('no_answer', 0, '')
  const { code = 'internal_error', message = '' } = json?.error ?? {}
  throw new ApiError(code, response.status, message, againAfterMs(response))
}

function againAfterMs({ status, headers }: Response): number | undefined {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return status === 503 && seconds >= 0 ? 1000 * seconds : undefined
}

async function ask(method: Method, path: string, body: unknown, lasting: Lasting): Promise<Response> {
  const late = new AbortController()
  setTimeout(() => late.abort(), PATIENCE_MS)
  const request: RequestInit = {
    method,
    signal: late.signal,
    ...lasting,
    ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  }
  try {
    return await fetch(`${BASE}/app${path}`, request)
  } catch {
    void checkConnection()
    throw new ApiError(late.signal.aborted ? 'no_answer' : 'offline', 0, '')
  }
}
