import Type, { type Static } from 'typebox'
import { Key, Permission } from '../key.ts'
import { Name } from '../names.ts'
import { Nullable, Timestamp } from '../schema.ts'

export const KeyEntry = Type.Object({
  ...Key.properties,
  hint: Type.String({ description: 'Prefix and last four characters.' }),
  created: Timestamp('When it was created.'),
  last_used: Nullable(Timestamp('To a few minutes.')),
  revoked: Nullable(Timestamp('Since then it opens nothing.')),
})
export type KeyEntry = Static<typeof KeyEntry>

export const NewKey = Type.Object(
  { name: Name('', 'Home Assistant'), permission: Permission, expires_at: Nullable(Timestamp('Null: never.')) },
  { additionalProperties: false },
)
export type NewKey = Static<typeof NewKey>

export const CreatedKey = Type.Object({ ...KeyEntry.properties, value: Type.String({ description: 'Shown once.' }) })
export type CreatedKey = Static<typeof CreatedKey>
