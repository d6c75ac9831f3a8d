import { parseArgs } from 'node:util'

export const ENGINES = ['sqlite', 'postgres'] as const
export type Engine = (typeof ENGINES)[number]

export const DEFAULT_OUT_FILE = 'bench/results/load.json'

export interface LoadOptions {
  quick: boolean
  engines: Engine[]
  /** Null: nothing is written, because only the full run replaces the results that are kept. */
  outFile: string | null
  json: boolean
}

export const USAGE = `npm run bench:load -- [options]
  --quick             short steps and a smaller database: about a minute and a half, coarse figures
  --engine a,b        ${ENGINES.join(', ')}
  --out FILE          where the JSON goes, with the plot beside it as .svg; without it only the full run writes, to
                      ${DEFAULT_OUT_FILE}
  --json              print the JSON in place of the tables`

export function readLoadOptions(args: string[]): LoadOptions | { help: string } {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      engine: { type: 'string' },
      out: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return { help: USAGE }
  const isFull = !values.quick && values.engine === undefined
  return {
    quick: values.quick,
    engines: enginesIn(values.engine ?? ENGINES.join(',')),
    outFile: values.out ?? (isFull ? DEFAULT_OUT_FILE : null),
    json: values.json,
  }
}

function enginesIn(text: string): Engine[] {
  const names = [...new Set(text.split(',').map((name) => name.trim()))]
  return names.map((name) => {
    const engine = ENGINES.find((each) => each === name)
    if (!engine) throw new Error(`No such engine: ${name}\n\n${USAGE}`)
    return engine
  })
}
