// npm run test:fuzz -- [--seed N] [--cases N] [--engine sqlite|postgres]: both unless one is named
import { parseArgs } from 'node:util'
import { printed, runFuzz } from './run.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    cases: { type: 'string', default: '110000' },
    engine: { type: 'string', multiple: true, default: ['sqlite', 'postgres'] },
  },
})
const seed = Number(values.seed)
const cases = Number(values.cases)
console.log(`seed ${seed}; the same cases again with: npm run test:fuzz -- --seed ${seed} --cases ${cases}`)
let faults = 0
for (const engine of ['sqlite', 'postgres'] as const) {
  if (!values.engine.includes(engine)) continue
  const report = await runFuzz({ engine, seed, cases, onProgress: console.log })
  console.log(printed(report))
  faults += report.verdict.faults.length
}
process.exit(faults === 0 ? 0 : 1)
