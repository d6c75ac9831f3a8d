import {
  type NightMode,
  normaliseOtherSensors,
  type Programme,
  ROOM_SETTING_DEFAULTS,
  type RoomSettingField,
  type RoomSettingValues,
  roomSettings,
} from '@hypocaust/domain'
import type { RoomTable } from '../../store/tables/rooms.ts'
import { PLAIN_ROOM_SETTINGS, type SettingColumn } from '../change-log/settings.ts'

const FIELDS = Object.keys(roomSettings) as RoomSettingField[]

type ColumnName = (typeof PLAIN_ROOM_SETTINGS)[RoomSettingField]['name']
export type SettingRow = Pick<RoomTable, ColumnName>

export const SETTING_COLUMNS: ColumnName[] = FIELDS.map((field) => PLAIN_ROOM_SETTINGS[field].name)

type Given = { [Field in RoomSettingField]?: RoomSettingValues[Field] | null }

const columnOf = (field: RoomSettingField): SettingColumn<ColumnName> => PLAIN_ROOM_SETTINGS[field]

/** What is absent stays as it is, and null is the default. */
export function columnsOfSettings(given: Given): Partial<SettingRow> {
  const { other_sensors: sensors } = given
  const values = { ...given, ...(sensors && { other_sensors: normaliseOtherSensors(sensors) }) }
  const named = FIELDS.filter((field) => values[field] !== undefined)
  return Object.fromEntries(
    named.map((field) => [
      columnOf(field).name,
      stored(columnOf(field), values[field] ?? ROOM_SETTING_DEFAULTS[field]),
    ]),
  )
}

export const DEFAULT_SETTING_COLUMNS = columnsOfSettings(ROOM_SETTING_DEFAULTS) as SettingRow

export const settingsOfColumns = (row: SettingRow): RoomSettingValues =>
  Object.fromEntries(
    FIELDS.map((field) => [field, shown(columnOf(field), row[columnOf(field).name])]),
  ) as unknown as RoomSettingValues

function stored({ isJson }: SettingColumn, value: RoomSettingValues[RoomSettingField]): string | number | null {
  if (value !== null && isJson) return JSON.stringify(value)
  return typeof value === 'string' ? value.trim() : (value as number | null)
}

const shown = ({ isJson }: SettingColumn, value: string | number | null): unknown =>
  isJson && value !== null ? JSON.parse(String(value)) : value

/** A room is planned by one of the two: writing one removes the other. */
export const planColumns = (plan: { nightMode?: NightMode | null; programme?: Programme | null }) => ({
  nightMode: plan.nightMode ? JSON.stringify(plan.nightMode) : null,
  programme: plan.programme ? JSON.stringify(plan.programme) : null,
})
