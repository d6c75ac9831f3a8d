import { isObject } from '../base/json.ts'

/** Where a value stands in a message: `params["temperature:0"].tC`. `.` is the message itself. */
export type Path = readonly (string | number)[]

const STEP = /^(?:\.?([^.[\]"'{}]+)|\[(\d+)\]|\["([^"]*)"\]|\['([^']*)'\])/

/** The steps of a path, or undefined when it is malformed. */
export function parsePath(text: string): Path | undefined {
  if (text === '.') return []
  const steps: (string | number)[] = []
  for (let rest = text; rest !== ''; ) {
    const match = STEP.exec(rest)
    if (!match || (steps.length === 0 && rest.startsWith('.'))) return undefined
    const [all, plain, index, double, single] = match
    steps.push(index === undefined ? (plain ?? double ?? single ?? '') : Number(index))
    rest = rest.slice(all.length)
  }
  return steps.length > 0 ? steps : undefined
}

export function valueAt(value: unknown, path: Path): unknown {
  let at = value
  for (const step of path) {
    if (Array.isArray(at) && typeof step === 'number') at = at[step]
    else if (isObject(at) && Object.hasOwn(at, step)) at = at[step]
    else return undefined
  }
  return at
}

const paths = new Map<string, Path>()

/** The value at a path given as text; nothing when the path is malformed. */
export function valueIn(value: unknown, text: string): unknown {
  const path = paths.get(text) ?? parsePath(text)
  if (!path) return undefined
  paths.set(text, path)
  return valueAt(value, path)
}

/** A message that has nothing but this value at the path: `params.brightness` is a field within a field. */
export function placedAt(text: string, value: unknown): unknown {
  return (parsePath(text) ?? [text]).reduceRight<unknown>((inner, step) => {
    if (typeof step === 'string') return { [step]: inner }
    const list: unknown[] = Array.from({ length: step }, () => null)
    return [...list, inner]
  }, value)
}
