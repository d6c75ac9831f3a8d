import { calendarRuleProblem, HouseFile, nameKeyOf, programmeProblems, slugOf } from '@hypocaust/domain'
import { readYaml, type YamlPath } from '@hypocaust/domain/yaml'
import { isTimeZone } from '../../base/time-zone.ts'
import { coolingProblemOf } from '../cooling/settings.ts'
import { at, formProblems, type HouseProblem, type Problem } from '../form-problems.ts'
import { hotWaterProblemOf } from '../hot-water/settings.ts'
import { energyProblem } from '../source/settings.ts'

export type ParsedHouse = { ok: true; house: HouseFile } | { ok: false; problems: HouseProblem[] }

const MOST_PROBLEMS = 50

/** A building as a file. Errors name the line and the field. */
export function parseHouseFile(text: string): ParsedHouse {
  const read = readYaml(text)
  if (!read.ok) return { ok: false, problems: [{ line: read.line, field: '', message: read.message }] }
  const found = formProblems(HouseFile, read.value)
  const problems = found.length > 0 ? found : contradictionsIn(read.value as HouseFile)
  if (problems.length === 0) return { ok: true, house: read.value as HouseFile }
  const shown = problems.slice(0, MOST_PROBLEMS)
  return {
    ok: false,
    problems: shown.map(({ path, message }) => ({ line: read.lineOf(path), field: path.join('.'), message })),
  }
}

/** What each entry alone does not show: names used twice, valves of gateways that are not there. */
function contradictionsIn(house: HouseFile): Problem[] {
  const problems: Problem[] = []
  if (!isTimeZone(house.timezone)) problems.push(at(['timezone'], `no such time zone: ${house.timezone}`))
  const ofEnergy = energyProblem(house)
  if (ofEnergy) problems.push(at([ofEnergy.field], ofEnergy.message))
  const ofCooling = coolingProblemOf(house.cooling)
  if (ofCooling) problems.push(at(['cooling'], ofCooling))
  const ofHotWater = hotWaterProblemOf(house.hot_water)
  if (ofHotWater) problems.push(at(['hot_water'], ofHotWater))
  const gatewayKeys = (house.gateways ?? []).map(keyOf)
  problems.push(...repeated(gatewayKeys).map((i) => at(['gateways', i, 'name'], `${gatewayKeys[i]} is there already`)))
  const roomKeys = house.rooms.map(keyOf)
  problems.push(...repeated(roomKeys).map((i) => at(['rooms', i, 'name'], `${roomKeys[i]} is there already`)))
  problems.push(...calendarProblems(house))
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

function calendarProblems({ calendars = [], rooms: ofHouse }: HouseFile): Problem[] {
  const keys = calendars.map(({ name }) => nameKeyOf(name))
  const roomCalled = entriesCalled(ofHouse)
  const ofRules = calendars.flatMap(({ rules }, c) =>
    rules.flatMap(({ rooms = [], ...rule }, r) => {
      const path: YamlPath = ['calendars', c, 'rules', r]
      const problem = calendarRuleProblem({ ...rule, room_ids: null })
      const unknown = rooms.flatMap((name, i) =>
        roomCalled(name) ? [] : [at([...path, 'rooms', i], `no room of this file is called ${name}`)],
      )
      return problem === undefined ? unknown : [at(path, problem), ...unknown]
    }),
  )
  return [...repeated(keys).map((i) => at(['calendars', i, 'name'], `${keys[i]} is there already`)), ...ofRules]
}

export const keyOf = (entry: { key?: string; name: string }): string => entry.key ?? (slugOf(entry.name) || 'unnamed')

/** Finds the one with a key, else the first with a name. */
export function entriesCalled<Entry extends { key?: string; name: string }>(entries: Entry[]) {
  const byKey = new Map(entries.map((entry) => [keyOf(entry), entry]))
  const byName = new Map(entries.toReversed().map((entry) => [nameKeyOf(entry.name), entry]))
  return (name: string): Entry | undefined => byKey.get(slugOf(name)) ?? byName.get(nameKeyOf(name))
}

const repeated = (keys: string[]): number[] => keys.flatMap((key, i) => (keys.indexOf(key) < i ? [i] : []))
