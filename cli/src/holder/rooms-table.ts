import { styleText } from 'node:util'
import type { Room } from '@hypocaust/client'
import type { Furnished } from './session.ts'
import { action, ago, availability, celsius, percent } from './words.ts'

export interface TableOptions {
  nowMs: number
  /** Longer lines are cut. */
  width: number
  isColoured: boolean
}

interface Column {
  title: string
  align: 'left' | 'right'
  text(room: Room, nowMs: number): string
}

const COLUMNS: Column[] = [
  { title: 'Room', align: 'left', text: ({ name }) => name },
  { title: 'Now', align: 'right', text: ({ current_temperature }) => celsius(current_temperature) },
  {
    title: 'Wished',
    align: 'right',
    text: ({ hvac_mode, target_temperature }) => (hvac_mode === 'off' ? 'off' : celsius(target_temperature)),
  },
  { title: 'Floor', align: 'left', text: (room) => action(room) },
  { title: 'Preset', align: 'left', text: ({ preset_mode }) => preset_mode },
  { title: 'Humidity', align: 'right', text: ({ current_humidity }) => percent(current_humidity) },
  { title: 'Battery', align: 'right', text: ({ sensor }) => percent(sensor?.batt ?? null) },
  { title: 'Measured', align: 'left', text: ({ sensor }, nowMs) => ago(sensor?.timestamp ?? null, nowMs) },
]

/** Each building with a line about itself and its rooms below. */
export function roomsTable(furnished: Furnished[], options: TableOptions): string {
  return furnished.map((each) => buildingTable(each, options)).join('\n\n')
}

function buildingTable({ building, rooms }: Furnished, options: TableOptions): string {
  const { nowMs, width, isColoured } = options
  const cells = rooms.map((room) => COLUMNS.map((column) => column.text(room, nowMs)))
  const widths = COLUMNS.map(({ title }, i) =>
    Math.max(title.length, ...cells.map((line) => [...(line[i] ?? '')].length)),
  )
  const lineOf = (line: string[]) =>
    cut(
      line
        .map((cell, i) => padded(cell, widths[i] ?? 0, COLUMNS[i]))
        .join('  ')
        .trimEnd(),
      width,
    )
  const paint = (style: Style, text: string) => (isColoured ? styleText(style, text, { validateStream: false }) : text)
  const outside = building.weather ? `, ${celsius(building.weather.temperature)} outside` : ''
  return [
    paint('bold', cut(`${building.name}: ${availability(building, nowMs)}${outside}`, width)),
    paint('dim', lineOf(COLUMNS.map(({ title }) => title))),
    ...rooms.map((room, i) => paint(styleOf(room), lineOf(cells[i] ?? []))),
  ].join('\n')
}

type Style = 'bold' | 'dim' | 'yellow' | 'reset'

function styleOf({ hvac_action, current_temperature }: Room): Style {
  if (current_temperature === null || hvac_action === 'off') return 'dim'
  return hvac_action === 'heating' ? 'yellow' : 'reset'
}

function padded(cell: string, width: number, column: Column | undefined): string {
  const space = ' '.repeat(Math.max(0, width - [...cell].length))
  return column?.align === 'right' ? space + cell : cell + space
}

const cut = (line: string, width: number): string => {
  const letters = [...line]
  return letters.length <= width ? line : `${letters.slice(0, Math.max(0, width - 1)).join('')}…`
}
