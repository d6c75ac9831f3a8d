const BROWSERS = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari']
const SYSTEMS = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac OS', 'Linux']

/** Names a person knows; products are called the same in every language. */
export function deviceOf(userAgent: string): [string | undefined, string | undefined] {
  const find = (names: string[]) => names.find((name) => userAgent.includes(name))
  const browser = find(BROWSERS)
  return [browser === 'Edg' ? 'Edge' : browser === 'OPR' ? 'Opera' : browser, find(SYSTEMS)]
}
