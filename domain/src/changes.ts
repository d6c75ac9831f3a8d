import Type, { type Static } from 'typebox'
import { Building } from './building.ts'
import { Room } from './room.ts'

const exampleOf = (schema: object) => (schema as { examples: string[] }).examples[0]

/** What has changed, on `/v1`. */
export const Changes = Type.Object(
  {
    cursor: Type.String({ description: 'For the next request.', examples: ['x7Yq2LkP0aZr'] }),
    buildings: Type.Array(
      Type.Object({
        id: Building.properties.id,
        rooms: Type.Array(Room.properties.id, { description: 'Empty where only the building itself has changed.' }),
      }),
      { description: 'Empty when nothing has changed.' },
    ),
  },
  {
    description: 'What has changed.',
    examples: [
      {
        cursor: 'x7Yq2LkP0aZr',
        buildings: [{ id: exampleOf(Building.properties.id), rooms: [exampleOf(Room.properties.id)] }],
      },
    ],
  },
)
export type Changes = Static<typeof Changes>
