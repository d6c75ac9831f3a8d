import { parseArgs } from 'node:util'
import { ENGINES, type Engine } from '../load/options.ts'

export const DEFAULT_OUT_FILE = 'bench/results/speed.json'
const PARTS = ['house', 'poll', 'patch', 'slow-disk', 'costs', 'start'] as const
export type Part = (typeof PARTS)[number]

export interface SpeedOptions {
  quick: boolean
  engines: Engine[]
  parts: Part[]
  /** Null: nothing is written, because only the full run replaces the results that are kept. */
  outFile: string | null
  json: boolean
  check: boolean
}

export const USAGE = `npm run bench:speed -- [options]
  --quick             fewer and shorter rounds, coarse figures
  --engine a,b        ${ENGINES.join(', ')}
  --part a,b          ${PARTS.join(', ')}
  --out FILE          where the JSON goes, with the plot beside it as .svg; without it only the full run writes, to
                      ${DEFAULT_OUT_FILE}
  --json              print the JSON in place of the table
  --check             some seconds: polls on SQLite, unless others are chosen; ends with 1 if a figure is worse than
                      half of "not done below"`

export function readSpeedOptions(args: string[]): SpeedOptions | { help: string } {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      engine: { type: 'string' },
      part: { type: 'string' },
      out: { type: 'string' },
      json: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return { help: USAGE }
  const isFull = !values.quick && !values.check && values.engine === undefined && values.part === undefined
  return {
    quick: values.quick || values.check,
    engines: someOf('engine', ENGINES, values.engine ?? (values.check ? 'sqlite' : undefined)),
    parts: someOf('part', PARTS, values.part ?? (values.check ? 'poll' : undefined)),
    outFile: values.out ?? (isFull ? DEFAULT_OUT_FILE : null),
    json: values.json,
    check: values.check,
  }
}

function someOf<T extends string>(what: string, all: readonly T[], text: string | undefined): T[] {
  if (text === undefined) return [...all]
  return text.split(',').map((name) => {
    const found = all.find((each) => each === name.trim())
    if (!found) throw new Error(`No such ${what}: ${name}\n\n${USAGE}`)
    return found
  })
}
