import { styleText } from 'node:util'
import type { Room } from '@hypocaust/client'
import type { Furnished } from './session.ts'
import { cut, widthOf } from './text-width.ts'
import { action, ago, availability, celsius, percent } from './words.ts'

interface TableOptions {
  nowMs: number
  /** What does not fit is left out, the least important first. */
  width: number
  isColoured: boolean
}

interface Column {
  title: string
  align: 'left' | 'right'
  /** Of two that do not both fit, the greater goes. */
  dispensable: number
  text(room: Room, nowMs: number): string
}

const COLUMNS: Column[] = [
  { title: 'Room', align: 'left', dispensable: 0, text: ({ name }) => name },
  { title: 'Now', align: 'right', dispensable: 0, text: ({ current_temperature }) => celsius(current_temperature) },
  {
    title: 'Target',
    align: 'right',
    dispensable: 0,
    text: ({ hvac_mode, target_temperature }) => (hvac_mode === 'off' ? 'off' : celsius(target_temperature)),
  },
  { title: 'Floor', align: 'left', dispensable: 1, text: (room) => action(room) },
  { title: 'Preset', align: 'left', dispensable: 3, text: ({ preset_mode }) => preset_mode },
  { title: 'Humidity', align: 'right', dispensable: 4, text: ({ current_humidity }) => percent(current_humidity) },
  { title: 'Battery', align: 'right', dispensable: 5, text: ({ sensor }) => percent(sensor?.batt ?? null) },
  {
    title: 'Measured',
    align: 'left',
    dispensable: 2,
    text: ({ sensor }, nowMs) => ago(sensor?.timestamp ?? null, nowMs),
  },
]

/** Each building with a line about itself and its rooms below. */
export function roomsTable(furnished: Furnished[], options: TableOptions): string {
  return furnished.map((each) => buildingTable(each, options)).join('\n\n')
}

function buildingTable({ building, rooms }: Furnished, options: TableOptions): string {
  const { nowMs, width, isColoured } = options
  const all = COLUMNS.map((column) => filled(column, rooms, nowMs))
  const columns = fitting(all, width)
  const line = (cellOf: (column: Filled) => string) =>
    columns
      .map((column) => padded(cellOf(column), column))
      .join(GAP)
      .trimEnd()
  const titles = line(({ title }) => title)
  const more = columns.length < all.length && widthOf(titles) + MORE.length <= width ? MORE : ''
  const paint = (style: Style, text: string) => (isColoured ? styleText(style, text, { validateStream: false }) : text)
  const outside = building.weather ? `, ${celsius(building.weather.temperature)} outside` : ''
  return [
    paint('bold', cut(`${building.name}: ${availability(building, nowMs)}${outside}`, width)),
    paint('dim', cut(titles, width) + more),
    ...rooms.map((room, i) =>
      paint(
        styleOf(room),
        cut(
          line(({ cells }) => cells[i] ?? ''),
          width,
        ),
      ),
    ),
  ].join('\n')
}

interface Filled extends Column {
  cells: string[]
  width: number
}

const GAP = '  '
/** Beside the titles, where columns were left out. */
const MORE = ' …'

function filled(column: Column, rooms: Room[], nowMs: number): Filled {
  const cells = rooms.map((room) => column.text(room, nowMs))
  return { ...column, cells, width: Math.max(...[column.title, ...cells].map(widthOf)) }
}

/** A whole column less is easier to read than half of one. */
function fitting(columns: Filled[], width: number): Filled[] {
  const needed = columns.reduce((sum, column) => sum + column.width + GAP.length, -GAP.length)
  const worst = Math.max(...columns.map(({ dispensable }) => dispensable))
  return needed <= width || worst === 0
    ? columns
    : fitting(
        columns.filter((each) => each.dispensable !== worst),
        width,
      )
}

type Style = 'bold' | 'dim' | 'yellow' | 'reset'

function styleOf({ hvac_action, current_temperature }: Room): Style {
  if (current_temperature === null || hvac_action === 'off') return 'dim'
  return hvac_action === 'heating' ? 'yellow' : 'reset'
}

function padded(cell: string, { width, align }: Filled): string {
  const space = ' '.repeat(width - widthOf(cell))
  return align === 'right' ? space + cell : cell + space
}
