import Type, { type Static } from 'typebox'
import { CAUSES, CHECKS, CHECKS_OF } from './facts/diagnosis.ts'
import { Nullable, OneOf, Timestamp, Uuid } from './schema.ts'

const Probability = Type.Number({
  minimum: 0,
  maximum: 1,
  description: 'How probable it is, in houses like the simulated ones that the diagnosis was tried on.',
  examples: [0.82],
})

export const LikelyCause = Type.Object({
  cause: OneOf(CAUSES, 'What is probably wrong.'),
  probability: Probability,
})
export type LikelyCause = Static<typeof LikelyCause>

export const LikelyCauseOrNull = Type.Unsafe<LikelyCause | null>({
  ...LikelyCause,
  type: ['object', 'null'],
  description: 'What is probably behind an alert that leaves it open; null where that is not known.',
})

const DiagnosedCause = Type.Object({
  ...LikelyCause.properties,
  began_at: Timestamp('About since when, by the day; never longer ago than the days that are looked at.'),
  other_room_id: Nullable(
    Uuid('Of swapped sensors, the other room; null for any other cause.', '019bb0f4-6e01-7d21-8a44-5b0c9e1f2a3c'),
  ),
  checks: Type.Array(OneOf(CHECKS, 'What to check.'), {
    description: 'What to check, the first thing first.',
    examples: [CHECKS_OF.little_flow],
  }),
})

const Temperatures = (description: string) =>
  Type.Array(Nullable(Type.Number()), { description, examples: [[21.2, 20.9, null]] })

/** What is probably wrong with the heating of a room, and what shows it. */
export const RoomDiagnosis = Type.Object(
  {
    examined_at: Timestamp('When the last days of the room were looked at; about once a day.'),
    causes: Type.Array(DiagnosedCause, {
      description: 'The most probable first; empty when nothing is probably wrong.',
    }),
    evidence: Type.Object(
      {
        from: Timestamp('Of the first value.'),
        step_s: Type.Integer({ description: 'Seconds from one value to the next.', examples: [7200] }),
        measured: Temperatures('What the sensor showed; null where nothing was heard.'),
        healthy: Temperatures('What it would have shown in a room without a fault.'),
        with_cause: Temperatures('What it would have shown with the first cause; empty where that is not computed.'),
      },
      { description: 'Celsius, columns of equal length; empty when nothing is probably wrong.' },
    ),
  },
  {
    description: 'What is probably wrong with the heating of a room, what shows it, and what to check first.',
    examples: [
      {
        examined_at: '2026-01-10T03:15:03.000Z',
        causes: [
          {
            cause: 'little_flow',
            probability: 0.82,
            began_at: '2026-01-06T03:15:03.000Z',
            other_room_id: null,
            checks: [...CHECKS_OF.little_flow],
          },
        ],
        evidence: {
          from: '2026-01-09T21:00:00.000Z',
          step_s: 7200,
          measured: [20.1, 19.8, null],
          healthy: [20.6, 20.7, 20.7],
          with_cause: [20.1, 19.8, 19.6],
        },
      },
    ],
  },
)
export type RoomDiagnosis = Static<typeof RoomDiagnosis>
