import Type, { type Static } from 'typebox'
import { NEEDS } from '../facts/need.ts'
import { ROLES } from '../facts/roles.ts'
import { Nullable, OneOf, Timestamp } from '../schema.ts'
import { ALERT_KINDS } from './alert-kinds.ts'
import { Tags } from './house.ts'

/** A building as one line of a long list. Nothing in it changes with every reading: most refreshes find it unchanged. */
export const OverviewEntry = Type.Object({
  id: Type.String(),
  name: Type.String(),
  role: OneOf(ROLES, 'What the reader is in this building.'),
  timezone: Type.String(),
  tags: Tags,
  need: OneOf(NEEDS, 'What it needs: lists begin with the first of these.'),
  urgent: Type.Array(OneOf(ALERT_KINDS, 'Of an alert that needs a person now.')),
  reminders: Type.Integer({ description: 'How many alerts can wait.' }),
  coldest: Nullable(
    Type.Object({
      room: Type.String({ description: 'Its name.' }),
      temperature: Type.Integer({ description: 'In whole degrees.' }),
    }),
  ),
  outdoor: Nullable(Type.Integer({ description: 'Temperature outdoors, in whole degrees.' })),
  silent_since: Nullable(Timestamp('The last heartbeat of a building that is unavailable.')),
})
export type OverviewEntry = Static<typeof OverviewEntry>
