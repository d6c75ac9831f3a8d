import { parseArgs } from 'node:util'
import { FLOOR_TYPES } from '@hypocaust/domain'
import { columns } from '../columns.ts'
import { runAll } from '../pool.ts'
import { progress } from '../progress.ts'
import { CLIMATES, CONTESTANTS, type FloorJob, type FloorResult } from './run.ts'

const USAGE = `npm run bench:floors -- [options]
  Bathrooms whose floor shall be warm from 6 to 8: a minimum of the floor against a timer and against base warmth.
  --seeds N   rooms of each floor type in each climate (2)
  --days N    (21)
  --least C   the minimum of the floor (25)`

const HEADS = [
  '',
  'warm at 6',
  'cold floor K·h',
  'kWh/m²',
  'above band K·h',
  'below band K·h',
  'highest °C',
  'missed K',
  'said K',
]

await main()

async function main() {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: '2' },
      days: { type: 'string', default: '21' },
      least: { type: 'string', default: '25' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return console.log(USAGE)
  const jobs = jobsOf(Number(values.seeds), Number(values.days), Number(values.least))
  const workerUrl = new URL('./worker.ts', import.meta.url)
  const results = await runAll<FloorJob, FloorResult>(workerUrl, jobs, progress(jobs.length, Date.now(), Date.now))
  for (const climate of Object.keys(CLIMATES)) {
    console.log(`\n${climate}, mean of the rooms`)
    console.log(table(results.filter((each) => each.climate === climate)))
  }
}

function jobsOf(seeds: number, days: number, leastC: number): FloorJob[] {
  const rooms = FLOOR_TYPES.flatMap((floorType) =>
    (Object.keys(CLIMATES) as (keyof typeof CLIMATES)[]).flatMap((climate) =>
      Array.from({ length: seeds }, (_, i) => ({ floorType, climate, seed: i + 1, days, leastC })),
    ),
  )
  return rooms.flatMap((room) => CONTESTANTS.map((contestant) => ({ ...room, contestant })))
}

function table(results: FloorResult[]): string {
  const rows = FLOOR_TYPES.flatMap((floorType) =>
    CONTESTANTS.map((contestant) =>
      row(
        `${floorType}, ${contestant}`,
        results.filter((each) => each.floorType === floorType && each.contestant === contestant),
      ),
    ),
  )
  return columns([HEADS, ...rows])
}

function row(name: string, rooms: FloorResult[]): string[] {
  const mean = (value: (room: FloorResult) => number) =>
    rooms.reduce((sum, each) => sum + value(each), 0) / rooms.length
  const hasEstimate = mean(({ saidK }) => saidK) > 0
  return [
    name,
    `${Math.round(100 * mean(({ warmAtSix, mornings }) => warmAtSix / mornings))} %`,
    mean(({ coldFloorKh }) => coldFloorKh).toFixed(1),
    mean(({ heatKwhM2 }) => heatKwhM2).toFixed(2),
    mean(({ aboveBandKh }) => aboveBandKh).toFixed(1),
    mean(({ belowBandKh }) => belowBandKh).toFixed(1),
    Math.max(...rooms.map(({ highestC }) => highestC)).toFixed(1),
    hasEstimate ? mean(({ missedK }) => missedK).toFixed(2) : '',
    hasEstimate ? mean(({ saidK }) => saidK).toFixed(2) : '',
  ]
}
