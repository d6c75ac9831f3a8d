import { parseArgs } from 'node:util'
import { type Condition, FAULTS, HEALTHY } from './faults.ts'

export type DiagnosisOptions = {
  seeds: number[]
  conditions: Condition[]
  isPlanned: boolean
  keptIn: string | null
}

export const USAGE = `npm run bench:diagnosis -- [options]
  What is said of houses with one of twelve faults, and of healthy ones, over two weeks of three rooms each.
  --houses N         the first N houses: 20
  --seeds A,B,…      these houses instead
  --only NAME,…      only these faults and healthy conditions
  --healthy          only healthy conditions
  --planned          houses heated by the whole law, at six times the cost, and not by its plain feedback
  --kept DIR         keeps recordings there, and reads those that are there already`

export function readDiagnosisOptions(args: string[]): DiagnosisOptions | { help: string } {
  const { values } = parseArgs({
    args,
    options: {
      houses: { type: 'string', default: '20' },
      seeds: { type: 'string' },
      only: { type: 'string' },
      healthy: { type: 'boolean', default: false },
      planned: { type: 'boolean', default: false },
      kept: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return { help: USAGE }
  const all: Condition[] = values.healthy ? [...HEALTHY] : [...HEALTHY, ...FAULTS]
  const only = values.only?.split(',')
  const conditions = all.filter((name) => !only || only.includes(name))
  const seeds = values.seeds?.split(',').map(Number) ?? Array.from({ length: Number(values.houses) }, (_, i) => i + 1)
  if (seeds.length === 0 || !seeds.every((seed) => Number.isInteger(seed) && seed > 0))
    throw new Error('houses and seeds must be whole numbers above zero')
  if (conditions.length === 0) throw new Error(`only must name some of: ${[...HEALTHY, ...FAULTS].join(', ')}`)
  return { seeds, conditions, isPlanned: values.planned, keptIn: values.kept ?? null }
}
