import { columns } from '../columns.ts'
import { LIMITED_NAMES } from '../comfort/limited.ts'
import { plantName } from '../comfort/summary.ts'
import type { Call, FlexibleHouse } from './house.ts'

export type Promised = {
  direction: Call['direction']
  calls: number
  promisedKwh: number
  deliveredKwh: number
  recordedKwh: number | null
  /** Of the energy that was delivered, by how much the calls were wrong on average. */
  meanError: number
  /** Of the calls, those that were no more than a tenth off. */
  withinTenth: number
}

const SHOWN = LIMITED_NAMES.filter((name) => name !== 'no limit known')

export function flexibilityTable(houses: FlexibleHouse[]): string {
  const rows = houses.flatMap(({ choice, limits }) =>
    SHOWN.map((name, i) => {
      const { kelvinHours, energyKwhM2, takenKwh, overKwh } = limits[name]
      const figures = [kelvinHours, energyKwhM2, takenKwh, overKwh].map((value) => value.toFixed(2))
      return [i === 0 ? plantName(choice) : '', name, ...figures]
    }),
  )
  const mean = (name: (typeof SHOWN)[number]) =>
    houses.reduce((sum, { limits }) => sum + limits[name].kelvinHours, 0) / houses.length
  return [
    'One scored winter week, each day two hours limited to 0 to 1.5 kW for a house of 200 m², every second day to 0',
    columns([['house', 'controller', 'K·h', 'kWh/m²', 'kWh taken', 'kWh over'], ...rows]),
    ...SHOWN.map((name) => `${name}: ${mean(name).toFixed(2)} K·h on average`),
    '\nPromised and delivered, with a meter that has counted the week before',
    columns([
      [
        'direction',
        'calls',
        'promised kWh',
        'delivered',
        'recorded',
        'delivered / promised',
        'mean error',
        'within 10 %',
      ],
      ...(['less', 'more'] as const).map((direction) => promisedRow(promisedOf(houses, direction))),
    ]),
  ].join('\n')
}

export function promisedOf(houses: FlexibleHouse[], direction: Call['direction']): Promised {
  const calls = houses.flatMap((house) => house.calls.filter((call) => call.direction === direction))
  const sum = (value: (call: Call) => number) => calls.reduce((total, call) => total + value(call), 0)
  const deliveredKwh = sum((call) => call.deliveredKwh)
  const errorOf = (call: Call) => Math.abs(call.promisedKwh - call.deliveredKwh)
  return {
    ...{ direction, calls: calls.length, deliveredKwh },
    promisedKwh: sum((call) => call.promisedKwh),
    recordedKwh: direction === 'less' ? sum((call) => call.recordedKwh ?? 0) : null,
    meanError: sum(errorOf) / deliveredKwh,
    withinTenth: calls.filter((call) => errorOf(call) <= 0.1 * Math.abs(call.deliveredKwh)).length / calls.length,
  }
}

const promisedRow = ({
  direction,
  calls,
  promisedKwh,
  deliveredKwh,
  recordedKwh,
  meanError,
  withinTenth,
}: Promised) => [
  direction,
  String(calls),
  promisedKwh.toFixed(1),
  deliveredKwh.toFixed(1),
  recordedKwh === null ? '–' : recordedKwh.toFixed(1),
  (deliveredKwh / promisedKwh).toFixed(2),
  `${Math.round(100 * meanError)} %`,
  `${Math.round(100 * withinTenth)} %`,
]
