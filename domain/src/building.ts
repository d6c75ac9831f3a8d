import Type, { type Static } from 'typebox'
import { SILENT_AFTER_S } from './facts/limits.ts'
import { Name } from './names.ts'
import { Nullable, Timestamp, Uuid } from './schema.ts'

export const Location = Type.Object({
  lat: Type.Number({ minimum: -90, maximum: 90, description: 'Degrees north.', examples: [59.91] }),
  lng: Type.Number({ minimum: -180, maximum: 180, description: 'Degrees east.', examples: [10.75] }),
})

export const Weather = Type.Object({
  updated: Timestamp('When the source made these values.'),
  temperature: Type.Number({ description: 'Celsius.', examples: [-3.4] }),
  cloud_coverage: Type.Number({ description: 'Percent, 0 to 100.', examples: [75] }),
  wind: Type.Object({
    direction: Type.Number({ description: 'Degrees the wind blows from, 0 is north.', examples: [225] }),
    speed: Type.Number({ description: 'Metres a second.', examples: [3.2] }),
  }),
})
export type Weather = Static<typeof Weather>

export const Building = Type.Object(
  {
    id: Uuid('`{buildingId}` in paths.', '019bb0f4-6e00-7c3a-9d5e-2f1a6b7c8d9e'),
    name: Name('The holder’s name for it.', 'Lakeside 12'),
    location: Location,
    available: Nullable(
      Type.Boolean({
        description: `True: a gateway has reported within the last ${SILENT_AFTER_S / 60} minutes. False: silent for longer. Null: no gateway has ever reported, there is nothing to connect to. The operator may choose another time.`,
        examples: [true],
      }),
    ),
    last_seen: Nullable(
      Timestamp('The latest heartbeat of any gateway of the building. Null when none ever reported.'),
    ),
    weather: Nullable({ ...Weather, description: 'The weather there. Null until it has been fetched.' }),
  },
  { description: 'A building of the key’s holder.' },
)
export type Building = Static<typeof Building>
