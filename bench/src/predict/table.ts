import { columns } from '../columns.ts'
import { HORIZONS } from './moment.ts'
import { PREDICTORS, type Predictor, type SetResult } from './predict.ts'

const HEAD = ['error K after', ...HORIZONS.map((slots) => `${slots / 2} h`)]

export function setTable(name: string, floorType: string, result: SetResult): string {
  const { rmse, moments, learnedDays, watch } = result
  const rows = PREDICTORS.map((predictor) => [predictor, ...rmse[predictor].map(inKelvin)])
  return [
    `\n${name}, configured as ${floorType}: ${moments} predictions after ${learnedDays.toFixed(0)} days of learning`,
    columns([HEAD, ...rows]),
    `  boiler watch: ${watch.alarms} false alarms, ${(100 * watch.offShare).toFixed(1)} % of the time held to be off`,
  ].join('\n')
}

/** Each house counts alike. */
export function meanTable(results: SetResult[]): string {
  const rows = PREDICTORS.map((predictor) => [
    predictor,
    ...HORIZONS.map((_, horizon) => inKelvin(meanOf(results, predictor, horizon))),
  ])
  const alarms = results.reduce((sum, { watch }) => sum + watch.alarms, 0)
  const offShare = results.reduce((sum, { watch }) => sum + watch.offShare, 0) / results.length
  return [
    `\nmean of ${results.length} sets`,
    columns([HEAD, ...rows]),
    `  boiler watch: ${alarms} false alarms, ${(100 * offShare).toFixed(1)} % of the time held to be off`,
  ].join('\n')
}

function meanOf(results: SetResult[], predictor: Predictor, horizon: number): number | null {
  const known = results.flatMap(({ rmse }) => rmse[predictor][horizon] ?? [])
  return known.length > 0 ? known.reduce((sum, value) => sum + value, 0) / known.length : null
}

const inKelvin = (value: number | null) => (value === null ? '–' : value.toFixed(3))
