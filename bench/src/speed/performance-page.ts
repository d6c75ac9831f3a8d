import { readFileSync, writeFileSync } from 'node:fs'
import { withFigures } from '../figures.ts'
import { type Row, type SpeedResult, verdictOf } from './result.ts'
import { rounded } from './table.ts'

/** The figures of a full run, on the page that explains them. */
export function writeFigures(page: string, result: SpeedResult): void {
  writeFileSync(page, withSpeedFigures(readFileSync(page, 'utf8'), result))
}

export const withSpeedFigures = (page: string, result: SpeedResult): string =>
  withFigures(page, 'bench:speed', figuresOf(result))

function figuresOf({ measuredAt, machine, rows, missing, quick }: SpeedResult): string {
  const { processor, cores, node, loadBefore } = machine
  const busy =
    loadBefore > 0.5
      ? ` The machine had other work to do (load ${loadBefore.toFixed(0)} on ${cores} cores): every figure is worse than on an idle one, and short code suffers less from it than long code.`
      : ''
  return [
    `Measured ${measuredAt.slice(0, 10)} with \`npm run bench:speed\` on ${processor}, ${cores} cores, Node ${node}${quick ? ', in a short run' : ''}.${busy}`,
    '',
    '| | measured | quartiles | not done | goal | |',
    '|---|---|---|---|---|---|',
    ...rows.map(lineOf),
    ...missing.map((what) => `\nNot measured: ${what}`),
  ].join('\n')
}

function lineOf(row: Row): string {
  const { name, unit, figure, aim } = row
  const spread = figure.low === figure.high ? '' : `${rounded(figure.low)}–${rounded(figure.high)}`
  const limit = aim ? `${aim.better === 'more' ? '<' : '>'} ${rounded(aim.poor)}` : ''
  const cells = [name, `${rounded(figure.median)} ${unit}`, spread, limit, aim ? rounded(aim.goal) : '', verdictOf(row)]
  return `| ${cells.join(' | ')} |`
}
