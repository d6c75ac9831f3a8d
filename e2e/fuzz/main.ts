// npm run test:fuzz -- [--seed N] [--cases N]
import { parseArgs } from 'node:util'
import { printed, runFuzz } from './run.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    cases: { type: 'string', default: '110000' },
  },
})
const seed = Number(values.seed)
const cases = Number(values.cases)
console.log(`seed ${seed}; the same cases again with: npm run test:fuzz -- --seed ${seed} --cases ${cases}`)
const report = await runFuzz({ seed, cases, onProgress: console.log })
console.log(printed(report))
process.exit(report.verdict.faults.length === 0 ? 0 : 1)
