import Type, { type Static } from 'typebox'
import { LANGUAGES } from '../facts/languages.ts'
import { EMAIL_MAX_LENGTH } from '../facts/limits.ts'
import { ROLES } from '../facts/roles.ts'
import { Nullable, OneOf, Timestamp, Uuid } from '../schema.ts'
import { PersonName } from './account.ts'

const closed = { additionalProperties: false }
const RoleField = OneOf(ROLES, 'What the person is in the building.', 'resident')
const RoomIds = Type.Array(Uuid('A room of the building.', '019bb0f4-6e01-7d21-8a44-5b0c9e1f2a3b'), { maxItems: 200 })
const Until = Nullable(Timestamp('When the role ends by itself; null: never.'))

/** A role with what belongs to it. */
export const RoleGrant = Type.Object(
  {
    role: RoleField,
    room_ids: Type.Optional(Nullable(RoomIds)),
    until: Type.Optional(Until),
  },
  closed,
)
export type RoleGrant = Static<typeof RoleGrant>

export const MemberEntry = Type.Object({
  id: Type.String({ description: 'Of the account.' }),
  email: Type.String(),
  name: PersonName,
  is_self: Type.Boolean(),
  role: RoleField,
  room_ids: Nullable(RoomIds),
  until: Until,
  since: Timestamp('When the person joined.'),
})
export type MemberEntry = Static<typeof MemberEntry>

/** What becomes of the person who hands a building over. */
const HandOver = Type.Object(
  {
    giver: OneOf(['leaves', 'installer'], 'Whether the person who hands over leaves or stays as installer.'),
    until: Type.Optional(Timestamp('When the role as installer ends; after 30 days unless given.')),
  },
  closed,
)

export const NewInvitation = Type.Object(
  {
    ...RoleGrant.properties,
    email: Type.Optional(
      Type.String({
        minLength: 3,
        maxLength: EMAIL_MAX_LENGTH,
        description: 'Only an account with this address can accept it. Left out, anyone who has the link.',
      }),
    ),
    language: Type.Optional(OneOf(LANGUAGES, 'Of the mail.')),
    hand_over: Type.Optional(HandOver),
  },
  closed,
)
export type NewInvitation = Static<typeof NewInvitation>

const invitation = {
  role: RoleField,
  until: Until,
  email: Nullable(Type.String({ description: 'Bound to this address.' })),
  expires_at: Timestamp('Until then it can be accepted, once.'),
  hand_over: Nullable(HandOver),
}

export const InvitationEntry = Type.Object({
  id: Type.String(),
  ...invitation,
  room_ids: Nullable(RoomIds),
  claimed_by: Nullable(
    Type.String({
      description:
        'E-mail address of a new account that has the link and says it has the address. An owner must confirm it.',
    }),
  ),
})
export type InvitationEntry = Static<typeof InvitationEntry>

export const CreatedInvitation = Type.Object({
  ...InvitationEntry.properties,
  link: Nullable(
    Type.String({
      description: 'Shown once; the part behind # is the secret. Null where it was sent by mail, and is nowhere else.',
    }),
  ),
  qr: Nullable(Type.String({ description: 'The link as a picture, SVG.' })),
  is_mailed: Type.Boolean({ description: 'Whether it was sent to the address.' }),
})
export type CreatedInvitation = Static<typeof CreatedInvitation>

export const InvitationSecret = Type.Object({ secret: Type.String({ minLength: 1, maxLength: 100 }) }, closed)
export type InvitationSecret = Static<typeof InvitationSecret>

/** What a person sees before accepting. */
export const InvitationLook = Type.Object({
  ...invitation,
  email: Nullable(Type.String({ description: 'Bound to this address, of which only the beginning is shown.' })),
  building: Type.String({ description: 'Its name.' }),
  timezone: Type.String({ description: 'Of the building.' }),
  rooms: Type.Array(Type.String(), { description: 'Names of the rooms of a guest.' }),
  invited_by: Type.String({ description: 'E-mail address.' }),
})
export type InvitationLook = Static<typeof InvitationLook>

export const AcceptedInvitation = Type.Object({ building_id: Type.String() })
export type AcceptedInvitation = Static<typeof AcceptedInvitation>
