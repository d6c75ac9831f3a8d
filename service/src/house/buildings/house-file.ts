import { HouseFile, inWords, programmeProblems, slugOf } from '@hypocaust/domain'
import { readYaml, type YamlPath } from '@hypocaust/domain/yaml'
import Value from 'typebox/value'
import { isTimeZone } from './buildings.ts'

export interface HouseProblem {
  line: number
  field: string
  message: string
}

export type ParsedHouse = { ok: true; house: HouseFile } | { ok: false; problems: HouseProblem[] }

const MOST_PROBLEMS = 50

/** A building as a file. Errors name the line and the field. */
export function parseHouseFile(text: string): ParsedHouse {
  const read = readYaml(text)
  if (!read.ok) return { ok: false, problems: [{ line: read.line, field: '', message: read.message }] }
  const found = formProblems(read.value)
  const problems = found.length > 0 ? found : contradictionsIn(read.value as HouseFile)
  if (problems.length === 0) return { ok: true, house: read.value as HouseFile }
  const shown = problems.slice(0, MOST_PROBLEMS)
  return {
    ok: false,
    problems: shown.map(({ path, message }) => ({ line: read.lineOf(path), field: path.join('.'), message })),
  }
}

interface Problem {
  path: YamlPath
  message: string
}

const at = (path: YamlPath, message: string): Problem => ({ path, message })

interface FormParams {
  requiredProperties?: string[]
  additionalProperties?: string[]
  allowedValues?: string[]
  pattern?: string
}

function formProblems(house: unknown): Problem[] {
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

const pathOf = (pointer: string): YamlPath =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part.replaceAll('~1', '/').replaceAll('~0', '~')))

/** What each entry alone does not show: names used twice, valves of gateways that are not there. */
function contradictionsIn(house: HouseFile): Problem[] {
  const problems: Problem[] = []
  if (!isTimeZone(house.timezone)) problems.push(at(['timezone'], `no such time zone: ${house.timezone}`))
  const gatewayKeys = (house.gateways ?? []).map(keyOf)
  problems.push(...repeated(gatewayKeys).map((i) => at(['gateways', i, 'name'], `${gatewayKeys[i]} is there already`)))
  const roomKeys = house.rooms.map(keyOf)
  problems.push(...repeated(roomKeys).map((i) => at(['rooms', i, 'name'], `${roomKeys[i]} is there already`)))
  const taken = new Set<string>()
  house.rooms.forEach((room, r) => {
    if (room.programme && room.night_mode)
      problems.push(at(['rooms', r, 'programme'], 'a room has either night_mode or programme, not both'))
    for (const { path, message } of room.programme ? programmeProblems(room.programme) : [])
      problems.push(at(['rooms', r, 'programme', ...path], message))
    room.valves.forEach((valve, v) => {
      const path: YamlPath = ['rooms', r, 'valves', v]
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
