import { parseArgs } from 'node:util'

export const ENGINES = ['sqlite', 'postgres'] as const
export type Engine = (typeof ENGINES)[number]

export const DEFAULT_OUT_FILE = 'bench/results/load.json'

export interface LoadOptions {
  quick: boolean
  engines: Engine[]
  outFile: string
  json: boolean
}

export const USAGE = `npm run bench:load -- [options]
  --quick             short steps and a smaller database: about a minute and a half, coarse figures
  --engine a,b        ${ENGINES.join(', ')}
  --out FILE          where the JSON goes; the plot goes beside it as .svg
  --json              print the JSON in place of the tables`

export function readLoadOptions(args: string[]): LoadOptions | { help: string } {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      engine: { type: 'string', default: ENGINES.join(',') },
      out: { type: 'string', default: DEFAULT_OUT_FILE },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return { help: USAGE }
  return { quick: values.quick, engines: enginesIn(values.engine), outFile: values.out, json: values.json }
}

function enginesIn(text: string): Engine[] {
  const names = [...new Set(text.split(',').map((name) => name.trim()))]
  return names.map((name) => {
    const engine = ENGINES.find((each) => each === name)
    if (!engine) throw new Error(`No such engine: ${name}\n\n${USAGE}`)
    return engine
  })
}
