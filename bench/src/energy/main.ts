import { parseArgs } from 'node:util'
import { runAll } from '../pool.ts'
import { progress } from '../progress.ts'
import type { RoomResult } from './estimate.ts'
import { type SavingResult, savingsTable } from './savings.ts'
import { energyTable } from './table.ts'
import type { EnergyTask } from './worker.ts'

const USAGE = `npm run bench:energy -- [options]
  --seeds 1,2    virtual houses, each another; 1 unless given
  --quick        a week that counts instead of a month, learned once a week: about a fourth of the time
  --savings      instead: what half a degree less and an hour more of setback save, as said and in truth
The heat of each room in a winter month of 28 days against what its floor took, without and with a heat meter. The real law
heats the virtual house for a fortnight before the month; every figure of it is off by up to 30 %.`

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1' },
    quick: { type: 'boolean', default: false },
    savings: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) console.log(USAGE)
else await measure(seedsOf(values.seeds))

async function measure(seeds: number[]) {
  if (values.savings) console.log(savingsTable((await run<SavingResult[]>(seeds, 'savings')).flat()))
  else console.log(energyTable((await run<RoomResult[]>(seeds, 'heat')).flat()))
}

function run<Result>(seeds: number[], measured: EnergyTask['measured']): Promise<Result[]> {
  const tasks = seeds.map((seed) => ({ seed, measured, isQuick: values.quick }))
  const workerUrl = new URL('./worker.ts', import.meta.url)
  return runAll<EnergyTask, Result>(workerUrl, tasks, progress(tasks.length, Date.now(), Date.now))
}

function seedsOf(text: string): number[] {
  const seeds = text.split(',').map(Number)
  if (seeds.every((seed) => Number.isInteger(seed) && seed > 0)) return seeds
  throw new Error(`--seeds must be whole numbers above 0 with commas between them, as 1,2, not ${text}`)
}
