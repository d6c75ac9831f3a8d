import Type, { type Static } from 'typebox'
import { MAX_TARGET_C, MIN_TARGET_C } from './facts/limits.ts'
import { Name } from './names.ts'
import { Nullable, OneOf, Uuid } from './schema.ts'
import { Sensor, SensorId } from './sensor.ts'

export const HVAC_MODES = ['heat', 'off'] as const
export const PRESET_MODES = ['none', 'low', 'medium', 'high'] as const

/** Base warmth: the share of the time for which the loop stays open even when the room has reached its target. */
export const PRESET_SHARE = { none: 0, low: 0.05, medium: 0.1, high: 0.15 }

const HvacMode = OneOf(
  HVAC_MODES,
  '`off` holds the room at zero power; `heat` leaves it to the heating control.',
  'heat',
)

const HvacAction = OneOf(
  ['heating', 'idle', 'off'],
  '`idle` is on, but not heating at the moment. While frost protection acts, a room that is off shows `heating`.',
  'heating',
)

export const PresetMode = OneOf(
  PRESET_MODES,
  `Base warmth of the floor, independent of the target: while the room itself needs less, \`power\` is ${PRESET_SHARE.low} (\`low\`), ${PRESET_SHARE.medium} (\`medium\`) or ${PRESET_SHARE.high} (\`high\`), so that the floor stays warm underfoot. Where the room needs more on average, it gets that in longer openings, and \`power\` may be lower between them. It rests while the room is above its comfort band, off, under manual power or has an open window, and never heats the floor beyond its limit.`,
  'low',
)
export type PresetMode = Static<typeof PresetMode>

const Fraction = (description: string, example: number) =>
  Type.Number({ minimum: 0, maximum: 1, description, examples: [example] })

const manualPowerFields = {
  enabled: Type.Boolean({ description: 'Whether `power` overrides the heating control.', examples: [false] }),
  power: Fraction('A fraction from 0 to 1, used only while `enabled` is true.', 0),
}

export const ManualPower = Type.Object(manualPowerFields, {
  description: 'A fixed power in place of the heating control.',
})

const writable = {
  name: Name('1 to 100 characters after trimming, without control or invisible characters.', 'Bathroom'),
  target_temperature: Type.Number({
    minimum: MIN_TARGET_C,
    maximum: MAX_TARGET_C,
    description: 'What the holder set, in Celsius; night mode and absence do not change it.',
    examples: [22],
  }),
  preset_mode: PresetMode,
  hvac_mode: HvacMode,
  sensor_id: SensorId,
}

const ROOM_ID = '019bb0f4-6e01-7d21-8a44-5b0c9e1f2a3b'

export const Room = Type.Object(
  {
    id: Uuid('`{roomId}` in paths.', ROOM_ID),
    name: writable.name,
    current_temperature: Nullable(
      Type.Number({
        description:
          'Celsius, from the room’s sensor; of several the mean or the coldest. Null when none has ever reported, or not for 60 minutes.',
        examples: [21.4],
      }),
    ),
    current_humidity: Nullable(
      Type.Number({
        description:
          'Percent, from the room’s sensor or sensors. Null as `current_temperature`, and when this kind of sensor does not tell.',
        examples: [47],
      }),
    ),
    target_temperature: writable.target_temperature,
    min_temp: Type.Number({ description: 'Constant 7.', examples: [MIN_TARGET_C] }),
    max_temp: Type.Number({ description: 'Constant 35.', examples: [MAX_TARGET_C] }),
    hvac_mode: HvacMode,
    hvac_modes: Type.Array(HvacMode, { description: 'All values of `hvac_mode`.', examples: [[...HVAC_MODES]] }),
    hvac_action: HvacAction,
    preset_mode: PresetMode,
    preset_modes: Type.Array(PresetMode, {
      description: 'All values of `preset_mode`.',
      examples: [[...PRESET_MODES]],
    }),
    manual_power: ManualPower,
    power: Fraction(
      'Share of a time window in which the valve is open. Not watts, not a percentage; the window depends on the floor.',
      0.35,
    ),
    sensor_id: SensorId,
    sensor: Nullable(Sensor),
  },
  { description: 'A room with the latest reading of its sensor.' },
)
export type Room = Static<typeof Room>

export const RoomPatch = Type.Object(
  {
    name: Type.Optional(writable.name),
    target_temperature: Type.Optional(writable.target_temperature),
    preset_mode: Type.Optional(PresetMode),
    hvac_mode: Type.Optional(HvacMode),
    manual_power: Type.Optional(
      Type.Object(
        { enabled: Type.Optional(manualPowerFields.enabled), power: Type.Optional(manualPowerFields.power) },
        {
          additionalProperties: false,
          description: 'A member left out keeps its stored value. Ignored when `hvac_mode` is sent beside it.',
        },
      ),
    ),
    sensor_id: Type.Optional(writable.sensor_id),
  },
  {
    additionalProperties: false,
    description: 'Any subset of the writable fields; the rest stay as they were.',
    examples: [{ target_temperature: 21.5 }, { hvac_mode: 'off' }, { manual_power: { enabled: true, power: 0.3 } }],
  },
)
export type RoomPatch = Static<typeof RoomPatch>

/** Rooms that one request changes. */
const MOST_PATCHED_ROOMS = 100

export const RoomPatches = Type.Object(
  {
    rooms: Type.Array(
      Type.Object(
        { id: Type.String({ description: 'The `id` of the room, in upper or lower case.' }), ...RoomPatch.properties },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: MOST_PATCHED_ROOMS, description: 'Each room once, with the fields to change.' },
    ),
  },
  {
    additionalProperties: false,
    description: 'Changes of several rooms.',
    examples: [{ rooms: [{ id: ROOM_ID, target_temperature: 21.5 }] }],
  },
)
export type RoomPatches = Static<typeof RoomPatches>
