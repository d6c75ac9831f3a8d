import { parseArgs } from 'node:util'
import { columns } from '../columns.ts'
import { runHouse, type SupplyScore, type Water } from './house.ts'

const START_MS = Date.UTC(2026, 0, 5)
const WATERS: Water[] = [
  { kind: 'curve', shiftK: 4 },
  { kind: 'curve', shiftK: 2 },
  { kind: 'curve', shiftK: 0 },
  { kind: 'curve', shiftK: -2 },
  { kind: 'rooms' },
]

const HELP = `Supply temperature in the virtual house with one heat pump: fixed heating curves against the rooms' plans.

  --seeds 1,2,3   weather and houses (default 1)
`

function measure(seed: number) {
  const head = [
    'house',
    'water',
    'mean °C',
    'heat kWh/m²',
    'electricity',
    'K·h low',
    'high',
    'open',
    'hottest floor °C',
  ]
  const rows = WATERS.map((water) => [String(seed), nameOf(water), ...figures(runHouse(water, seed, START_MS))])
  console.log(columns([head, ...rows]))
}

const nameOf = (water: Water): string =>
  water.kind === 'rooms'
    ? 'from the rooms'
    : `curve 26 + 0.48·(15 − outdoor) ${water.shiftK < 0 ? '−' : '+'} ${Math.abs(water.shiftK)}`

const figures = (score: SupplyScore): string[] => [
  score.meanSupplyC.toFixed(1),
  score.heatKwhM2.toFixed(2),
  score.electricityKwhM2.toFixed(3),
  score.lowKh.toFixed(2),
  score.highKh.toFixed(2),
  `${Math.round(100 * score.openShare)} %`,
  score.highestFloorC.toFixed(1),
]

const { values } = parseArgs({
  options: { seeds: { type: 'string', default: '1' }, help: { type: 'boolean', short: 'h' } },
})
if (values.help) console.log(HELP)
else for (const seed of values.seeds.split(',').map(Number)) measure(seed)
