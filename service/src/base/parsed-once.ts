/**
 * Reads JSON texts that come again and again: one is parsed only when it is another than the last of its key. What is
 * returned is shared, and must not be changed.
 */
export function parsedOnce<T>(
  mostKept: number,
  parse: (text: string) => T = JSON.parse,
): (key: string, text: string) => T {
  const kept = new Map<string, { text: string; value: T }>()
  return (key, text) => {
    const last = kept.get(key)
    if (last?.text === text) return last.value
    const value = parse(text)
    kept.delete(key)
    kept.set(key, { text, value })
    const [oldest] = kept.size > mostKept ? kept.keys() : []
    if (oldest !== undefined) kept.delete(oldest)
    return value
  }
}
