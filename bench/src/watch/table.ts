import { columns } from '../columns.ts'
import type { FailureResult } from './failure.ts'
import type { HealthyResult } from './healthy.ts'
import type { SwappedResult } from './swapped.ts'

export function healthyTable(results: HealthyResult[]): string {
  const scenarios = [...new Set(results.map(({ scenario }) => scenario))]
  const rows = scenarios.map((scenario) => {
    const houses = results.filter((each) => each.scenario === scenario)
    const rooms = houses.flatMap(({ seed, rooms }) => rooms.map((room) => ({ seed, ...room })))
    const where = rooms.flatMap(({ floorType, seed, alarms, shortAfterH }) =>
      alarms > 0 || shortAfterH !== null ? [`${floorType} ${seed}: ${alarms}`] : [],
    )
    return [
      scenario,
      `${houses.length} of ${rooms.length / houses.length} rooms × ${houses[0]?.days} days`,
      String(rooms.reduce((sum, { alarms }) => sum + alarms, 0)),
      rooms.reduce((sum, { alarmedH }) => sum + alarmedH, 0).toFixed(1),
      String(rooms.filter(({ shortAfterH }) => shortAfterH !== null).length),
      String(houses.reduce((sum, { swapped }) => sum + swapped.length, 0)),
      where.join(', '),
    ]
  })
  const head = [
    'heat there all the time',
    'houses',
    'false alarms',
    'hours',
    'rooms called short of heat',
    'pairs called swapped',
    'where',
  ]
  return `\n${columns([head, ...rows])}`
}

/** Houses whose water is not enough: after how many hours each room is reported, where it gets too cold. */
export function shortageTable(results: HealthyResult[]): string {
  const rows = results.map(({ scenario, seed, rooms }) => [
    `${scenario} ${seed}`,
    ...rooms.map(({ shortAfterH }) => shortAfterH?.toFixed(0) ?? '–'),
  ])
  const floors = results[0]?.rooms.map(({ floorType }) => floorType) ?? []
  return `\n${columns([['too little heat at −5 °C, reported after h', ...floors], ...rows])}`
}

export const hasFalseAlarm = (results: HealthyResult[]): boolean =>
  results.some(
    ({ rooms, swapped }) =>
      swapped.length > 0 || rooms.some(({ alarms, shortAfterH }) => alarms > 0 || shortAfterH !== null),
  )

export function swappedTable(results: SwappedResult[]): string {
  const rows = results.map(({ floors, scenario, seed, noticedAfterH }) => [
    `${floors.join(' and ')}, ${scenario} ${seed}`,
    noticedAfterH?.toFixed(0) ?? '–',
  ])
  return `\n${columns([['sensors of two rooms swapped', 'noticed after h'], ...rows])}`
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
