import type { ErrorBody, ErrorCode } from './generated/types.ts'

/**
 * What can go wrong without an answer of the service: no address at all, a host that nobody knows, nobody there, too
 * slow, another program answering, or a write under the condition that something never read is unchanged.
 */
export type LocalErrorCode =
  | 'invalid_address'
  | 'unknown_host'
  | 'no_connection'
  | 'timeout'
  | 'unexpected_answer'
  | 'not_read'

interface Details {
  status?: number
  retryAfterS?: number
  requestId?: string
  cause?: unknown
}

/** Every failure of a call. `code` says which; a newer service may send codes that are not in the list yet. */
export class HypocaustError extends Error {
  override readonly name = 'HypocaustError'
  readonly code: ErrorCode | LocalErrorCode
  /** The HTTP status, where there was an answer. */
  readonly status: number | undefined
  /** When the service asks to try again. */
  readonly retryAfterS: number | undefined
  /** Names the request in the service's log. */
  readonly requestId: string | undefined

  constructor(
    code: ErrorCode | LocalErrorCode,
    message: string,
    { status, retryAfterS, requestId, cause }: Details = {},
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.status = status
    this.retryAfterS = retryAfterS
    this.requestId = requestId
  }

  /** Whether the same request may succeed a little later. */
  get isTransient(): boolean {
    return TRANSIENT_CODES.has(this.code) || TRANSIENT_STATUSES.has(this.status ?? 0)
  }
}

const TRANSIENT_CODES = new Set<string>(['no_connection', 'timeout', 'rate_limited', 'unavailable', 'request_timeout'])

/** A proxy before the service says these in its own words. */
const TRANSIENT_STATUSES = new Set([429, 502, 503, 504])

export function errorOfAnswer(answer: Response, body: unknown, url: string, nowMs: number): HypocaustError {
  const retryAfterS = secondsOf(answer.headers.get('retry-after'), nowMs)
  const requestId = answer.headers.get('x-request-id') ?? undefined
  const details = {
    status: answer.status,
    ...(retryAfterS !== undefined && { retryAfterS }),
    ...(requestId !== undefined && { requestId }),
  }
  if (isErrorBody(body)) return new HypocaustError(body.error.code as ErrorCode, body.error.message, details)
  const said = `${url} answered with status ${answer.status}, and not as Hypocaust does. Is the address right?`
  return new HypocaustError('unexpected_answer', said, details)
}

/**
 * A browser hides where a redirect points and shows an opaque answer; Node shows the status. What the service itself
 * says of a building that has moved is an error like any other.
 */
export function errorOfRedirect(answer: Response, body: unknown, url: string): HypocaustError | undefined {
  const isRedirect = answer.type === 'opaqueredirect' || (answer.status >= 300 && answer.status < 400)
  if (!isRedirect || answer.status === 304 || isErrorBody(body)) return undefined
  const target = answer.headers.get('location')
  const where = target ? ` to ${target}` : ''
  return new HypocaustError('unexpected_answer', `${url} redirects${where}. Give the final address.`, {
    status: answer.status,
  })
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isErrorBody(body: unknown): body is ErrorBody {
  const error = (body as Partial<ErrorBody> | null | undefined)?.error
  return typeof error?.code === 'string' && typeof error.message === 'string'
}

/** `Retry-After` is a number of seconds or a date. */
function secondsOf(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined
  if (/^\d+$/.test(header)) return Number(header)
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - nowMs) / 1000))
}
