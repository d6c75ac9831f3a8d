import Type, { type Static } from 'typebox'
import { Blinds } from './blinds.ts'
import { CoolingTarget } from './cooling.ts'
import { MAX_FLOOR_C } from './facts/floors.ts'
import {
  AREA_M2,
  COMFORT_BAND_K,
  DEFAULT_COMFORT_BAND_K,
  DEFAULT_SURFACE_FACTOR,
  FLOOR_LIMIT_C,
  MOST_PEOPLE,
  MOULD_WARMING_K,
  SURFACE_FACTOR,
} from './facts/limits.ts'
import type { Action } from './facts/roles.ts'
import { FloorTimes, TargetOfField } from './floor-times.ts'
import { Name } from './names.ts'
import { RoomIconOrNull } from './room-icon.ts'
import { Nullable } from './schema.ts'
import { OtherSensors } from './sensor.ts'

/**
 * The settings of a room that are one value each and belong to the heating control. The website's room, its PATCH and
 * the house file take their schemas from here; the service gives each a column.
 */
export const roomSettings = {
  area_m2: Nullable(Type.Number(AREA_M2)),
  storey: Nullable(Name('Where it is in the building; pages group rooms by it.', 'Upstairs')),
  icon: RoomIconOrNull,
  other_sensors: Nullable(OtherSensors),
  comfort_band: Type.Number({ ...COMFORT_BAND_K, description: 'Kelvin either side of the target.' }),
  max_floor_temperature: Type.Number({ ...FLOOR_LIMIT_C, description: 'Celsius at the surface.' }),
  surface_factor: Type.Number({
    ...SURFACE_FACTOR,
    description: 'f_Rsi of the coldest surface: its share of the way from outdoors to the air of the room.',
  }),
  used_by: Nullable(
    Type.Array(Name('A person or device as it is reported.', 'Anna'), {
      maxItems: MOST_PEOPLE,
      uniqueItems: true,
      description:
        'The room is used only when one of them is home, and may cool otherwise. Empty: it is used always. Null: when anybody is home.',
    }),
  ),
  mould_warming: Type.Number({
    ...MOULD_WARMING_K,
    description: 'Kelvin by which the room may be warmed against mould; 0: not at all.',
  }),
  cooling_target: CoolingTarget,
  minimum_floor_temperature: Nullable(FloorTimes),
  target_of: TargetOfField,
  blinds: Nullable(Blinds),
}

export type RoomSettingField = keyof typeof roomSettings
export type RoomSettingValues = { [Field in RoomSettingField]: Static<(typeof roomSettings)[Field]> }

/** Of a room for which nothing was chosen. */
export const ROOM_SETTING_DEFAULTS: RoomSettingValues = {
  area_m2: null,
  storey: null,
  icon: null,
  other_sensors: null,
  comfort_band: DEFAULT_COMFORT_BAND_K,
  max_floor_temperature: MAX_FLOOR_C,
  surface_factor: DEFAULT_SURFACE_FACTOR,
  used_by: null,
  mould_warming: 0,
  cooling_target: null,
  minimum_floor_temperature: null,
  target_of: 'air',
  blinds: null,
}

export const ROOM_SETTING_ACTIONS: Record<RoomSettingField, Action> = {
  area_m2: 'set_up',
  storey: 'set_up',
  icon: 'set_up',
  other_sensors: 'set_up',
  comfort_band: 'plan',
  max_floor_temperature: 'set_up',
  surface_factor: 'set_up',
  used_by: 'plan',
  mould_warming: 'plan',
  cooling_target: 'plan',
  minimum_floor_temperature: 'plan',
  target_of: 'set_up',
  blinds: 'plan',
}
