/** Of the service worker: the site ends where its scope does. */
declare const registration: { scope: string }

/**
 * Which answers are kept for a time without a connection; the page marks them as old. What opens the account is not
 * among them. The text of this function goes into the service worker, so it uses nothing from outside.
 */
export const isKept = ({ url, request }: { url: URL; request: Request }): boolean => {
  const own = `${registration.scope}app/`
  if (request.method !== 'GET' || !url.href.startsWith(own) || url.pathname.endsWith('.csv')) return false
  return !/^(?:events|keys|sessions|passkeys)(?:[/?]|$)/.test(url.href.slice(own.length))
}

/**
 * Under which address an answer is kept. A chart up to now is asked for with other times every few minutes: its length
 * is its name, so that the last one seen is found without a connection. Goes into the service worker as well.
 */
export const keptUnder = async ({ request }: { request: Request }): Promise<string> => {
  const url = new URL(request.url)
  const [fromS, toS] = [Number(url.searchParams.get('from')), Number(url.searchParams.get('to'))]
  const isUpToNow = toS > Date.now() / 1000 - 600
  return url.pathname.endsWith('/history') && isUpToNow ? `${url.pathname}?length=${toS - fromS}` : request.url
}
