/** Open to every origin: /v1 uses no cookies, so a browser lends a stranger's page nothing. */
export const CORS_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag, RateLimit, RateLimit-Policy, Retry-After, x-request-id',
}

export const preflightHeaders = (allow: string) => ({
  allow,
  'access-control-allow-methods': allow,
  'access-control-allow-headers': 'x-api-key, authorization, content-type, if-match, if-none-match, last-event-id',
  'access-control-max-age': '86400',
})
