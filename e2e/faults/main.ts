// npm run test:faults -- [--seed N] [--faults N] [--engine sqlite|postgres] [--kind NAME] [--without NAME] [--minutes N]
import { parseArgs } from 'node:util'
import { FAULTS } from './kinds.ts'
import { printed, runFaults } from './run.ts'
import type { Engine } from './stage.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    faults: { type: 'string', default: '260' },
    minutes: { type: 'string', default: '1440' },
    engine: { type: 'string', multiple: true, default: ['sqlite', 'postgres'] },
    kind: { type: 'string', multiple: true, default: FAULTS.map(({ name }) => name) },
    without: { type: 'string', multiple: true, default: [] },
  },
})
const seed = Number(values.seed)
console.log(`seed ${seed}; the same faults again with: npm run test:faults -- --seed ${seed} --faults ${values.faults}`)
let failures = 0
for (const engine of values.engine as Engine[]) {
  const kinds = values.kind.filter((name) => !values.without.includes(name))
  const report = await runFaults({
    engine,
    seed,
    faults: Number(values.faults),
    kinds,
    minutes: Number(values.minutes),
    tell: console.log,
  })
  console.log(`\n${printed(report)}\n`)
  failures += report.lost + report.duplicated + report.complaints.length
}
process.exitCode = failures === 0 ? 0 : 1
