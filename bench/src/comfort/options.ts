import { parseArgs } from 'node:util'
import { FLOOR_TYPES, type FloorType } from '@hypocaust/domain'
import { MISTAKES, PRESENCE, PRICED_SCENARIOS, SCENARIOS, scenarioNamed } from './scenarios.ts'

export type Options = {
  quick: boolean
  scenarios: string[]
  floors: FloorType[]
  seeds: number[]
  /** Null: nothing is written, because only the full run replaces the results that are kept. */
  outFile: string | null
  /** Whether the results of these priced scenarios replace those that are kept. */
  keepsPrices: boolean
  plantFile: string | null
}

const ALL = [...SCENARIOS, ...PRICED_SCENARIOS].map((each) => each.name)
const PRICED = PRICED_SCENARIOS.map((each) => each.name).join(' or ')

export const KEPT_FILE = 'bench/results/comfort.json'

export const USAGE = `npm run bench:comfort -- [options]
  --quick             winter and shoulder, one seed: under two minutes
  --scenario a,b      ${ALL.join(', ')};
                      the grid limits the heat source for two hours of each day: power-limit;
                      ${PRESENCE.name}: generated people, programme alone against who is home;
                      what installers leave behind: ${MISTAKES.map((each) => each.name).join(', ')}
  --floors a,b        ${FLOOR_TYPES.join(', ')}
  --seeds N           weather and house seeds 1 to N
  --out FILE          where the JSON goes, with the plot beside it as .svg; without it only the full run writes, to
                      ${KEPT_FILE}
  --keep              with ${PRICED}, on all floors and seeds: replaces only their results in that file
  --plant FILE        a module exporting createPlant({ floorType, scenario, seed })`

export function readOptions(args: string[]): Options | { help: string } {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      scenario: { type: 'string' },
      floors: { type: 'string' },
      seeds: { type: 'string' },
      out: { type: 'string' },
      keep: { type: 'boolean', default: false },
      plant: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return { help: USAGE }
  const plantFile = values.plant ?? null
  const hasAllPlants = ![values.quick, values.floors, values.seeds, plantFile].some(Boolean)
  const isFull = hasAllPlants && !values.scenario
  const all = values.quick || plantFile ? ['winter', 'shoulder'] : ALL
  const scenarios = listed(
    values.scenario,
    all,
    (name) => plantFile !== null || scenarioNamed(name) !== undefined,
    'scenario',
  )
  const arePriced = scenarios.every((name) => scenarioNamed(name)?.source)
  if (values.keep && !(arePriced && hasAllPlants && !values.out))
    throw new Error(`--keep wants --scenario ${PRICED} and no choice of floors, seeds or file\n\n${USAGE}`)
  return {
    quick: values.quick,
    scenarios,
    floors: listed(
      values.floors,
      [...FLOOR_TYPES],
      (name) => FLOOR_TYPES.some((floor) => floor === name),
      'floor type',
    ) as FloorType[],
    seeds: Array.from({ length: count(values.seeds ?? (values.quick ? '1' : '3')) }, (_, i) => i + 1),
    outFile: values.out ?? (isFull ? KEPT_FILE : null),
    keepsPrices: values.keep,
    plantFile,
  }
}

function listed(given: string | undefined, all: string[], exists: (name: string) => boolean, what: string): string[] {
  const names = given?.split(',').map((name) => name.trim()) ?? all
  const unknown = names.find((name) => !exists(name))
  if (unknown !== undefined) throw new Error(`No such ${what}: ${unknown}\n\n${USAGE}`)
  return names
}

function count(text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1 || value > 1000)
    throw new Error(`--seeds wants a number from 1 to 1000, not ${text}`)
  return value
}
