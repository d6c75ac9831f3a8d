import { columns } from '../columns.ts'
import { type Row, type SpeedResult, verdictOf } from './result.ts'

/** Every figure with its spread, and what is aimed for beside it. */
export function tableOf({ machine, rows, quick, missing }: SpeedResult): string {
  const head = ['', 'measured', 'quartiles', 'not done', 'goal', '']
  return [
    `${machine.processor}, ${machine.cores} cores, Node ${machine.node}; load before: ${machine.loadBefore.toFixed(1)}${quick ? '; quick, so coarse' : ''}`,
    columns([head, ...rows.map(cellsOf)]),
    ...missing.map((what) => `not measured: ${what}`),
  ].join('\n')
}

function cellsOf(row: Row): string[] {
  const { name, unit, figure, aim } = row
  const limit = (value: number) => `${aim?.better === 'more' ? '<' : '>'} ${rounded(value)}`
  return [
    name,
    `${rounded(figure.median)} ${unit}`,
    figure.low === figure.high ? '' : `${rounded(figure.low)}–${rounded(figure.high)}`,
    aim ? limit(aim.poor) : '',
    aim ? rounded(aim.goal) : '',
    verdictOf(row),
  ]
}

export const rounded = (value: number): string =>
  value >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(2)))
