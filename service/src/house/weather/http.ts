/** A conditional GET for JSON. Null: not modified. */
export async function getJson(
  url: URL,
  { lastModified, userAgent, signal }: { lastModified: string | null; userAgent: string; signal: AbortSignal },
): Promise<{ body: unknown; headers: Headers } | { body: null; headers: Headers }> {
  const response = await fetch(url, {
    signal,
    headers: { 'user-agent': userAgent, ...(lastModified !== null && { 'if-modified-since': lastModified }) },
  })
  if (response.status === 304) return { body: null, headers: response.headers }
  if (!response.ok) throw new Error(`${url.origin} answered ${response.status}`)
  return { body: await response.json(), headers: response.headers }
}

/** When an answer says it is outdated, but not before `atLeast`. */
export function expiryOf(headers: Headers, atLeast: number): number {
  const expiresMs = Date.parse(headers.get('expires') ?? '')
  return Number.isNaN(expiresMs) ? atLeast : Math.max(expiresMs, atLeast)
}
