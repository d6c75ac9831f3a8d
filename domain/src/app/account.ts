import Type, { type Static } from 'typebox'
import { EMAIL_MAX_LENGTH } from '../facts/limits.ts'
import { Name } from '../names.ts'
import { Nullable, OneOf, Timestamp } from '../schema.ts'
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from './password.ts'

const closed = { additionalProperties: false }
const Email = Type.String({ minLength: 3, maxLength: EMAIL_MAX_LENGTH, description: 'E-mail address.' })
const Password = Type.String({ minLength: 1, maxLength: MAX_PASSWORD_LENGTH })
const Code = Type.String({ minLength: 1, maxLength: 64, description: 'From the authenticator app, or a backup code.' })

export const SignIn = Type.Object({ email: Email, password: Password }, closed)
export type SignIn = Static<typeof SignIn>

export const NewAccount = Type.Object(
  {
    ...SignIn.properties,
    invitation: Type.Optional(
      Type.String({
        maxLength: 100,
        description:
          'The secret of an invitation, which is accepted with the account. Opens sign-up where it is closed.',
      }),
    ),
  },
  closed,
)
export type NewAccount = Static<typeof NewAccount>

export const SecondFactor = Type.Object({ code: Code }, closed)
export type SecondFactor = Static<typeof SecondFactor>

export const SignInResult = Type.Object({
  next: OneOf(['signed_in', 'second_factor'], 'Whether a code is still asked for.'),
})
export type SignInResult = Static<typeof SignInResult>

/** What a person is called; the e-mail address until the person has chosen a name. */
export const PersonName = Type.String({ description: 'What the person is called.' })

export const NameChange = Type.Object({ name: Name('What the others call the person.', 'Ada') }, closed)
export type NameChange = Static<typeof NameChange>

const AppAccount = Type.Object({
  id: Type.String(),
  email: Type.String(),
  name: PersonName,
  two_factor: Type.Boolean({ description: 'Whether a code of an authenticator app is asked for at sign-in.' }),
})

export const SessionState = Type.Object({
  account: Nullable(AppAccount),
  sign_up: OneOf(
    ['owner', 'open', 'closed'],
    '`owner`: nobody has an account yet, and the first one is to be created.',
  ),
  reset_by_mail: Type.Boolean({ description: 'Whether a forgotten password can be reset by mail.' }),
  version: Type.String(),
  moved_to: Nullable(
    Type.String({
      description: 'The server that now has a building of which the signed-in person was a member here; the last one.',
      examples: ['https://cell-2.example.org'],
    }),
  ),
})
export type SessionState = Static<typeof SessionState>

export const SessionEntry = Type.Object({
  id: Type.String(),
  is_current: Type.Boolean(),
  user_agent: Nullable(Type.String()),
  address: Nullable(Type.String()),
  signed_in: Timestamp('When it began.'),
  last_used: Timestamp('To a day.'),
})
export type SessionEntry = Static<typeof SessionEntry>

export const PasswordChange = Type.Object(
  {
    current: Password,
    next: Type.String({ minLength: MIN_PASSWORD_LENGTH, maxLength: MAX_PASSWORD_LENGTH }),
  },
  closed,
)
export type PasswordChange = Static<typeof PasswordChange>

export const AccountRemoval = Type.Object({
  removed: Type.Array(Type.String(), { description: 'Names of the buildings that have no other owner.' }),
  left: Type.Array(Type.String(), { description: 'Names of the buildings that go on with their other owners.' }),
})
export type AccountRemoval = Static<typeof AccountRemoval>

export const PasswordProof = Type.Object({ password: Password }, closed)
export type PasswordProof = Static<typeof PasswordProof>

export const TotpSetUp = Type.Object({
  uri: Type.String({ description: 'For an authenticator app.' }),
  qr: Type.String({ description: 'The same as a picture, SVG.' }),
  backup_codes: Type.Array(Type.String()),
})
export type TotpSetUp = Static<typeof TotpSetUp>

export const PasskeyEntry = Type.Object({
  id: Type.String(),
  name: Nullable(Type.String()),
  created: Nullable(Timestamp('When it was added.')),
})
export type PasskeyEntry = Static<typeof PasskeyEntry>

/** What the browser's WebAuthn speaks; its form is the W3C's, and the library checks it. */
export const PasskeyAnswer = Type.Object(
  {
    response: Type.Object({}, { additionalProperties: true }),
    name: Type.Optional(Name('What its holder calls it.', 'Phone')),
  },
  closed,
)
export type PasskeyAnswer = { response: Record<string, unknown>; name?: string }
