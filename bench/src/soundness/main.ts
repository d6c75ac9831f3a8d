import { parseArgs } from 'node:util'
import { seededRandom } from '@hypocaust/simulator'
import { type Checked, type Depth, faultsOf } from './check.ts'
import { drawn } from './draw.ts'

const USAGE = `npm run bench:soundness -- [options]
  --draws N   models anywhere in the box that the fit may choose from (1000000)
  --seed N    (1)`

/** Of so many draws one goes through plan and limits as well, and one through what-if and fit. */
const PLANNED_EVERY = 20
const LEARNED_EVERY = 2000
const SHOWN = 10

main()

function main() {
  const { values } = parseArgs({
    options: {
      draws: { type: 'string', default: '1000000' },
      seed: { type: 'string', default: '1' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) console.log(USAGE)
  else measure(Number(values.draws), Number(values.seed))
}

function depthOf(i: number): Depth {
  if (i % LEARNED_EVERY === 0) return 'learns'
  return i % PLANNED_EVERY === 0 ? 'plans' : 'moves'
}

function measure(draws: number, seed: number) {
  const random = seededRandom(seed)
  const counts = new Map<Checked, number>()
  const faulty = new Map<string, number>()
  let unsound = 0
  for (let i = 0; i < draws; i++) {
    const draw = drawn(random)
    const { faults, checked } = faultsOf(draw, depthOf(i))
    for (const what of checked) counts.set(what, (counts.get(what) ?? 0) + 1)
    if (faults.length > 0) {
      unsound += 1
      faulty.set(draw.floorType, (faulty.get(draw.floorType) ?? 0) + 1)
      if (unsound <= SHOWN) console.log(`${JSON.stringify(draw)}\n  ${faults.join('\n  ')}`)
    }
    if ((i + 1) % 100_000 === 0) process.stderr.write(`${i + 1} of ${draws}\n`)
  }
  console.log([...counts].map(([what, count]) => `${what} ${count}`).join(', '))
  console.log(`unsound: ${unsound} of ${draws}${unsound > 0 ? `, ${JSON.stringify(Object.fromEntries(faulty))}` : ''}`)
  if (unsound > 0) process.exitCode = 1
}
