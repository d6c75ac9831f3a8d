import { type Row, type SpeedResult, verdictOf } from './result.ts'
import { rounded } from './table.ts'

const WIDTH = 1000
const ROW_HEIGHT = 30
const TOP = 90
const LEFT = 430
const SPAN = 400
const COLOURS = { goal: '#0f766e', 'on the way': '#b45309', 'not done': '#b91c1c', '': '#64748b' }

/** Each figure as a share of its goal: a bar that reaches the line has reached it. */
export function speedPlot({ rows, machine, measuredAt }: SpeedResult): string {
  const aimed = rows.filter(({ aim }) => aim)
  const height = TOP + ROW_HEIGHT * aimed.length + 40
  const at = LEFT + SPAN / 1.2
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="13" fill="#1e293b">`,
    '<title>Speed of Hypocaust against its goals</title>',
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    '<text x="40" y="34" font-size="20" font-weight="600">Speed, as a share of the goal</text>',
    `<text x="40" y="56" fill="#64748b">${machine.processor}, ${machine.cores} cores, ${measuredAt.slice(0, 10)}</text>`,
    ...aimed.map((row, i) => bar(row, TOP + ROW_HEIGHT * i)),
    `<path d="M${at.toFixed(1)} ${TOP - 14}V${height - 30}" stroke="#1e293b" stroke-dasharray="4 3"/>`,
    `<text x="${at.toFixed(1)}" y="${height - 12}" text-anchor="middle" fill="#64748b">goal</text>`,
    '</svg>\n',
  ].join('\n')
}

function bar(row: Row, y: number): string {
  const { name, unit, figure, aim } = row
  if (!aim) return ''
  const share = aim.better === 'more' ? figure.median / aim.goal : aim.goal / figure.median
  const width = (SPAN * Math.min(1.2, share)) / 1.2
  return [
    `<text x="${LEFT - 10}" y="${y + 14}" text-anchor="end">${name}</text>`,
    `<rect x="${LEFT}" y="${y}" width="${width.toFixed(1)}" height="20" fill="${COLOURS[verdictOf(row)]}"/>`,
    `<text x="${LEFT + SPAN + 12}" y="${y + 14}">${rounded(figure.median)} ${unit}, goal ${rounded(aim.goal)}</text>`,
  ].join('')
}
