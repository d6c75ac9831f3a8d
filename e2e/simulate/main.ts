// npm run test:simulate -- --seeds N [--first S] [--jobs N] [--json]
// npm run test:simulate -- --disk [--every N]
// npm run test:simulate -- --seed S [--without 3,7] [--trace] [--shorten] [--defect NAME]
import { parseArgs } from 'node:util'
import { progress } from '../../bench/src/progress.ts'
import { type Finished, failEachOperation, simulateAll } from './fleet.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '100' },
    first: { type: 'string', default: '1' },
    seed: { type: 'string' },
    without: { type: 'string', default: '' },
    jobs: { type: 'string' },
    defect: { type: 'string' },
    disk: { type: 'boolean', default: false },
    every: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
    trace: { type: 'boolean', default: false },
    shorten: { type: 'boolean', default: false },
  },
})
const isOne = values.seed !== undefined
const first = Number(values.seed ?? values.first)
const count = isOne ? 1 : Number(values.seeds)
const seeds = Array.from({ length: count }, (_, i) => first + i)
const without = values.without === '' ? [] : values.without.split(',').map(Number)
const print = (line: string) => {
  if (!values.json) console.log(line)
}

const commandOf = (report: Finished): string => {
  const left = report.without.length > 0 ? ` --without ${report.without.join(',')}` : ''
  const defect = values.defect === undefined ? '' : ` --defect '${values.defect}'`
  return `npm run test:simulate -- --seed ${report.seed}${left}${defect} --trace`
}

const done = progress(count, Date.now(), Date.now, 'seeds')
let finished = 0

const onSeed = (report: Finished) => {
  if (!values.disk && !isOne) done(++finished)
  if (report.failure && report.violations.length > 0) print(`a day with ${JSON.stringify(report.failure)}`)
  else if (isOne || report.violations.length > 0)
    print(`seed ${report.seed}: ${report.hours.toFixed(1)} hours, ${report.faults} faults, trace ${report.trace}`)
  for (const { atMs, law, what } of report.violations) print(`  VIOLATION at ${atMs / 1000} s, ${law}: ${what}`)
  if (report.violations.length > 0 && !report.failure) print(`  again with: ${commandOf(report)}`)
}
const { defect, trace } = values
const running = {
  onSeed,
  onLine: console.log,
  onPart: (parts: number, of: number) => {
    if (values.disk) print(`${parts} of ${of} parts of the day's operations`)
  },
  ...(values.jobs !== undefined && { jobs: Number(values.jobs) }),
}
const shorten = values.shorten || (!isOne && defect === undefined)
// Where a defect was put in, it is enough to see it found.
const task = { seeds, without, trace, shorten, ...(defect !== undefined && { defect, stopAtFirst: true }) }
const reports = values.disk ? await failEachOperation(Number(values.every), running) : await simulateAll(task, running)
const sum = (of: (report: Finished) => number) => reports.reduce((all, report) => all + of(report), 0)
const summary = {
  ...(values.disk ? { failures: reports.filter(({ failure }) => failure).length } : { seeds: reports.length, first }),
  hours: Math.round(sum(({ hours }) => hours)),
  faults: sum(({ faults }) => faults),
  steps: sum(({ steps }) => steps),
  readings_acknowledged: sum(({ confirmed }) => confirmed),
  requests: sum(({ requests }) => requests),
  looks: sum(({ looks }) => looks),
  failed: reports.filter(({ violations }) => violations.length > 0).map(({ seed, failure }) => failure ?? seed),
}
console.log(values.json ? JSON.stringify({ ...summary, reports }) : JSON.stringify(summary, null, 2))
process.exitCode = summary.failed.length === 0 ? 0 : 1
