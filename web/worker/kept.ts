/**
 * Which answers are kept for a time without a connection; the page marks them as old. What opens the account is not
 * among them.
 */
export function isKept({ method, url }: { method: string; url: string }, scope: string): boolean {
  const own = `${scope}app/`
  if (method !== 'GET' || !url.startsWith(own) || new URL(url).pathname.endsWith('.csv')) return false
  return !/^(?:account|events|keys|connected-apps|webhooks|sessions|passkeys)(?:[/?]|$)/.test(url.slice(own.length))
}

/**
 * Under which address an answer is kept. A chart up to now is asked for with other times every few minutes: its length
 * is its name, so that the last one seen is found without a connection.
 */
export function keptUnder(address: string, nowMs: number): string {
  const url = new URL(address)
  const [fromS, toS] = [Number(url.searchParams.get('from')), Number(url.searchParams.get('to'))]
  const isUpToNow = toS > nowMs / 1000 - 600
  return url.pathname.endsWith('/history') && isUpToNow ? `${url.pathname}?length=${toS - fromS}` : address
}
