import Type, { type Static } from 'typebox'
import { Nullable } from '../schema.ts'

/** The Matter bridge of a building. A code pairs the first controller; the others are let in by one that is. */
export const MatterStanding = Type.Object({
  command: Type.String({ description: 'What runs the bridge.' }),
  bridge: Nullable(
    Type.Object(
      {
        controllers: Type.Integer({ description: 'How many are paired.' }),
        pairing: Nullable(
          Type.Object({
            code: Type.String({ description: 'The digits to type.' }),
            qr: Type.String({ description: 'The same as a picture, SVG.' }),
          }),
        ),
      },
      { description: 'Null while none runs.' },
    ),
  ),
})
export type MatterStanding = Static<typeof MatterStanding>
