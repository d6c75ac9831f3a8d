import { parseArgs } from 'node:util'
import { columns } from '../columns.ts'
import { HOT_WATER, type HotWater, type HotWaterScore, runHouse } from './house.ts'
import { LOWER_START_C, TANK } from './tank.ts'
import { runTank, type TankScore } from './tank-alone.ts'

const START_MS = Date.UTC(2026, 0, 5)
const NAMES: Record<HotWater, string> = {
  thermostat: 'thermostat, rooms do not know',
  foreseen: 'thermostat, rooms foresee it',
  planned: 'one plan',
  'planned-lower': 'one plan, source starts at 42 °C',
}
const HELP = `Hot water and floors on one heat pump, with prices: a tank with a thermostat of its own against one plan.

  --seeds 1,2,3   weather, prices, houses and households (default 1)
  --tank          the tank alone, ten days of each seed on the mean: a minute for eight seeds
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

const TANK_HEAD = ['source starts at', 'hot water', '€', 'kWh', 'min below tap', 'charges/day']

function measureTank(seeds: number[]): void {
  const rows = [TANK.startC, LOWER_START_C].flatMap((startC) =>
    [false, true].map((isPlanned) => {
      const scores = seeds.map((seed) => runTank(seed, startC, isPlanned, START_MS))
      const mean = (name: keyof TankScore) => scores.reduce((sum, score) => sum + score[name], 0) / seeds.length
      return [
        ...[`${startC} °C`, isPlanned ? 'planned' : 'thermostat', mean('cost').toFixed(2), mean('kwh').toFixed(1)],
        ...[mean('minutesBelowTap').toFixed(0), mean('startsADay').toFixed(2)],
      ]
    }),
  )
  console.log(columns([TANK_HEAD, ...rows]))
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
  options: {
    seeds: { type: 'string', default: '1' },
    tank: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  },
})
const seeds = values.seeds.split(',').map(Number)
if (values.help) console.log(HELP)
else if (values.tank) measureTank(seeds)
else for (const seed of seeds) measure(seed)
