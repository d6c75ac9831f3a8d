import Type, { type Static } from 'typebox'
import { CoverName } from './covers.ts'
import { BLINDS_ABOVE_C, COVER_POSITION, MOST_COVERS_OF_ROOM, SIDES, USUAL_COVER_POSITION } from './facts/blinds.ts'
import { OneOf, Timestamp } from './schema.ts'

const Sides = (description: string) =>
  Type.Array(OneOf(SIDES, 'Where the windows look.'), {
    minItems: 1,
    maxItems: SIDES.length,
    uniqueItems: true,
    description,
    examples: [['south', 'west']],
  })

/** The blinds of a room, and when they are worth closing. */
export const Blinds = Type.Object(
  {
    sides: Sides('The sides on which windows have blinds outside.'),
    above: Type.Number({
      ...BLINDS_ABOVE_C,
      description: 'Celsius: the blinds are to be closed where the sun would make the room warmer than this.',
      examples: [25],
    }),
    covers: Type.Optional(
      Type.Array(CoverName, {
        maxItems: MOST_COVERS_OF_ROOM,
        uniqueItems: true,
        description: 'Covers that the gateway moves then, by their names in its file. Without any, nothing is moved.',
        examples: [['living-south']],
      }),
    ),
    position: Type.Optional(
      Type.Number({
        ...COVER_POSITION,
        description: `Percent to which they are moved, 100 is open; ${USUAL_COVER_POSITION} unless given.`,
        examples: [USUAL_COVER_POSITION],
      }),
    ),
  },
  { additionalProperties: false, description: 'Blinds outside the windows of a room.' },
)
export type Blinds = Static<typeof Blinds>

/** What the plan of a room says about them. */
export const BlindsAdvice = Type.Object(
  {
    sides: Sides('The blinds to close.'),
    close_at: Timestamp('Close them by then.', '2026-06-20T08:30:00.000Z'),
    open_at: Timestamp('From then on the sun no longer matters.', '2026-06-20T17:00:00.000Z'),
    expected: Type.Number({ description: 'Celsius: how warm the room becomes with them open.', examples: [27.4] }),
    expected_closed: Type.Number({ description: 'Celsius: how warm it becomes with them closed.', examples: [24.9] }),
  },
  { description: 'When to close blinds against the sun.' },
)
export type BlindsAdvice = Static<typeof BlindsAdvice>
