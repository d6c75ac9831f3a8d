import Type, { type Static } from 'typebox'
import { LOOP_FIGURES } from '../facts/loops.ts'
import { Nullable, OneOf, Timestamp } from '../schema.ts'
import { ValveRef } from './house.ts'

const closed = { additionalProperties: false }
const RoomId = Nullable(Type.String({ description: 'A room of the building.' }))
const Certainty = Type.Number({ minimum: 0, maximum: 1, description: 'How sure the search is, from 0 to 1.' })

export const LoopTest = Type.Object(
  {
    ...ValveRef.properties,
    minutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 60, description: 'Five unless given.' })),
  },
  closed,
)
export type LoopTest = Static<typeof LoopTest>

export const LoopConfirmation = Type.Object(
  {
    loops: Type.Array(Type.Object({ ...ValveRef.properties, room_id: RoomId }, closed), {
      maxItems: 512,
      description: 'Null: the loop warms none of the rooms.',
    }),
  },
  closed,
)
export type LoopConfirmation = Static<typeof LoopConfirmation>

const figure = (limits: { minimum: number; maximum: number }, description: string) =>
  Nullable(Type.Number({ ...limits, description }))
/** What was built in, as a person has entered it; null where nobody has. */
const details = {
  length_m: figure(LOOP_FIGURES.length_m, 'Length of the pipe, in m.'),
  spacing_mm: figure(LOOP_FIGURES.spacing_mm, 'Spacing of the pipes, in mm.'),
  covering: Nullable(Type.String({ minLength: 1, maxLength: 100, description: 'Of the floor, in words.' })),
  design_flow_l_min: figure(LOOP_FIGURES.design_flow_l_min, 'Flow of the design, in litres a minute.'),
}
export const LoopDetails = Type.Object({ ...ValveRef.properties, ...details }, closed)
export type LoopDetails = Static<typeof LoopDetails>

const Trial = Type.Object({
  ...ValveRef.properties,
  opened_at: Nullable(Timestamp('Null while it waits for its turn.')),
  closed_at: Nullable(Timestamp('Null before its turn is over.')),
  power: Type.Number({ description: 'Open share of each window, so that no floor exceeds its limit.' }),
  finding: Type.Unsafe<{ room_id: string | null; certainty: number } | null>({
    ...Type.Object({ room_id: RoomId, certainty: Certainty }, { description: 'The room it warms, or null for none.' }),
    type: ['object', 'null'],
  }),
})

const Ended = Type.Object({
  at: Timestamp('When it ended.'),
  because: OneOf(
    ['finished', 'stopped', 'cold', 'hot', 'floor_limit'],
    'Why: done, stopped by a person, or a room or floor at its limit.',
  ),
})

const LoopRun = Type.Object({
  kind: OneOf(['test', 'find'], 'One loop for some minutes, or the search for the room of each loop.'),
  started_at: Timestamp('When it began.'),
  ends_at: Nullable(Timestamp('When a test ends by itself.')),
  ended: Type.Unsafe<Static<typeof Ended> | null>({ ...Ended, type: ['object', 'null'] }),
  trials: Type.Array(Trial),
  rises: Type.Array(Type.Object({ room_id: Type.String(), kelvin: Type.Number() }), {
    description: 'How much warmer each room is than when the open loop was opened.',
  }),
})
export type LoopRun = Static<typeof LoopRun>

const Tested = Type.Object({
  at: Timestamp('When the room of the loop was confirmed.'),
  certainty: Nullable(Certainty),
})

/** All loops of a building. */
export const AppLoops = Type.Object({
  loops: Type.Array(
    Type.Object({
      ...ValveRef.properties,
      room_id: RoomId,
      tested: Type.Unsafe<Static<typeof Tested> | null>({ ...Tested, type: ['object', 'null'] }),
      ...details,
    }),
  ),
  run: Type.Unsafe<LoopRun | null>({ ...LoopRun, type: ['object', 'null'] }),
})
export type AppLoops = Static<typeof AppLoops>
