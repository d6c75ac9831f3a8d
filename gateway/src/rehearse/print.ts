import type { Rehearsal } from './rehearse.ts'
import type { Output } from './summary.ts'

/** The day for a person: every switch, then a line for each output. */
export function rehearsalText({ events, outputs }: Rehearsal): string {
  const switches = events.map(({ at_s, output, on }) => `${clockTime(at_s)}  ${output} ${on ? 'on' : 'off'}`)
  const head = ['output', 'on', 'starts', 'shortest run', 'shortest pause', 'flow']
  const rows = Object.entries(outputs).map(([name, output]) => [name, ...figures(output)])
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)))
  const table = [head, ...rows].map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return [...switches, '', ...table].join('\n')
}

const figures = ({ on_h, starts, shortest_on_s, shortest_off_s, flow_h }: Output): string[] => [
  `${on_h.toFixed(2)} h`,
  String(starts),
  shortest_on_s === null ? '–' : `${shortest_on_s} s`,
  shortest_off_s === null ? '–' : `${shortest_off_s} s`,
  `${flow_h.toFixed(2)} h`,
]

function clockTime(atS: number): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  return `${two(atS / 3600)}:${two((atS / 60) % 60)}:${two(atS % 60)}`
}
