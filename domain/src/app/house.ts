import Type, { type Static } from 'typebox'
import { Building, Location } from '../building.ts'
import { CoolingSettings } from '../cooling.ts'
import { Comfort, HeatSource, Tariff } from '../energy.ts'
import { LOOPS_HELD, type LoopsHeld } from '../facts/doing.ts'
import { AWAY_C, MAX_TARGET_C, MIN_TARGET_C } from '../facts/limits.ts'
import { MAX_TAGS, TAG_MAX_LENGTH } from '../facts/need.ts'
import { ROLES } from '../facts/roles.ts'
import { FloorType } from '../floor.ts'
import { HELD_OFF, type HeldOff } from '../gateway.ts'
import { BuildingHotWater, HotWaterSettings } from '../hot-water.ts'
import { Name } from '../names.ts'
import { OverrideHours, RoomOverride, setpointFields } from '../outlook.ts'
import { NAME_PATTERN } from '../patterns.ts'
import { BuildingPowerLimit } from '../power-limit.ts'
import { Presence, PresenceRule } from '../presence.ts'
import { NightMode, Programme } from '../programme.ts'
import { AppProposal } from '../proposal.ts'
import { Room, RoomPatch } from '../room.ts'
import { roomSettings } from '../room-settings.ts'
import { Nullable, OneOf, Timestamp, Uuid } from '../schema.ts'
import { Sensor, SensorId } from '../sensor.ts'

const closed = { additionalProperties: false }
const AwayC = Type.Number({ ...AWAY_C, description: 'Celsius to which the rooms may cool meanwhile.' })
const TimeZone = Type.String({ minLength: 1, maxLength: 64, examples: ['Europe/Oslo'] })

export const ValveRef = Type.Object(
  {
    gateway_id: Uuid('A gateway of the building.', '019bb0f4-6e02-7b10-8c1d-3e4f5a6b7c8d'),
    channel: Type.Integer({ minimum: 1, maximum: 256 }),
  },
  closed,
)
export type ValveRef = Static<typeof ValveRef>

const control = {
  floor_type: FloorType,
  ...roomSettings,
  only_watch: Type.Boolean({
    description: 'Another thermostat heats the room: it is measured and learned, and its valves get no command.',
  }),
  night_mode: Nullable(NightMode),
  programme: Type.Unsafe<Programme | null>({ ...Programme, type: ['object', 'null'] }),
  floor_sensor_id: Nullable(SensorId),
  valves: Type.Array(ValveRef, { maxItems: 64 }),
}

/** A room as on /v1, and what belongs to the heating control. */
export const AppRoom = Type.Object({
  ...Room.properties,
  ...control,
  building_id: Uuid('Where it is.', '019bb0f4-6e00-7c3a-9d5e-2f1a6b7c8d9e'),
  aim: Nullable(
    Type.Number({
      description: 'Setpoint in Celsius: below the target at night and while away. Null before the first decision.',
    }),
  ),
  other_readings: Type.Array(Sensor, { description: 'The latest readings of its other sensors.' }),
  override: Nullable(RoomOverride),
  proposal: Nullable(AppProposal),
  schedule: Type.Object(setpointFields, { description: 'What the room is heated towards now and next, and why.' }),
  watched_since: Nullable(Timestamp('Since when the room is only watched.')),
  loops_held: Type.Unsafe<LoopsHeld | null>({
    type: ['string', 'null'],
    enum: [...LOOPS_HELD, null],
    description: 'A test, a search or the heat-up of a screed that holds its loops now.',
  }),
  cools: Type.Boolean({ description: 'Whether its power is coolness now.' }),
  warming_for: Nullable(Timestamp('The end of a night or of an absence for which the floor heats already.')),
})
export type AppRoom = Static<typeof AppRoom>

export const AppRoomPatch = Type.Object(
  { ...RoomPatch.properties, ...Type.Partial(Type.Object(control)).properties },
  closed,
)
export type AppRoomPatch = Static<typeof AppRoomPatch>

export const NewRoom = Type.Object(
  {
    name: Name('', 'Bathroom'),
    floor_type: FloorType,
    icon: Type.Optional(control.icon),
    sensor_id: SensorId,
    valves: control.valves,
  },
  closed,
)
export type NewRoom = Static<typeof NewRoom>

const awayFields = {
  until: Nullable(Timestamp('The return. Null: until the absence is ended.')),
  temperature: AwayC,
}
const awayRooms = Nullable(
  Type.Array(Uuid('A room.', '019bb0f4-6e01-7d21-8a44-5b0c9e1f2a3b'), { description: 'Null: the whole house.' }),
)

const AppAway = Type.Object({
  from: Timestamp('When it begins, or began.'),
  ...awayFields,
  room_ids: awayRooms,
})

export const NewAway = Type.Object(
  {
    from: Type.Optional(Timestamp('When it begins; now unless given.')),
    ...awayFields,
    room_ids: Type.Optional(awayRooms),
  },
  closed,
)
export type NewAway = Static<typeof NewAway>

/** One of the first four, and one of the last three. */
export const AppOverridePut = Type.Object(
  {
    target_temperature: Type.Optional(Type.Number({ minimum: MIN_TARGET_C, maximum: MAX_TARGET_C })),
    boost: Type.Optional(
      Type.Number({ minimum: 0.5, maximum: 10, description: 'Kelvin above the target of each room.', examples: [2] }),
    ),
    power: Type.Optional(Type.Number({ minimum: 0, maximum: 1, description: 'A fixed power.' })),
    hvac_mode: Type.Optional(OneOf(['off'], 'Off meanwhile.')),
    until: Type.Optional(Timestamp('At most a year ahead.')),
    hours: Type.Optional(OverrideHours),
    next_step: Type.Optional(
      Type.Unsafe<true>({ type: 'boolean', enum: [true], description: 'Until the setpoint would change anyway.' }),
    ),
  },
  closed,
)
export type AppOverridePut = Static<typeof AppOverridePut>

export const AllRoomsPut = Type.Object(
  {
    action: OneOf(
      ['lower', 'off', 'back'],
      'Lower every target by one degree, turn all rooms off, or heat all to their targets and end overrides.',
    ),
  },
  closed,
)
export type AllRoomsPut = Static<typeof AllRoomsPut>

export const PlanCopy = Type.Object(
  { room_ids: Type.Array(Uuid('A room of the building.', '019bb0f4-6e01-7d21-8a44-5b0c9e1f2a3b'), { maxItems: 200 }) },
  closed,
)
export type PlanCopy = Static<typeof PlanCopy>

export const Saving = Type.Boolean({
  description: 'Whether comfort is saving. true sets it; false sets balanced.',
})

/** What people group buildings by, such as "North" or "2026". */
export const Tags = Type.Array(Type.String({ pattern: NAME_PATTERN, maxLength: TAG_MAX_LENGTH, examples: ['North'] }), {
  maxItems: MAX_TAGS,
})

/** A test or a search of the loops while it runs: the rooms are not heated as usual. */
export const RunningLoops = Type.Object({
  kind: OneOf(
    LOOPS_HELD,
    'One loop for some minutes, the search for the room of each loop, or the heat-up of a new screed.',
  ),
  started_at: Timestamp('When it began.'),
  ends_by: Timestamp('When it ends at the latest.'),
  done: Type.Integer({ description: 'How many loops, or steps of a heat-up, are done.' }),
  all: Type.Integer({ description: 'Of how many.' }),
})
export type RunningLoops = Static<typeof RunningLoops>

export const AppBuilding = Type.Object({
  ...Building.properties,
  timezone: TimeZone,
  frost_protection: Type.Boolean(),
  comfort: Comfort,
  saving: Saving,
  tags: Tags,
  tariff: Nullable(Tariff),
  heat_source: Nullable(HeatSource),
  cooling: Nullable(CoolingSettings),
  season: OneOf(['heating', 'cooling'], 'What the building does now.'),
  hot_water: BuildingHotWater,
  covers: Type.Array(Type.String(), {
    description: 'The covers that its gateways have reported; none for those who may not choose them.',
  }),
  can_cool: Type.Boolean({ description: 'Whether a gateway has reported that its source can cool.' }),
  away: Nullable(AppAway),
  power_limit: Nullable(BuildingPowerLimit),
  presence: Nullable(Presence),
  gateways: Type.Integer({ description: 'How many gateways it has.' }),
  loop_run: Nullable(RunningLoops),
  role: OneOf(ROLES, 'What the reader is in this building.'),
  role_until: Nullable(Timestamp('When the role ends by itself; null: never.')),
  rooms: Type.Array(AppRoom),
})
export type AppBuilding = Static<typeof AppBuilding>

export const NewBuilding = Type.Object(
  { name: Name('', 'Lakeside 12'), location: Type.Object(Location.properties, closed), timezone: TimeZone },
  closed,
)
export type NewBuilding = Static<typeof NewBuilding>

export const BuildingPatch = Type.Object(
  {
    ...Type.Partial(NewBuilding).properties,
    frost_protection: Type.Optional(Type.Boolean()),
    comfort: Type.Optional(Comfort),
    saving: Type.Optional(Saving),
    tags: Type.Optional(Tags),
    room_order: Type.Optional(
      Nullable(
        Type.Array(Uuid('A room.', '019bb0f4-6e01-7d21-8a44-5b0c9e1f2a3b'), {
          maxItems: 200,
          description: 'In which order pages show the rooms; null: as in the house file.',
        }),
      ),
    ),
    tariff: Type.Optional(Nullable(Tariff)),
    heat_source: Type.Optional(Nullable(HeatSource)),
    cooling: Type.Optional(Nullable(CoolingSettings)),
    hot_water: Type.Optional(Nullable(HotWaterSettings)),
    away: Type.Optional(Nullable(NewAway)),
    presence_rule: Type.Optional(Nullable(PresenceRule)),
  },
  closed,
)
export type BuildingPatch = Static<typeof BuildingPatch>

export const GatewayEntry = Type.Object({
  id: Type.String(),
  name: Type.String(),
  last_seen: Nullable(Timestamp('Its latest heartbeat.')),
  version: Nullable(Type.String()),
  channels: Nullable(Type.Integer()),
  is_paired: Type.Boolean(),
  other_agent: Nullable(Type.String({ description: 'The machine on which another agent of this gateway runs.' })),
  relays: Type.Array(
    Type.Object({
      channel: Type.Integer(),
      state: OneOf(['ok', 'silent', 'contradicts'], 'Whether it confirms its commands.'),
      auto_off: OneOf(
        ['proven', 'unproven', 'none'],
        'Whether it switches off by itself when no command comes any more.',
      ),
      held: Type.Unsafe<HeldOff | null>({
        type: ['string', 'null'],
        enum: [...HELD_OFF, null],
        description: 'Why it stays off whatever is commanded; null when it does not.',
      }),
    }),
    { description: 'As the gateway last reported; empty before it has.' },
  ),
})
export type GatewayEntry = Static<typeof GatewayEntry>

export const NewGateway = Type.Object({ name: Name('', 'cellar') }, closed)
export type NewGateway = Static<typeof NewGateway>

export const Pairing = Type.Object({
  gateway_id: Type.String(),
  code: Type.String(),
  expires_at: Timestamp('Until then it can be used, once.'),
  command: Type.String({ description: 'What to type on the gateway.' }),
  qr: Type.String({ description: 'Address and code as a picture, SVG.' }),
})
export type Pairing = Static<typeof Pairing>

export const ReportedSensor = Type.Object({
  id: Type.String(),
  reading: Nullable(Sensor),
  rooms: Type.Array(Type.String(), { description: 'Names of the rooms it measures.' }),
  humidity_rise: Nullable(
    Type.Number({
      description:
        'Percentage points above the lowest value of the last ten minutes; high after someone breathed on the sensor.',
    }),
  ),
})
export type ReportedSensor = Static<typeof ReportedSensor>

/** A window or door contact heard in a building. */
export const ReportedContact = Type.Object({
  id: Type.String(),
  state: OneOf(['open', 'closed'], 'As last reported.'),
  batt: Nullable(Type.Number({ description: 'Battery in percent.' })),
  timestamp: Timestamp('When it last reported.'),
  room_id: Nullable(Type.String({ description: 'The room whose heating it pauses while it is open.' })),
})
export type ReportedContact = Static<typeof ReportedContact>

export const ContactAssignment = Type.Object({ room_id: Nullable(Type.String()) }, closed)
export type ContactAssignment = Static<typeof ContactAssignment>

export const HouseFileUpload = Type.Object({ text: Type.String({ minLength: 1 }) }, closed)
export type HouseFileUpload = Static<typeof HouseFileUpload>

export const UploadedHouse = Type.Object({
  building: Type.Object({ id: Type.String(), name: Type.String() }),
  rooms: Type.Integer(),
  gateways: Type.Integer(),
})
export type UploadedHouse = Static<typeof UploadedHouse>
