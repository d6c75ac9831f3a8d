import { type BuildingEnergy, type ChangeEntry, type RoomHistory, timestampOf } from '@hypocaust/domain'
import { csvTable } from '../../../base/csv.ts'

const COLUMNS = [
  'temperature',
  'temperature_min',
  'temperature_max',
  'humidity',
  'target',
  'power',
  'outdoor',
  'dew_point',
  'surface_humidity',
] as const satisfies (keyof RoomHistory)[]

/** One line a step that has anything to tell; decimal points and UTC, whatever the reader's language. */
export function csvOf(history: RoomHistory): string {
  const rows = history.times.flatMap((time, i) => {
    const cells = COLUMNS.map((column) => history[column][i] ?? null)
    return cells.some((cell) => cell !== null) ? [[timestampOf(time * 1000), ...cells]] : []
  })
  return csvTable(['time', ...COLUMNS], rows)
}

const CHANGE_COLUMNS = ['time', 'by', 'name', 'role', 'holder', 'subject', 'field', 'before', 'after']

export function changesCsv(changes: ChangeEntry[]): string {
  const rows = changes.map(({ at, actor: { kind, name, role, holder }, subject, field, before, after }) => [
    at,
    kind,
    name,
    role,
    holder,
    subject,
    field,
    before,
    after,
  ])
  return csvTable(CHANGE_COLUMNS, rows)
}

const ENERGY_COLUMNS = [
  'day',
  'room',
  'heat_kwh',
  'heat_kwh_per_m2',
  'cost',
  'savings_days',
  'savings_target',
  'half_degree_less_percent',
  'half_degree_less_plus_minus',
  'setback_hour_earlier_percent',
  'setback_hour_earlier_plus_minus',
]

/** What a room could save is the same on each of its lines. */
export function energyCsv({ rooms }: BuildingEnergy): string {
  const rows = rooms.flatMap(({ name, days, savings }) => {
    const saved = [savings?.half_degree_less, savings?.setback_hour_earlier]
    const ofRoom = [
      savings?.days,
      savings?.target_temperature,
      ...saved.flatMap((each) => [each?.percent, each?.plus_minus]),
    ]
    return days.map(({ day, heat, heat_per_m2, cost }) => [day, name, heat, heat_per_m2, cost, ...ofRoom])
  })
  return csvTable(ENERGY_COLUMNS, rows)
}
