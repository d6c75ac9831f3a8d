import { HouseFile, inWords, slugOf } from '@hypocaust/domain'
import Value from 'typebox/value'
import { type Document, LineCounter, parseDocument, visit } from 'yaml'
import { isTimeZone } from './buildings.ts'

export interface HouseProblem {
  line: number
  field: string
  message: string
}

export type ParsedHouse = { ok: true; house: HouseFile } | { ok: false; problems: HouseProblem[] }

type Path = (string | number)[]

/** A building as a file. What is wrong with it is told by line and field. */
export function parseHouseFile(text: string): ParsedHouse {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines })
  const lineOf = (path: Path): number => {
    for (let depth = path.length; depth >= 0; depth--) {
      const node = depth === 0 ? document.contents : document.getIn(path.slice(0, depth), true)
      const range = (node as { range?: [number, number, number] } | undefined)?.range
      if (range) return lines.linePos(range[0]).line
    }
    return 1
  }
  const unreadable = (offset: number, message: string): ParsedHouse => {
    const [firstLine = 'not YAML'] = message.split('\n', 1)
    return { ok: false, problems: [{ line: lines.linePos(offset).line || 1, field: '', message: firstLine }] }
  }
  const [broken] = document.errors
  if (broken) return unreadable(broken.pos[0], broken.message)
  let house: unknown
  try {
    house = document.toJS()
  } catch (error) {
    return unreadable(strayAliasIn(document), (error as Error).message)
  }
  const at = (path: Path, message: string): HouseProblem => ({ line: lineOf(path), field: path.join('.'), message })
  const problems = formProblems(house, at)
  if (problems.length > 0) return { ok: false, problems }
  const contradictions = contradictionsIn(house as HouseFile, at)
  return contradictions.length > 0 ? { ok: false, problems: contradictions } : { ok: true, house: house as HouseFile }
}

/** Where the first alias is that stands for nothing; the parser itself does not mind it. */
function strayAliasIn(document: Document): number {
  let offset = 0
  visit(document, {
    Alias(_key, alias) {
      if (alias.resolve(document)) return undefined
      offset = alias.range?.[0] ?? 0
      return visit.BREAK
    },
  })
  return offset
}

type At = (path: Path, message: string) => HouseProblem

interface FormParams {
  requiredProperties?: string[]
  additionalProperties?: string[]
  allowedValues?: string[]
  pattern?: string
}

function formProblems(house: unknown, at: At): HouseProblem[] {
  return Value.Errors(HouseFile, house).flatMap(({ keyword, instancePath, params, message }) => {
    const path = pathOf(instancePath)
    const { requiredProperties, additionalProperties, allowedValues, pattern } = params as FormParams
    if (keyword === 'required') return (requiredProperties ?? []).map((name) => at(path, `${name} is missing`))
    if (keyword === 'additionalProperties') {
      return (additionalProperties ?? []).map((name) => at([...path, name], 'there is no such field'))
    }
    if (keyword === 'boolean') return []
    if (keyword === 'enum') return [at(path, `must be one of ${(allowedValues ?? []).join(', ')}`)]
    return [at(path, inWords(pattern) ?? message)]
  })
}

const pathOf = (pointer: string): Path =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part.replaceAll('~1', '/').replaceAll('~0', '~')))

/** What each entry alone does not show: names used twice, valves of gateways that are not there. */
function contradictionsIn(house: HouseFile, at: At): HouseProblem[] {
  const problems: HouseProblem[] = []
  if (!isTimeZone(house.timezone)) problems.push(at(['timezone'], `no such time zone: ${house.timezone}`))
  const gatewayKeys = (house.gateways ?? []).map(keyOf)
  problems.push(...repeated(gatewayKeys).map((i) => at(['gateways', i, 'name'], `${gatewayKeys[i]} is there already`)))
  const roomKeys = house.rooms.map(keyOf)
  problems.push(...repeated(roomKeys).map((i) => at(['rooms', i, 'name'], `${roomKeys[i]} is there already`)))
  const taken = new Set<string>()
  house.rooms.forEach((room, r) => {
    room.valves.forEach((valve, v) => {
      const path: Path = ['rooms', r, 'valves', v]
      const channel = `${slugOf(valve.gateway)} channel ${valve.channel}`
      if (!gatewayKeys.includes(slugOf(valve.gateway))) {
        problems.push(at([...path, 'gateway'], `no gateway of this file is called ${valve.gateway}`))
      }
      if (taken.has(channel)) problems.push(at([...path, 'channel'], `${channel} already works another valve`))
      taken.add(channel)
    })
  })
  return problems
}

export const keyOf = (entry: { key?: string; name: string }): string => entry.key ?? (slugOf(entry.name) || 'unnamed')

const repeated = (keys: string[]): number[] => keys.flatMap((key, i) => (keys.indexOf(key) < i ? [i] : []))
