const LONGEST_URI = 512
const LOOPBACK = /^(127\.0\.0\.1|\[::1\]|localhost)$/

/** An address of a website, of a program on the same machine, or of an app by a name that its maker owns (RFC 8252). */
export function isRedirectUri(text: string): boolean {
  if (text.length > LONGEST_URI || text.includes('#') || !URL.canParse(text)) return false
  const { protocol, hostname, username, password } = new URL(text)
  if (username !== '' || password !== '') return false
  if (protocol === 'https:') return true
  if (protocol === 'http:') return LOOPBACK.test(hostname)
  return /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/.test(protocol)
}

const PORT = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)):\d+(?=[/?]|$)/

/** Exactly as registered, but for the port of a program on the same machine, which takes a free one. */
export const isRegistered = (registered: string[], uri: string): boolean =>
  isRedirectUri(uri) && registered.some((each) => each.replace(PORT, '$1') === uri.replace(PORT, '$1'))

/** With these parameters behind those it has. */
export function redirectTo(uri: string, parameters: Record<string, string | undefined>): string {
  const given = Object.entries(parameters).filter((each): each is [string, string] => each[1] !== undefined)
  return `${uri}${uri.includes('?') ? '&' : '?'}${new URLSearchParams(given)}`
}
