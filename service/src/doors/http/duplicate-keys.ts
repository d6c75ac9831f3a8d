/**
 * The first key that occurs twice in one object of a text that is valid JSON; `JSON.parse` keeps the last in silence.
 */
export function duplicateKeyIn(json: string): string | undefined {
  /** The keys seen in each open object; undefined stands for an open array. */
  const open: (Set<string> | undefined)[] = []
  let isKeyNext = false
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],]/gs)) {
    if (token === '{') open.push(new Set())
    else if (token === '[') open.push(undefined)
    else if (token === '}' || token === ']') open.pop()
    else if (token !== ',' && isKeyNext) {
      const key = JSON.parse(token) as string
      const keys = open.at(-1)
      if (keys?.has(key)) return key
      keys?.add(key)
    }
    isKeyNext = token === '{' || (token === ',' && open.at(-1) !== undefined)
  }
  return undefined
}
