import { boundedText } from '../../base/bounded-text.ts'

/** A forecast of ten days by the hour is a tenth of it. */
const MOST_BYTES = 5_000_000

/** A conditional GET for JSON; a redirect is not followed: it could lead into the local network. Null: not modified. */
export async function getJson(
  url: URL,
  { lastModified, userAgent, signal }: { lastModified: string | null; userAgent: string; signal: AbortSignal },
): Promise<{ body: unknown; headers: Headers } | { body: null; headers: Headers }> {
  const response = await fetch(url, {
    signal,
    redirect: 'error',
    headers: { 'user-agent': userAgent, ...(lastModified !== null && { 'if-modified-since': lastModified }) },
  })
  if (response.status === 304) return { body: null, headers: response.headers }
  if (!response.ok) throw new Error(`${url.origin} answered ${response.status}`)
  return { body: JSON.parse(await boundedText(response, MOST_BYTES)), headers: response.headers }
}

/** When an answer says it is outdated, but not before `atLeast`. */
export function expiryOf(headers: Headers, atLeast: number): number {
  const expiresMs = Date.parse(headers.get('expires') ?? '')
  return Number.isNaN(expiresMs) ? atLeast : Math.max(expiresMs, atLeast)
}
