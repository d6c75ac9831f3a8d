import type { RoomSettingField } from '@hypocaust/domain'
import type { BuildingTable } from '../../store/tables/building.ts'
import type { MemberTable } from '../../store/tables/people.ts'
import type { RoomTable } from '../../store/tables/rooms.ts'

export interface SettingColumn<Name extends string = string> {
  name: Name
  /** On disk. */
  column: string
  type: 'text' | 'double precision' | 'bigint'
  /** It refers to a sensor; the log has the sensor's address. */
  isSensor?: boolean
  /** Stored as JSON. */
  isJson?: boolean
}

/** What the log has as one value: one column, or several that only mean something together. */
export interface Setting<Name extends string = string> {
  field: string
  columns: SettingColumn<Name>[]
}

type Type = SettingColumn['type']

const of =
  <Table>() =>
  <Name extends keyof Table & string>(name: Name, column: string, type: Type = 'text'): SettingColumn<Name> => ({
    name,
    column,
    type,
  })
const room = of<RoomTable>()
const building = of<BuildingTable>()
const member = of<MemberTable>()

/** Where each setting that is one value is stored. */
export const PLAIN_ROOM_SETTINGS = {
  area_m2: room('areaM2', 'area_m2', 'double precision'),
  storey: room('storey', 'storey'),
  icon: room('icon', 'icon'),
  other_sensors: { ...room('otherSensors', 'other_sensors'), isJson: true },
  comfort_band: room('comfortBandK', 'comfort_band_k', 'double precision'),
  max_floor_temperature: room('maxFloorC', 'max_floor_c', 'double precision'),
  surface_factor: room('surfaceFactor', 'surface_factor', 'double precision'),
  used_by: { ...room('usedBy', 'used_by'), isJson: true },
  mould_warming: room('mouldWarmingK', 'mould_warming_k', 'double precision'),
  cooling_target: room('coolingTargetC', 'cooling_target_c', 'double precision'),
  minimum_floor_temperature: { ...room('floorTimes', 'floor_times'), isJson: true },
  target_of: room('targetOf', 'target_of'),
  blinds: { ...room('blinds', 'blinds'), isJson: true },
} satisfies Record<RoomSettingField, SettingColumn<keyof RoomTable>>

/** Every column of a room that people set. */
export const ROOM_SETTINGS: Setting<keyof RoomTable>[] = [
  { field: 'name', columns: [room('name', 'name')] },
  {
    field: 'target_temperature',
    columns: [room('targetC', 'target_c', 'double precision'), room('targetHold', 'target_hold')],
  },
  { field: 'preset_mode', columns: [room('presetMode', 'preset_mode')] },
  {
    field: 'manual_power',
    columns: [
      room('manualEnabled', 'manual_enabled', 'bigint'),
      room('manualPower', 'manual_power', 'double precision'),
    ],
  },
  { field: 'override', columns: [room('override', 'override')] },
  { field: 'programme', columns: [room('nightMode', 'night_mode'), room('programme', 'programme')] },
  { field: 'floor_type', columns: [room('floorType', 'floor_type')] },
  { field: 'only_watch', columns: [room('watchedSince', 'watched_since', 'bigint')] },
  ...Object.entries(PLAIN_ROOM_SETTINGS).map(([field, column]) => ({ field, columns: [column] })),
  { field: 'sensor_id', columns: [{ ...room('sensorId', 'sensor_id'), isSensor: true }] },
  { field: 'floor_sensor_id', columns: [{ ...room('floorSensorId', 'floor_sensor_id'), isSensor: true }] },
]

/** Every column of a building that people set. */
export const BUILDING_SETTINGS: Setting<keyof BuildingTable>[] = [
  { field: 'name', columns: [building('name', 'name')] },
  {
    field: 'location',
    columns: [building('lat', 'lat', 'double precision'), building('lng', 'lng', 'double precision')],
  },
  { field: 'timezone', columns: [building('timezone', 'timezone')] },
  { field: 'frost_protection', columns: [building('frostProtection', 'frost_protection', 'bigint')] },
  { field: 'comfort', columns: [building('comfort', 'comfort')] },
  { field: 'presence_rule', columns: [building('presenceRule', 'presence_rule')] },
  { field: 'tariff', columns: [building('tariff', 'tariff')] },
  { field: 'heat_source', columns: [building('heatSource', 'heat_source')] },
  { field: 'cooling', columns: [building('cooling', 'cooling')] },
  { field: 'hot_water', columns: [building('hotWater', 'hot_water')] },
  { field: 'room_order', columns: [building('roomOrder', 'room_order')] },
  { field: 'tags', columns: [building('tags', 'tags')] },
  {
    field: 'away',
    columns: [
      building('awayFrom', 'away_from', 'bigint'),
      building('awayUntil', 'away_until', 'bigint'),
      building('awayC', 'away_c', 'double precision'),
      building('awayRooms', 'away_rooms'),
    ],
  },
]

export const ROLE_COLUMNS = [member('role', 'role'), member('rooms', 'rooms'), member('endsAt', 'ends_at', 'bigint')]

/** The settings with at least one of these columns. */
export const settingsWith = <Name extends string>(settings: Setting<Name>[], names: string[]): Setting<Name>[] =>
  settings.filter(({ columns }) => columns.some(({ name }) => names.includes(name)))
