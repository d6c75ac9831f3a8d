import { ROOM_SETTING_DEFAULTS, type RoomSettingField, type RoomSettingValues, roomSettings } from '@hypocaust/domain'
import type { RoomTable } from '../../store/tables.ts'
import { PLAIN_ROOM_SETTINGS } from '../change-log/settings.ts'

const FIELDS = Object.keys(roomSettings) as RoomSettingField[]

type ColumnName = (typeof PLAIN_ROOM_SETTINGS)[RoomSettingField]['name']
export type SettingRow = Pick<RoomTable, ColumnName>

export const SETTING_COLUMNS: ColumnName[] = FIELDS.map((field) => PLAIN_ROOM_SETTINGS[field].name)

type Given = { [Field in RoomSettingField]?: RoomSettingValues[Field] | null }

/** What is absent stays as it is, and null is the default. */
export function columnsOfSettings(given: Given): Partial<SettingRow> {
  const named = FIELDS.filter((field) => given[field] !== undefined)
  return Object.fromEntries(
    named.map((field) => [PLAIN_ROOM_SETTINGS[field].name, trimmed(given[field] ?? ROOM_SETTING_DEFAULTS[field])]),
  )
}

export const DEFAULT_SETTING_COLUMNS = columnsOfSettings(ROOM_SETTING_DEFAULTS) as SettingRow

export const settingsOfColumns = (row: SettingRow): RoomSettingValues =>
  Object.fromEntries(
    FIELDS.map((field) => [field, row[PLAIN_ROOM_SETTINGS[field].name]]),
  ) as unknown as RoomSettingValues

function trimmed(value: string | number | null): string | number | null {
  return typeof value === 'string' ? value.trim() : value
}
