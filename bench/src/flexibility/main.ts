import { parseArgs } from 'node:util'
import { FLOOR_TYPES } from '@hypocaust/domain'
import type { PlantChoice } from '../comfort/plant.ts'
import { runAll } from '../pool.ts'
import { progress } from '../progress.ts'
import type { FlexibleHouse } from './house.ts'
import { flexibilityTable, promisedOf } from './table.ts'

const USAGE = `npm run bench:flexibility -- [options]
  --houses 5   how many houses; their floors take turns
  --from 1     the number of the first
  --json       the figures as JSON
Winter houses of which no figure is that of the law, each day limited for two hours: kelvin-hours against a lock and
against perfect foresight, and what was promised against what the same house without the limit would have taken.`

const { values } = parseArgs({
  options: {
    houses: { type: 'string', default: '5' },
    from: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) console.log(USAGE)
else {
  const first = whole('from', values.from)
  const choices = Array.from({ length: whole('houses', values.houses) }, (_, i) => choiceOf(first + i))
  const workerUrl = new URL('./worker.ts', import.meta.url)
  const done = progress(choices.length, Date.now(), Date.now, 'houses')
  const houses = await runAll<PlantChoice, FlexibleHouse>(workerUrl, choices, done)
  const promised = (['less', 'more'] as const).map((direction) => promisedOf(houses, direction))
  console.log(values.json ? JSON.stringify({ promised, houses }) : flexibilityTable(houses))
}

function choiceOf(n: number): PlantChoice {
  const floorType = FLOOR_TYPES[(n - 1) % FLOOR_TYPES.length] as (typeof FLOOR_TYPES)[number]
  return { floorType, scenario: 'power-limit', seed: n }
}

function whole(name: string, text: string): number {
  const value = Number(text)
  if (Number.isInteger(value) && value > 0) return value
  throw new Error(`--${name} must be a whole number above 0, not ${text}`)
}
