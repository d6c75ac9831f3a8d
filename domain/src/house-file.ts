import Type, { type Static } from 'typebox'
import { Location } from './building.ts'
import { Comfort, HeatSource, Tariff } from './energy.ts'
import { AREA_M2, COMFORT_BAND_K, FLOOR_LIMIT_C, MAX_TARGET_C, MIN_TARGET_C } from './facts/limits.ts'
import { FloorType } from './floor.ts'
import { Name } from './names.ts'
import { ENTRY_KEY_PATTERN } from './patterns.ts'
import { NightMode, Programme } from './programme.ts'
import { PresetMode } from './room.ts'
import { RoomIcon } from './room-icon.ts'
import { SensorId } from './sensor.ts'

const EntryKey = Type.String({
  pattern: ENTRY_KEY_PATTERN,
  description: 'By which the entry is found again; the name in lower case with dashes unless given.',
})
const closed = { additionalProperties: false }

export const HouseRoom = Type.Object(
  {
    key: Type.Optional(EntryKey),
    name: Name('', 'Bathroom'),
    floor_type: FloorType,
    sensor: SensorId,
    valves: Type.Array(
      Type.Object({ gateway: Type.String(), channel: Type.Integer({ minimum: 1, maximum: 256 }) }, closed),
    ),
    area_m2: Type.Optional(Type.Number(AREA_M2)),
    storey: Type.Optional(Name('Where it is in the building.', 'Upstairs')),
    only_watch: Type.Optional(
      Type.Boolean({ description: 'Another thermostat heats the room: its valves get no command.' }),
    ),
    icon: Type.Optional(RoomIcon),
    target_temperature: Type.Optional(Type.Number({ minimum: MIN_TARGET_C, maximum: MAX_TARGET_C })),
    preset_mode: Type.Optional(PresetMode),
    comfort_band: Type.Optional(Type.Number(COMFORT_BAND_K)),
    night_mode: Type.Optional(NightMode),
    programme: Type.Optional(Programme),
    max_floor_temperature: Type.Optional(Type.Number(FLOOR_LIMIT_C)),
    floor_sensor: Type.Optional(SensorId),
  },
  closed,
)
export type HouseRoom = Static<typeof HouseRoom>

export const HouseFile = Type.Object(
  {
    key: Type.Optional(EntryKey),
    name: Name('', 'Lakeside 12'),
    location: Type.Object(Location.properties, closed),
    timezone: Type.String({ minLength: 1, maxLength: 64 }),
    comfort: Type.Optional(Comfort),
    saving: Type.Optional(
      Type.Boolean({ description: 'true is the same as comfort: saving, false as comfort: balanced.' }),
    ),
    tariff: Type.Optional(Tariff),
    heat_source: Type.Optional(HeatSource),
    gateways: Type.Optional(
      Type.Array(Type.Object({ key: Type.Optional(EntryKey), name: Name('', 'cellar') }, closed)),
    ),
    rooms: Type.Array(HouseRoom),
  },
  closed,
)
export type HouseFile = Static<typeof HouseFile>

/** The key of an entry that names none. */
export const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 100)
