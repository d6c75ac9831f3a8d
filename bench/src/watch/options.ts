import { parseArgs } from 'node:util'

export type WatchOptions = { quick: boolean; plantFile: string | null }

export const USAGE = `npm run bench:watch -- [options]
  False alarms while heat is there, and how soon it is noticed that heat is gone or not enough.
  --quick             one seed, winter only: a few minutes
  --plant FILE        a module exporting createPlant({ floorType, scenario, seed }), for the false alarms`

export function readWatchOptions(args: string[]): WatchOptions | { help: string } {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      plant: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  return values.help ? { help: USAGE } : { quick: values.quick, plantFile: values.plant ?? null }
}
