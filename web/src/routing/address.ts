/** A page by its path, whose names after $ are filled in. */
export interface Destination {
  to: string
  params?: Record<string, string>
  search?: Record<string, string>
}

export function pathTo({ to, params = {}, search }: Destination): string {
  const path = to.replace(/\$(\w+)/g, (_, name) => encodeURIComponent(params[name] ?? ''))
  return `${path}${search ? `?${new URLSearchParams(search)}` : ''}`
}

/** The names in a path that a pattern has with $; undefined where it is the path of another page. */
export function paramsIn(pattern: string, path: string): Record<string, string> | undefined {
  const [expected, found] = [pattern.split('/'), path.split('/')]
  if (expected.length !== found.length) return undefined
  const params: Record<string, string> = {}
  for (const [i, part] of expected.entries()) {
    const value = found[i] ?? ''
    if (part.startsWith('$') && value !== '') params[part.slice(1)] = decoded(value)
    else if (part !== value) return undefined
  }
  return params
}

/** An address that somebody typed may be no text at all. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
