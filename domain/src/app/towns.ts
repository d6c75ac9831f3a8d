import Type, { type Static } from 'typebox'

const Degrees = (description: string) => Type.String({ pattern: '^-?\\d{1,3}(\\.\\d{1,10})?$', description })

export const Town = Type.Object({
  name: Type.String(),
  country: Type.String({ description: 'Two letters.', examples: ['NO'] }),
  lat: Type.Number(),
  lng: Type.Number(),
  timezone: Type.String(),
})
export type Town = Static<typeof Town>

/** By the beginning of a name, or the one nearest to a place. */
export const TownsQuery = Type.Object(
  {
    name: Type.Optional(Type.String({ minLength: 2, maxLength: 100, description: 'The beginning of a name.' })),
    lat: Type.Optional(Degrees('Latitude, together with lng.')),
    lng: Type.Optional(Degrees('Longitude.')),
  },
  { additionalProperties: false },
)
export type TownsQuery = Static<typeof TownsQuery>
