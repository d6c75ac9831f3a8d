import Type, { type Static } from 'typebox'
import { LANGUAGES } from '../facts/languages.ts'
import { EMAIL_MAX_LENGTH } from '../facts/limits.ts'
import { OneOf, Timestamp } from '../schema.ts'
import { NOTIFIED_KINDS } from './alert-kinds.ts'
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from './password.ts'

const closed = { additionalProperties: false }

export const Language = OneOf(LANGUAGES, 'In which the holder is written to.')
export type Language = Static<typeof Language>

export const NotificationChoice = Type.Object(
  {
    mail: Type.Boolean({ description: 'Whether alerts are sent by mail.' }),
    language: Language,
    muted: Type.Array(OneOf(NOTIFIED_KINDS, ''), {
      maxItems: NOTIFIED_KINDS.length,
      description: 'Kinds that send no notification.',
    }),
    monthly: Type.Optional(
      Type.Boolean({ description: 'Whether a mail about the heat of the month before is sent; true unless given.' }),
    ),
  },
  closed,
)
export type NotificationChoice = Static<typeof NotificationChoice>

const PushDevice = Type.Object({
  id: Type.String(),
  endpoint: Type.String({ description: 'By which the device knows itself.' }),
  user_agent: Type.String(),
  created: Timestamp('When it was added.'),
})

export const Notifications = Type.Object({
  ...NotificationChoice.properties,
  mail_possible: Type.Boolean({ description: 'Whether the service can send mail.' }),
  address: Type.String({ description: 'Where mail goes.' }),
  push_key: Type.String({ description: 'Public key by which push services know this service.' }),
  devices: Type.Array(PushDevice),
})
export type Notifications = Static<typeof Notifications>

/** What a browser hands out when it is asked for push messages; the keys are a point and a secret, in base64url. */
export const NewPushDevice = Type.Object(
  {
    endpoint: Type.String({ minLength: 9, maxLength: 1024, pattern: '^https://' }),
    p256dh: Type.String({ pattern: '^[A-Za-z0-9_-]{87}=?$' }),
    auth: Type.String({ pattern: '^[A-Za-z0-9_-]{22}(==)?$' }),
    language: Language,
  },
  closed,
)
export type NewPushDevice = Static<typeof NewPushDevice>

export const TestResult = Type.Object({
  mail: OneOf(['sent', 'failed', 'off'], 'What became of a message by mail.'),
  push: OneOf(['sent', 'failed', 'off'], 'What became of the messages to devices.'),
})
export type TestResult = Static<typeof TestResult>

export const ForgottenPassword = Type.Object(
  { email: Type.String({ minLength: 3, maxLength: EMAIL_MAX_LENGTH }), language: Language },
  closed,
)
export type ForgottenPassword = Static<typeof ForgottenPassword>

export const NewPassword = Type.Object(
  {
    token: Type.String({ minLength: 1, maxLength: 128, description: 'From the link in the mail.' }),
    password: Type.String({ minLength: MIN_PASSWORD_LENGTH, maxLength: MAX_PASSWORD_LENGTH }),
    revoke_keys: Type.Optional(Type.Boolean({ description: 'Whether the API keys of the account end too.' })),
  },
  closed,
)
export type NewPassword = Static<typeof NewPassword>
