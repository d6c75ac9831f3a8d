import Type, { type Static } from 'typebox'
import { SUPPLY_DRIVERS } from '../supply/drivers.ts'
import { closed, OwnChannels, Text, Topic } from './relay-schema.ts'

const Water = Type.Number({ minimum: 15, maximum: 55 })

/** A number that a known sensor or a topic reports. */
export const valueFields = {
  sensor: Type.Optional(Text),
  topic: Type.Optional(Topic),
  path: Type.Optional(Text),
}

const Outdoor = Type.Number({ minimum: -40, maximum: 30 })
const Point = Type.Object({ outdoor_c: Outdoor, supply_c: Water }, closed)

/** How the heat source is asked for water of a temperature, and for which when the service is silent. */
export const FileSupply = Type.Object(
  {
    driver: Type.Enum([...SUPPLY_DRIVERS]),
    topic: Topic,
    payload: Type.Optional(Text),
    min_c: Type.Optional(Water),
    max_c: Water,
    fallback_c: Water,
    channels: Type.Optional(OwnChannels),
    fallback_curve: Type.Optional(
      Type.Object({ outdoor: Type.Object(valueFields, closed), cold: Point, mild: Point }, closed),
    ),
  },
  closed,
)
export type FileSupply = Static<typeof FileSupply>
