import { LIMIT_BASES, METER_KINDS, POWER_LIMIT_W } from '@hypocaust/domain'
import { COOLING_SUPPLY_C } from '@hypocaust/domain/facts'
import Type, { type Static } from 'typebox'
import { HOT_WATER_DRIVERS } from '../supply/hot-water-drivers.ts'
import { closed, OwnChannels, relay, Seconds, Text, Topic } from './relay-schema.ts'
import { FileSupply, valueFields } from './supply-schema.ts'

/** Pump, boiler, or one relay for both. */
export const FileSourceOutput = Type.Object(
  {
    ...relay,
    lead_s: Type.Optional(Seconds(0, 1800)),
    lag_s: Type.Optional(Seconds(0, 1800)),
    min_run_s: Type.Optional(Seconds(0, 7200)),
    min_off_s: Type.Optional(Seconds(0, 7200)),
    min_open_loops: Type.Optional(Type.Integer({ minimum: 1, maximum: 256 })),
    min_flow: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 10_000 })),
  },
  closed,
)
export type FileSourceOutput = Static<typeof FileSourceOutput>

/** One of several pumps, with the loops it moves water through. */
export const FilePump = Type.Object(
  {
    ...FileSourceOutput.properties,
    name: Type.Optional(Text),
    channels: OwnChannels,
  },
  closed,
)
export type FilePump = Static<typeof FilePump>

/** How long the valve of a channel takes. */
const FileActuator = Type.Object(
  { dead_s: Type.Optional(Seconds(0, 600)), stroke_s: Type.Optional(Seconds(0, 1800)) },
  closed,
)

/** A contact that is closed while `topic` says `on`: the source makes domestic hot water, a limiter has tripped. */
export const FileContact = Type.Object(
  {
    topic: Topic,
    path: Type.Optional(Text),
    on: Type.Optional(Type.Union([Text, Type.Number(), Type.Boolean()])),
  },
  closed,
)
export type FileContact = Static<typeof FileContact>

const FileContacts = Type.Union([FileContact, Type.Array(FileContact, { minItems: 1, maxItems: 16 })])

/** How the source is asked for a charge of the tank, or for its disinfection. */
const FileHotWaterOrder = Type.Object(
  {
    driver: Type.Enum([...HOT_WATER_DRIVERS]),
    topic: Topic,
    on: Type.Optional(Text),
    off: Type.Optional(Text),
  },
  closed,
)
export type FileHotWaterOrder = Static<typeof FileHotWaterOrder>

/** A tank that is measured, or that the source can be asked to heat. */
export const FileHotWater = Type.Object(
  {
    busy: Type.Optional(FileContacts),
    tank: Type.Optional(Type.Object(valueFields, closed)),
    charge: Type.Optional(FileHotWaterOrder),
    disinfect: Type.Optional(FileHotWaterOrder),
  },
  closed,
)
export type FileHotWater = Static<typeof FileHotWater>

/** The temperature of the water that flows to the loops, from a known sensor or from a topic of its own. */
export const FileFlowTemperature = Type.Object(
  {
    ...valueFields,
    max_c: Type.Number({ minimum: 25, maximum: 80 }),
  },
  closed,
)
export type FileFlowTemperature = Static<typeof FileFlowTemperature>

/** A counter of what the heat source takes or gives. `W` and `kW` are refused with a reason of their own. */
export const FileMeter = Type.Object(
  {
    kind: Type.Enum([...METER_KINDS]),
    topic: Topic,
    path: Type.Optional(Text),
    unit: Text,
  },
  closed,
)
export type FileMeter = Static<typeof FileMeter>

/** A source that can cool. */
export const FileCooling = Type.Object(
  {
    changeover: Type.Optional(Type.Object(relay, closed)),
    request: Type.Optional(Type.Enum(['boiler', 'none'])),
    reported: Type.Optional(FileContact),
    dew_contact: Type.Optional(FileContacts),
    min_supply_c: Type.Optional(Type.Number(COOLING_SUPPLY_C)),
  },
  closed,
)
export type FileCooling = Static<typeof FileCooling>

export const sourceFields = {
  pump: Type.Optional(FileSourceOutput),
  pumps: Type.Optional(Type.Array(FilePump, { minItems: 1, maxItems: 32 })),
  boiler: Type.Optional(FileSourceOutput),
  demand: Type.Optional(FileSourceOutput),
  hot_water: Type.Optional(Type.Union([...FileContacts.anyOf, FileHotWater])),
  flow_temperature: Type.Optional(FileFlowTemperature),
  flow_limiter: Type.Optional(FileContacts),
  supply_temperature: Type.Optional(Type.Union([FileSupply, Type.Array(FileSupply, { minItems: 1, maxItems: 16 })])),
  cooling: Type.Optional(FileCooling),
  sg_ready: Type.Optional(Type.Object({ contact_1: FileContact, contact_2: FileContact }, closed)),
  sg_ready_output: Type.Optional(
    Type.Object({ contact_1: Type.Object(relay, closed), contact_2: Type.Object(relay, closed) }, closed),
  ),
  surplus: Type.Optional(Type.Object({ topic: Topic, path: Type.Optional(Text) }, closed)),
  surplus_forecast: Type.Optional(Type.Object({ topic: Topic, path: Type.Optional(Text) }, closed)),
  prices: Type.Optional(Type.Object({ topic: Topic, path: Type.Optional(Text) }, closed)),
  power_limit: Type.Optional(
    Type.Object(
      {
        ...FileContact.properties,
        limit_w: Type.Optional(Type.Integer(POWER_LIMIT_W)),
        basis: Type.Optional(Type.Enum([...LIMIT_BASES])),
      },
      closed,
    ),
  ),
  meters: Type.Optional(Type.Array(FileMeter, { maxItems: 16 })),
}

export const actuatorFields = {
  actuator: Type.Optional(FileActuator),
  area_m2: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1000 })),
}
