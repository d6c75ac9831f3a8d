import Type, { type Static } from 'typebox'
import { Timestamp } from '../schema.ts'

/** An address at which the programme of a room can be read as a calendar. */
export const ProgrammeLink = Type.Object({
  id: Type.String(),
  created: Timestamp('When it was made.'),
})
export type ProgrammeLink = Static<typeof ProgrammeLink>

export const CreatedProgrammeLink = Type.Object({
  ...ProgrammeLink.properties,
  url: Type.String({ description: 'For the calendar that subscribes to it. Shown once.' }),
})
export type CreatedProgrammeLink = Static<typeof CreatedProgrammeLink>
