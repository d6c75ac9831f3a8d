import { checkConnection, noteAnswer } from './freshness.ts'

/** A refusal by the service, or no answer at all. */
export class ApiError extends Error {
  readonly code: string
  readonly status: number

  constructor(code: string, status: number, message: string) {
    super(message)
    this.name = 'ApiError'
    this.code = code
    this.status = status
  }
}

/** Without an answer for this long there is none: a phone that left the house must not wait for minutes. */
const PATIENCE_MS = 20_000

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** The one way to the service. */
export async function api<T>(method: Method, path: string, body?: unknown): Promise<T> {
  const response = await ask(method, path, body)
  if (method === 'GET') noteAnswer(response)
  if (response.status === 204) return undefined as T
  const json = (await response.json().catch(() => undefined)) as T & { error?: { code: string; message: string } }
  if (response.ok) return json
  throw new ApiError(json?.error?.code ?? 'internal_error', response.status, json?.error?.message ?? '')
}

async function ask(method: Method, path: string, body: unknown): Promise<Response> {
  try {
    return await fetch(`/app${path}`, {
      method,
      signal: AbortSignal.timeout(PATIENCE_MS),
      ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
  } catch (error) {
    void checkConnection()
    const isLate = error instanceof DOMException && error.name === 'TimeoutError'
    throw new ApiError(isLate ? 'no_answer' : 'offline', 0, '')
  }
}
