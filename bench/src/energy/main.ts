import { parseArgs } from 'node:util'
import { runAll } from '../pool.ts'
import type { RoomResult } from './estimate.ts'
import { energyTable } from './table.ts'

const USAGE = `npm run bench:energy -- [options]
  --seeds 1,2    virtual houses, each another; 1 unless given
The heat of each room in a winter month of 28 days against what its floor took, without and with a heat meter. The real law
heats the virtual house for a fortnight before the month; every figure of it is off by up to 30 %.`

const { values } = parseArgs({
  options: { seeds: { type: 'string', default: '1' }, help: { type: 'boolean', default: false } },
})
if (values.help) console.log(USAGE)
else await measure(seedsOf(values.seeds))

async function measure(seeds: number[]) {
  const results = await runAll<number, RoomResult[]>(new URL('./worker.ts', import.meta.url), seeds, () => {})
  console.log(energyTable(results.flat()))
}

function seedsOf(text: string): number[] {
  const seeds = text.split(',').map(Number)
  if (seeds.every((seed) => Number.isInteger(seed) && seed > 0)) return seeds
  throw new Error(`--seeds must be whole numbers above 0 with commas between them, as 1,2, not ${text}`)
}
