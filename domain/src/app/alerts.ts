import Type, { type Static } from 'typebox'
import { Nullable, OneOf, Timestamp } from '../schema.ts'
import { ALERT_KINDS } from './alert-kinds.ts'

export const Alert = Type.Object({
  kind: OneOf(ALERT_KINDS, 'What needs a person.'),
  building_id: Type.String(),
  building: Type.String(),
  room_id: Nullable(Type.String()),
  room: Nullable(Type.String()),
  since: Nullable(Timestamp('Since when, where that is known.')),
  value: Nullable(Type.Number({ description: 'Battery in percent, or the room in Celsius.' })),
})
export type Alert = Static<typeof Alert>
