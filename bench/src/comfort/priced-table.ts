import { columns } from '../columns.ts'
import { PRICED_NAMES, type PricedName, type PricedResult, type PricedScore } from './priced.ts'
import { plantName } from './summary.ts'

/** Of the way from the flat plan to perfect foresight, and of the flat plan's kelvin-hours. */
const LEAST_WAY = 0.6
const MOST_KELVIN_HOURS = 1.1

const ANCHORS = [
  'BOPTEST bestest_hydronic_heat_pump, dynamic price, two weeks of peak heat, published figures to compare with:',
  '  its baseline 0.88 to 0.91 €/m² at 8.4 K·h; model-predictive control 0.66 to 0.76 €/m² at 1 to 3 K·h',
].join('\n')

type Pair = { flat: PricedName; ours: PricedName }
/** Perfect foresight uses the whole band, and so does saving: the way is measured there. */
const SAVING: Pair = { flat: 'saving, flat plan', ours: 'saving with prices' }
const BALANCED: Pair = { flat: 'flat plan', ours: 'balanced with prices' }

export function pricedTable(scenario: string, results: PricedResult[]): string {
  const head = ['plant', 'controller', '€/m²', 'kWh/m²', 'K·h', '€/m² equal comfort', 'of the way']
  const rows = results.flatMap(({ choice, controllers }) =>
    PRICED_NAMES.map((name, i) => [
      i === 0 ? plantName(choice) : '',
      name,
      ...figures(controllers[name]),
      name === SAVING.ours ? percent(wayOf([controllers])) : '',
    ]),
  )
  const pooled = results.map(({ controllers }) => controllers)
  return [
    `\n${scenario}: one scored week with day-ahead prices of 10 to 40 ct/kWh; "equal comfort": with 0.02 kWh at the most expensive hour charged for each kelvin-hour`,
    columns([head, ...rows]),
    ...PRICED_NAMES.map(
      (name) => `${name}: ${figures(meanOf(pooled.map((each) => each[name]))).join(', ')} on average`,
    ),
    `${SAVING.ours}: ${percent(wayOf(pooled))} of the way from the flat plan to perfect foresight over all plants`,
    wayLine(results),
    colderLine(results, SAVING),
    colderLine(results, BALANCED),
    ANCHORS,
  ].join('\n')
}

type Controllers = PricedResult['controllers']

export function wayOf(all: Controllers[]): number {
  const sum = (name: PricedName) => all.reduce((total, each) => total + each[name].atEqualComfort, 0)
  return (sum(SAVING.flat) - sum(SAVING.ours)) / (sum(SAVING.flat) - sum('perfect'))
}

function wayLine(results: PricedResult[]): string {
  const short = results.filter(({ controllers }) => wayOf([controllers]) < LEAST_WAY)
  return verdict(
    'less than 60 % of the way',
    short.map(({ choice }) => plantName(choice)),
  )
}

function colderLine(results: PricedResult[], { flat, ours }: Pair): string {
  const worse = results.flatMap(({ choice, controllers }) => {
    const [before, now] = [controllers[flat].kelvinHours, controllers[ours].kelvinHours]
    return now > MOST_KELVIN_HOURS * before
      ? [`${plantName(choice)} (${now.toFixed(2)} against ${before.toFixed(2)})`]
      : []
  })
  return verdict(`${ours}: over 10 % more kelvin-hours than the ${flat}`, worse)
}

const verdict = (what: string, plants: string[]): string =>
  plants.length === 0 ? `${what}: on no plant` : `${what}: ON ${plants.join(', ')}`

const figures = ({ cost, energyKwhM2, kelvinHours, atEqualComfort }: PricedScore): string[] => [
  cost.toFixed(3),
  energyKwhM2.toFixed(2),
  kelvinHours.toFixed(1),
  atEqualComfort.toFixed(3),
]

function meanOf(scores: PricedScore[]): PricedScore {
  const mean = (value: (score: PricedScore) => number) =>
    scores.reduce((sum, score) => sum + value(score), 0) / scores.length
  return {
    cost: mean((score) => score.cost),
    energyKwhM2: mean((score) => score.energyKwhM2),
    kelvinHours: mean((score) => score.kelvinHours),
    atEqualComfort: mean((score) => score.atEqualComfort),
  }
}

const percent = (share: number) => `${Math.round(100 * share)} %`
