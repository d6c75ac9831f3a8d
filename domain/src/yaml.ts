import { type Document, isNode, isScalar, LineCounter, parseDocument, visit, type YAMLMap } from 'yaml'

export const MAX_YAML_BYTES = 512 * 1024
const MAX_ALIASES = 100
const MAX_DEPTH = 50

export type YamlPath = (string | number)[]

type ReadYaml =
  | { ok: true; value: unknown; lineOf(path: YamlPath): number }
  | { ok: false; line: number; message: string }

/** A file as people write them. One that would keep the machine busy is refused before it is parsed. */
export function readYaml(text: string): ReadYaml {
  const excess = excessOf(text)
  if (excess !== undefined) return { ok: false, line: 1, message: excess }
  const lines = new LineCounter()
  const refuse = (offset: number, message: string): ReadYaml => {
    const [why = 'not YAML'] = message.split(/\n| at line/, 1)
    return { ok: false, line: lines.linePos(offset).line || 1, message: why }
  }
  try {
    // The parser compares each key with all others of its map; `faultIn` looks for keys used twice in one pass.
    const document = parseDocument(text, { lineCounter: lines, uniqueKeys: false })
    const [broken] = document.errors
    if (broken) return refuse(broken.pos[0], broken.message)
    const fault = faultIn(document)
    if (fault) return refuse(fault.offset, fault.message)
    return { ok: true, value: document.toJS(), lineOf: (path) => lineOf(document, lines, path) }
  } catch (error) {
    return refuse(0, (error as Error).message)
  }
}

/** Counted in the text, on the safe side: parsing is what must not happen. */
function excessOf(text: string): string | undefined {
  if (text.length > MAX_YAML_BYTES) return `the file is larger than ${MAX_YAML_BYTES / 1024} KiB`
  if (countOf(text, /(?:^|[\s,[{:-])\*[^\s,\]}]/g) > MAX_ALIASES)
    return `the file has more than ${MAX_ALIASES} aliases (*name)`
  if (depthOf(text) > MAX_DEPTH) return `the file is nested more than ${MAX_DEPTH} levels deep`
  return undefined
}

function countOf(text: string, pattern: RegExp): number {
  let count = 0
  for (const _ of text.matchAll(pattern)) if (++count > MAX_ALIASES) break
  return count
}

/** Brackets that are open at the same time, dashes and question marks one after the other, and steps of indentation. */
function depthOf(text: string): number {
  let open = 0
  let deepest = 0
  for (const character of text) {
    if (character === '[' || character === '{') deepest = Math.max(deepest, ++open)
    else if (character === ']' || character === '}') open = Math.max(0, open - 1)
  }
  for (const [opening] of text.matchAll(/^(?:[ \t]*[-?:](?=[ \t]))+/gm)) {
    deepest = Math.max(deepest, opening.replaceAll(/[ \t]/g, '').length)
  }
  for (const [indentation] of text.matchAll(/^ +/gm)) deepest = Math.max(deepest, Math.floor(indentation.length / 8))
  return deepest
}

interface Fault {
  offset: number
  message: string
}

/** A key used twice, or an alias before which nothing has its name: the parser itself does not mind either. */
function faultIn(document: Document): Fault | undefined {
  const anchors = new Set<string>()
  let fault: Fault | undefined
  visit(document, {
    Alias(_key, { source, range }) {
      if (anchors.has(source)) return undefined
      fault = { offset: range?.[0] ?? 0, message: `the alias *${source} stands for nothing: no &${source} before it` }
      return visit.BREAK
    },
    Map(_key, map) {
      if (map.anchor) anchors.add(map.anchor)
      fault = repeatedKeyIn(map)
      return fault ? visit.BREAK : undefined
    },
    Value(_key, { anchor }) {
      if (anchor) anchors.add(anchor)
    },
  })
  return fault
}

function repeatedKeyIn(map: YAMLMap): Fault | undefined {
  const keys = new Set<unknown>()
  for (const { key } of map.items) {
    if (!isScalar(key)) continue
    if (keys.has(key.value)) return { offset: key.range?.[0] ?? 0, message: `the key ${key.value} is there twice` }
    keys.add(key.value)
  }
  return undefined
}

/** The line of the field, or of what should hold it. */
function lineOf(document: Document, lines: LineCounter, path: YamlPath): number {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true)
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line
  }
  return 1
}
