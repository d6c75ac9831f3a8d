/**
 * Which answers are kept for a time without a connection; the page marks them as old. What opens the account is not
 * among them. The text of this function goes into the service worker, so it uses nothing from outside.
 */
export const isKept = ({ url, request, sameOrigin }: { url: URL; request: Request; sameOrigin: boolean }): boolean =>
  sameOrigin &&
  request.method === 'GET' &&
  url.pathname.startsWith('/app/') &&
  !/^\/app\/(?:events|keys|sessions|passkeys)(?:\/|$)|\.csv$/.test(url.pathname)
