import { FLOOR_TYPES } from '@hypocaust/domain'
import { commonStart, oursFor } from './compare.ts'
import { informedCost } from './informed.ts'
import { Ours } from './ours.ts'
import { type Costed, costOf, dearestCost, perfectCost } from './priced.ts'
import { marketOf } from './prices.ts'
import { PENALTY_PER_KH } from './score.ts'
import { createWorld } from './world.ts'

const USAGE = `node bench/src/comfort/draws.ts FLOOR SEED [DRAWS]
  How far prices lead from the flat plan to perfect foresight on one plant, in the same weather with other errors of its
  forecasts: the law, and a plan that knows the house and how wrong forecasts are.`

const [floor, seed, draws = '5'] = process.argv.slice(2)
const floorType = FLOOR_TYPES.find((each) => each === floor)
if (floorType && Number(seed) > 0) report()
else console.error(USAGE)

function report() {
  const choice = { floorType: floorType as (typeof FLOOR_TYPES)[number], seed: Number(seed), scenario: 'dynamic-price' }
  const calm = createWorld(choice)
  const market = marketOf(calm)
  const start = commonStart(calm)
  const perKh = PENALTY_PER_KH * dearestCost(market)
  const atEqualComfort = ({ cost, score }: Costed) => cost + perKh * (score.lowKh + score.highKh)
  const perfect = perfectCost(calm, market, start, perKh)
  for (let forecastDraw = 0; forecastDraw < Number(draws); forecastDraw++) {
    const world = { ...calm, climate: { ...calm.climate, forecastDraw }, reports: new Map() }
    const saving = oursFor(choice, true, 'saving')
    const flat = costOf(world, market, start, new Ours(saving))
    const law = costOf(world, market, start, new Ours({ ...saving, energyAt: market.energyAt }))
    const informed = informedCost(world, market, start, perKh)
    const wayOf = (costed: Costed) =>
      (atEqualComfort(flat) - atEqualComfort(costed)) / (atEqualComfort(flat) - atEqualComfort(perfect))
    const line = (name: string, costed: Costed) =>
      `${name} ${Math.round(100 * wayOf(costed))} % (${costed.cost.toFixed(3)} €/m², ${costed.score.lowKh.toFixed(1)} + ${costed.score.highKh.toFixed(1)} K·h)`
    console.log(
      `errors ${forecastDraw}: ${line('law', law)}, ${line('informed plan', informed)}, ${line('flat plan', flat)}`,
    )
  }
}
