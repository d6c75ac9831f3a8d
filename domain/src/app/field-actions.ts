import type { Action } from '../facts/roles.ts'
import { ROOM_SETTING_ACTIONS } from '../room-settings.ts'
import type { AppRoomPatch, BuildingPatch } from './house.ts'

/** An override is set on a path of its own, and undone as a field. */
type RoomField = keyof AppRoomPatch | 'override'
type BuildingField = keyof BuildingPatch

/** Every field is listed, so that a new one has no permission by accident. */
const ROOM_FIELDS: Record<RoomField, Action> = {
  target_temperature: 'steer',
  hvac_mode: 'steer',
  preset_mode: 'steer',
  manual_power: 'steer',
  override: 'steer',
  name: 'set_up',
  sensor_id: 'set_up',
  floor_type: 'set_up',
  ...ROOM_SETTING_ACTIONS,
  only_watch: 'set_up',
  floor_sensor_id: 'set_up',
  valves: 'set_up',
  night_mode: 'plan',
  programme: 'plan',
}

const BUILDING_FIELDS: Record<BuildingField, Action> = {
  name: 'set_up',
  location: 'set_up',
  timezone: 'set_up',
  frost_protection: 'set_up',
  heat_source: 'set_up',
  tags: 'set_up',
  away: 'away',
  presence_rule: 'plan',
  comfort: 'plan',
  cooling: 'plan',
  hot_water: 'plan',
  saving: 'plan',
  tariff: 'plan',
  room_order: 'plan',
}

export const actionOfRoomField = (field: string): Action | undefined =>
  Object.hasOwn(ROOM_FIELDS, field) ? ROOM_FIELDS[field as RoomField] : undefined

export const actionOfBuildingField = (field: string): Action | undefined =>
  Object.hasOwn(BUILDING_FIELDS, field) ? BUILDING_FIELDS[field as BuildingField] : undefined

/** What a change of these fields needs. */
export const actionsOfRoomPatch = (patch: AppRoomPatch): Action[] =>
  (Object.keys(patch) as (keyof AppRoomPatch)[]).map((field) => ROOM_FIELDS[field])

export const actionsOfBuildingPatch = (patch: BuildingPatch): Action[] =>
  (Object.keys(patch) as BuildingField[]).map((field) => BUILDING_FIELDS[field])
