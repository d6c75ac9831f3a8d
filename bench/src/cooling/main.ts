import { parseArgs } from 'node:util'
import { columns } from '../columns.ts'
import { onOff, onOffWithOurWater, ours, throttled } from './contestants.ts'
import { drawHouse, outdoorsAt } from './house.ts'
import { type Score, weekOf } from './week.ts'

const USAGE = `npm run bench:cooling -- [options]
  Weeks of houses of four rooms that are cooled by their floors, with humidity that people and weather change, and
  sensors that lag ten minutes, are silent for three hours and wrong by 5 %.
  --scenario summer,humid-week,changeover
  --houses N   (3)`

const SCENARIOS = ['summer', 'humid-week', 'changeover'] as const
type Scenario = (typeof SCENARIOS)[number]

const { values } = parseArgs({
  options: {
    scenario: { type: 'string', default: SCENARIOS.join(',') },
    houses: { type: 'string', default: '3' },
    help: { type: 'boolean', default: false },
  },
})
const asked = values.scenario.split(',')
const unknown = asked.find((name) => !(SCENARIOS as readonly string[]).includes(name))
if (values.help) console.log(USAGE)
else if (unknown !== undefined) {
  console.error(`There is no scenario ${unknown}. There are: ${SCENARIOS.join(', ')}.`)
  process.exitCode = 1
} else for (const scenario of asked) report(scenario as Scenario, Number(values.houses))

function report(scenario: Scenario, houses: number): void {
  const rows = [onOff, throttled, onOffWithOurWater, ours].map((contestant) => {
    const scores = Array.from({ length: houses }, (_, seed) => {
      const house = drawHouse(seed, scenario)
      return weekOf(house, contestant(house), (atMs) => outdoorsAt(house, atMs).outdoorC)
    })
    const sum = (pick: (score: Score) => number) => scores.reduce((total, score) => total + pick(score), 0)
    const mean = (pick: (score: Score) => number) => (sum(pick) / houses).toFixed(2)
    return [
      contestant(drawHouse(0, scenario)).name,
      String(sum(({ dampMinutes }) => dampMinutes)),
      String(sum(({ wetWaterMinutes }) => wetWaterMinutes)),
      mean(({ warmKh }) => warmKh),
      mean(({ coldKh }) => coldKh),
      mean(({ coolKwh }) => coolKwh),
      mean(({ electricKwh }) => electricKwh),
    ]
  })
  const head = ['', 'floor min < dew+1', 'water min < dew+1', 'K·h warm', 'K·h cold', 'kWh/m² cool', 'kWh/m² electric']
  console.log(`${scenario}, ${houses} house-weeks`)
  console.log(columns([head, ...rows]))
}
