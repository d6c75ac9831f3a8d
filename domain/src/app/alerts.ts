import Type, { type Static } from 'typebox'
import { AiringOrNull } from '../air.ts'
import { LikelyCauseOrNull } from '../diagnosis.ts'
import { Nullable, OneOf, Renamed, Timestamp } from '../schema.ts'
import { ALERT_KINDS } from './alert-kinds.ts'

export const Alert = Type.Object(
  {
    kind: OneOf(ALERT_KINDS, 'What needs a person.'),
    building_id: Type.String(),
    building: Type.String(),
    room_id: Nullable(Type.String()),
    room: Nullable(Type.String()),
    room_names: Nullable(
      Type.Array(Type.String(), { description: 'The names of both rooms, of an alert about two; else null.' }),
    ),
    rooms: Type.Optional(Renamed(Type.Array(Type.String()), 'room_names')),
    began_at: Nullable(Timestamp('Since when it holds, where that is known.')),
    since: Renamed(Nullable(Timestamp('')), 'began_at'),
    value: Nullable(
      Type.Number({
        description:
          'Battery in percent, the room in Celsius, by how many kelvins rooms are too cold, or damp hours a day.',
      }),
    ),
    airing: AiringOrNull,
    diagnosis: LikelyCauseOrNull,
  },
  {
    description: 'Something that needs a person.',
    examples: [
      {
        kind: 'battery_low',
        building_id: '019bb0f4-6e00-7c3a-9d5e-2f1a6b7c8d9e',
        building: 'Lakeside 12',
        room_id: '019bb0f4-6e01-7d21-8a44-5b0c9e1f2a3b',
        room: 'Bathroom',
        room_names: null,
        began_at: '2026-01-10T08:15:03.000Z',
        since: '2026-01-10T08:15:03.000Z',
        value: 9,
        airing: null,
        diagnosis: null,
      },
    ],
  },
)
export type Alert = Static<typeof Alert>

/** As it is judged and stored. */
export type AlertFacts = Omit<Alert, 'began_at' | 'room_names' | 'airing' | 'diagnosis'> &
  Partial<Pick<Alert, 'airing' | 'diagnosis'>>

/** As the website shows it. */
export const AppAlert = Type.Object({
  ...Alert.properties,
  id: Nullable(Type.String({ description: 'Null for what is shown only while it lasts, and cannot be snoozed.' })),
  snoozed_until: Nullable(Timestamp('Until then it is not counted among what needs attention.')),
})
export type AppAlert = Static<typeof AppAlert>

export const PastAlert = Type.Object({
  ...Alert.properties,
  id: Type.String(),
  began_at: Timestamp('When it began.'),
  ended: Timestamp('When it was over.'),
})
export type PastAlert = Static<typeof PastAlert>

export const Snooze = Type.Object(
  { until: Nullable(Timestamp('Null ends the snooze.')) },
  { additionalProperties: false },
)
export type Snooze = Static<typeof Snooze>
