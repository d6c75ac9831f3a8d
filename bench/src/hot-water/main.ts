import { parseArgs } from 'node:util'
import { columns } from '../columns.ts'
import { HOT_WATER, type HotWater, type HotWaterScore, runHouse } from './house.ts'

const START_MS = Date.UTC(2026, 0, 5)
const NAMES: Record<HotWater, string> = {
  thermostat: 'thermostat, rooms do not know',
  foreseen: 'thermostat, rooms foresee it',
  planned: 'one plan',
  'planned-lower': 'one plan, source starts at 42 °C',
}
const HELP = `Hot water and floors on one heat pump, with prices: a tank with a thermostat of its own against one plan.

  --seeds 1,2,3   weather, prices, houses and households (default 1)
`
const HEAD = [
  'house',
  'hot water',
  '€',
  'floors',
  'tank',
  'tank kWh',
  'min below tap',
  'charges/day',
  'K·h low',
  'high',
]

function measure(seed: number): void {
  const rows = HOT_WATER.map((hotWater) => [
    String(seed),
    NAMES[hotWater],
    ...figures(runHouse(hotWater, seed, START_MS)),
  ])
  console.log(columns([HEAD, ...rows]))
}

const figures = (score: HotWaterScore): string[] => [
  (score.floorCost + score.tankCost).toFixed(2),
  score.floorCost.toFixed(2),
  score.tankCost.toFixed(2),
  score.tankKwh.toFixed(1),
  score.minutesBelowTap.toFixed(0),
  score.startsADay.toFixed(1),
  score.lowKh.toFixed(2),
  score.highKh.toFixed(2),
]

const { values } = parseArgs({
  options: { seeds: { type: 'string', default: '1' }, help: { type: 'boolean', short: 'h' } },
})
if (values.help) console.log(HELP)
else for (const seed of values.seeds.split(',').map(Number)) measure(seed)
