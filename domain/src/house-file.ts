import Type, { type Static, type TOptional, type TSchema, type TUnsafe } from 'typebox'
import { Location } from './building.ts'
import { CalendarAddress, CalendarRule } from './calendar.ts'
import { CoolingSettings } from './cooling.ts'
import { Comfort, HeatSource, Tariff } from './energy.ts'
import { MOST_CALENDAR_RULES, MOST_CALENDARS } from './facts/calendars.ts'
import { MAX_TARGET_C, MIN_TARGET_C } from './facts/limits.ts'
import { FloorType } from './floor.ts'
import { HotWaterSettings } from './hot-water.ts'
import { Name } from './names.ts'
import { ENTRY_KEY_PATTERN } from './patterns.ts'
import { NightMode, Programme } from './programme.ts'
import { PresetMode } from './room.ts'
import { type RoomSettingField, type RoomSettingValues, roomSettings } from './room-settings.ts'
import { Nullable } from './schema.ts'
import { SensorId } from './sensor.ts'

const EntryKey = Type.String({
  pattern: ENTRY_KEY_PATTERN,
  description: 'By which the entry is found again; the name in lower case with dashes unless given.',
})
const closed = { additionalProperties: false }

/** Every one may be left out, and null gives its default. */
const ROOM_SETTINGS = Object.fromEntries(
  Object.entries(roomSettings).map(([field, schema]) => [field, Type.Optional(orNull(schema))]),
) as { [Field in RoomSettingField]: TOptional<TUnsafe<RoomSettingValues[Field] | null>> }

/** `Nullable` for a schema that may be nullable already. */
function orNull({ type, enum: words, ...schema }: TSchema & { type?: string | string[]; enum?: unknown[] }): TSchema {
  return Type.Unsafe({
    ...schema,
    type: [...new Set([type ?? [], 'null'].flat())],
    ...(words && { enum: [...new Set([...words, null])] }),
  })
}

export const HouseRoom = Type.Object(
  {
    key: Type.Optional(EntryKey),
    name: Name('', 'Bathroom'),
    floor_type: FloorType,
    sensor: SensorId,
    valves: Type.Array(
      Type.Object({ gateway: Type.String(), channel: Type.Integer({ minimum: 1, maximum: 256 }) }, closed),
    ),
    ...ROOM_SETTINGS,
    only_watch: Type.Optional(
      Type.Boolean({ description: 'Another thermostat heats the room: its valves get no command.' }),
    ),
    target_temperature: Type.Optional(Type.Number({ minimum: MIN_TARGET_C, maximum: MAX_TARGET_C })),
    preset_mode: Type.Optional(PresetMode),
    night_mode: Type.Optional(NightMode),
    programme: Type.Optional(Programme),
    floor_sensor: Type.Optional(Nullable(SensorId)),
  },
  closed,
)
export type HouseRoom = Static<typeof HouseRoom>

export const HouseCalendar = Type.Object(
  {
    name: Name('', 'Family'),
    address: CalendarAddress,
    rules: Type.Array(
      Type.Object(
        {
          ...Type.Omit(CalendarRule, ['room_ids']).properties,
          rooms: Type.Optional(
            Type.Array(Type.String(), {
              minItems: 1,
              maxItems: 200,
              description: 'By their names or keys in this file; the whole house unless given.',
            }),
          ),
        },
        closed,
      ),
      { maxItems: MOST_CALENDAR_RULES },
    ),
  },
  closed,
)
export type HouseCalendar = Static<typeof HouseCalendar>

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
    cooling: Type.Optional(CoolingSettings),
    hot_water: Type.Optional(HotWaterSettings),
    calendars: Type.Optional(Type.Array(HouseCalendar, { maxItems: MOST_CALENDARS })),
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

/** By what names of a file are compared: one in another script leaves nothing of a slug. */
export const nameKeyOf = (name: string): string => slugOf(name) || name.trim().toLowerCase()
