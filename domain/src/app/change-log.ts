import Type, { type Static } from 'typebox'
import type { Role } from '../facts/roles.ts'
import { Nullable, OneOf, Timestamp } from '../schema.ts'

/** Who or what makes changes. */
const ACTOR_KINDS = [
  'person',
  'key',
  'command',
  'gateway',
  'home_assistant',
  'matter',
  'rule',
  'control',
  'operator',
] as const
export const ActorKind = OneOf(ACTOR_KINDS, 'Who or what made the change.')
export type ActorKind = Static<typeof ActorKind>

/** What the change log is about, as the reader may filter it. */
const CHANGE_TOPICS = ['rooms', 'building', 'set_up', 'access'] as const
export const ChangeTopic = OneOf(CHANGE_TOPICS, 'What kind of change.')
export type ChangeTopic = Static<typeof ChangeTopic>

const Value = (description: string) => Type.Unsafe<unknown>({ description })

export const ChangeEntry = Type.Object({
  sequence: Type.Integer({ description: 'Rises within a building.' }),
  at: Timestamp('When.'),
  actor: Type.Object({
    kind: ActorKind,
    name: Type.String({
      description:
        'E-mail address of a person; name of a key, gateway or rule; else empty, also where the account was removed.',
    }),
    role: Type.Unsafe<Role | null>({
      type: ['string', 'null'],
      description: 'Of the person, or of the holder of the key, at that time.',
    }),
    holder: Nullable(Type.String({ description: 'E-mail address of the holder of a key.' })),
  }),
  room_id: Nullable(Type.String()),
  subject: Type.String({
    description:
      'Name of what was changed, at that time. Empty for an invitation for anyone, and for an account that was removed.',
  }),
  field: Type.String({ examples: ['target_temperature'] }),
  before: Value('The value before; null where there was nothing.'),
  after: Value('The value afterwards; null where there is nothing.'),
  can_undo: Type.Boolean({ description: 'The setting has not been changed since, and the reader may change it.' }),
})
export type ChangeEntry = Static<typeof ChangeEntry>

export const ChangePage = Type.Object({
  changes: Type.Array(ChangeEntry, { description: 'The latest first.' }),
  next: Nullable(Type.Integer({ description: '`before` of the next page; null on the last.' })),
})
export type ChangePage = Static<typeof ChangePage>

/** Changes that were made together. */
export const ChangeSet = Type.Object(
  { changes: Type.Array(Type.Integer(), { maxItems: 1000, description: 'The `sequence` of each.' }) },
  { additionalProperties: false },
)
export type ChangeSet = Static<typeof ChangeSet>

export const ChangeQuery = Type.Object(
  {
    room: Type.Optional(Type.String({ description: 'Only of this room.' })),
    by: Type.Optional(
      OneOf(['people', 'keys', 'itself'], 'People, API keys and other programs, or the service itself.'),
    ),
    topic: Type.Optional(ChangeTopic),
    before: Type.Optional(Type.String({ pattern: '^\\d{1,15}$', description: '`next` of the page before.' })),
  },
  { additionalProperties: false },
)
export type ChangeQuery = Static<typeof ChangeQuery>
