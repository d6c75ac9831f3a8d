import { columns } from '../columns.ts'
import type { FailureResult } from './failure.ts'
import type { HealthyResult } from './healthy.ts'

export function healthyTable(results: HealthyResult[]): string {
  const scenarios = [...new Set(results.map(({ choice }) => choice.scenario))]
  const rows = scenarios.map((scenario) => {
    const some = results.filter(({ choice }) => choice.scenario === scenario)
    const sum = (value: (result: HealthyResult) => number) => some.reduce((total, each) => total + value(each), 0)
    const where = some.flatMap(({ choice, alarms }) =>
      alarms > 0 ? [`${choice.floorType} ${choice.seed}: ${alarms}`] : [],
    )
    return [
      scenario,
      `${some.length} × ${some[0]?.days} days`,
      String(sum(({ alarms }) => alarms)),
      sum(({ alarmedH }) => alarmedH).toFixed(1),
      where.join(', '),
    ]
  })
  const head = ['heat there all the time', 'plants', 'false alarms', 'hours', 'where']
  return `\n${columns([head, ...rows])}`
}

export function failureTable(results: FailureResult[]): string {
  const names = [...new Set(results.map(nameOf))]
  const rows = names.map((name) => {
    const some = results.filter((result) => nameOf(result) === name)
    const noticed = some.flatMap(({ noticedAfterH }) => noticedAfterH ?? []).toSorted((a, b) => a - b)
    const missed = some.length - noticed.length
    return [
      name,
      String(some.length),
      noticed[Math.floor(noticed.length / 2)]?.toFixed(1) ?? '–',
      noticed.at(-1)?.toFixed(1) ?? '–',
      String(missed),
      String(some.reduce((sum, { alarmsBefore }) => sum + alarmsBefore, 0)),
    ]
  })
  const head = ['heat fails at −5 °C', 'failures', 'noticed after h, median', 'latest', 'not in 48 h', 'false before']
  return `\n${columns([head, ...rows])}`
}

const nameOf = ({ failing }: FailureResult) =>
  failing.kind === 'house' ? 'source of the house' : `loop, ${failing.floorType}`
