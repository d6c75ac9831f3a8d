import { columns } from '../columns.ts'
import { LIMITED_NAMES, type LimitedName, type LimitedResult, type LimitedScore } from './limited.ts'
import { plantName } from './summary.ts'

export function limitedTable(results: LimitedResult[]): string {
  const head = ['plant', 'controller', 'kWh/m²', 'K·h', 'J', 'kWh left', 'kWh taken', 'kWh over']
  const rows = results.flatMap(({ choice, controllers }) =>
    LIMITED_NAMES.map((name, i) => [i === 0 ? plantName(choice) : '', name, ...figures(controllers[name])]),
  )
  const worse = results.filter(({ controllers }) => controllers[SHARES].kelvinHours > controllers.lock.kelvinHours)
  return [
    '\npower-limit: one scored week, each day two hours with a limit of 0.3 to 4.2 kW for a house of 200 m², every second day 4.2 kW',
    columns([head, ...rows]),
    ...LIMITED_NAMES.map((name) => `${name}: ${figures(meanOf(results, name)).join(', ')} on average`),
    `${SHARES} has more kelvin-hours than a lock: ${worse.length === 0 ? 'on no plant' : `ON ${worse.map(({ choice }) => plantName(choice)).join(', ')}`}`,
  ].join('\n')
}

const SHARES: LimitedName = 'shares, announced'

const figures = ({ energyKwhM2, kelvinHours, j, leftKwh, takenKwh, overKwh }: LimitedScore): string[] => [
  energyKwhM2.toFixed(2),
  kelvinHours.toFixed(2),
  j.toFixed(3),
  leftKwh.toFixed(1),
  takenKwh.toFixed(1),
  overKwh.toFixed(2),
]

function meanOf(results: LimitedResult[], name: LimitedName): LimitedScore {
  const mean = (value: (score: LimitedScore) => number) =>
    results.reduce((sum, { controllers }) => sum + value(controllers[name]), 0) / results.length
  return {
    energyKwhM2: mean((score) => score.energyKwhM2),
    kelvinHours: mean((score) => score.kelvinHours),
    j: mean((score) => score.j),
    leftKwh: mean((score) => score.leftKwh),
    takenKwh: mean((score) => score.takenKwh),
    overKwh: mean((score) => score.overKwh),
  }
}
