import { parseArgs } from 'node:util'
import { FLOOR_TYPES } from '@hypocaust/domain'
import { columns } from '../columns.ts'
import { type Radiators, runHouse, type SupplyScore, type Water } from './house.ts'

const START_MS = Date.UTC(2026, 0, 5)
const WATERS: Water[] = [
  { kind: 'curve', shiftK: 4 },
  { kind: 'curve', shiftK: 2 },
  { kind: 'curve', shiftK: 0 },
  { kind: 'curve', shiftK: -2 },
  { kind: 'rooms' },
]

/** Kitchen and Child’s room with radiators need warmer water than the floors. */
const RADIATORS = ['Kitchen', 'Child’s room']
const WATERS_WITH_RADIATORS: Water[] = [
  { kind: 'curve', shiftK: 12 },
  { kind: 'curve', shiftK: 9 },
  { kind: 'curve', shiftK: 6 },
  { kind: 'rooms' },
  { kind: 'circuits' },
]

const HELP = `Supply temperature in the virtual house with one heat pump: fixed heating curves against the rooms' plans.

  --seeds 1,2,3   weather and houses (default 1)
  --circuits      kitchen and child's room have radiators: one water for all, or a mixer for the floors
  --as screed     what the radiators are entered as (dry, which comes nearest)
`

function measure(seed: number, radiators: Radiators | undefined) {
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
  const rows = (radiators ? WATERS_WITH_RADIATORS : WATERS).map((water) => {
    console.error(`house ${seed}, ${nameOf(water)} …`)
    return [String(seed), nameOf(water), ...figures(runHouse(water, seed, START_MS, radiators))]
  })
  console.log(columns([head, ...rows]))
}

function nameOf(water: Water): string {
  if (water.kind === 'rooms') return 'from the rooms'
  if (water.kind === 'circuits') return 'from the rooms, floors mixed'
  return `curve 26 + 0.48·(15 − outdoor) ${water.shiftK < 0 ? '−' : '+'} ${Math.abs(water.shiftK)}`
}

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
  options: {
    seeds: { type: 'string', default: '1' },
    circuits: { type: 'boolean', default: false },
    as: { type: 'string', default: 'dry' },
    help: { type: 'boolean', short: 'h' },
  },
})
const enteredAs = FLOOR_TYPES.find((floorType) => floorType === values.as)
if (values.help) console.log(HELP)
else if (!enteredAs) fail(`--as ${values.as}: a radiator is entered as one of ${FLOOR_TYPES.join(', ')}`)
else
  for (const seed of values.seeds.split(',').map(Number))
    measure(seed, values.circuits ? { rooms: RADIATORS, enteredAs } : undefined)

function fail(reason: string): void {
  console.error(reason)
  process.exitCode = 2
}
