import Type, { type Static } from 'typebox'
import { Key, Permission } from '../key.ts'
import { Name } from '../names.ts'
import { Nullable, Timestamp, Uuid } from '../schema.ts'

const BuildingIds = Type.Array(Uuid('A building.', '019bb0f4-6e00-7c3a-9d5e-2f1a6b7c8d9e'), {
  maxItems: 100,
  description: 'The only buildings it reaches; null: all of its holder, also later ones.',
})

export const KeyEntry = Type.Object({
  ...Key.properties,
  hint: Type.String({ description: 'Prefix and last four characters.' }),
  created: Timestamp('When it was created.'),
  last_used: Nullable(Timestamp('To a few minutes.')),
  building_ids: Nullable(BuildingIds),
  control: Type.Boolean({ description: 'Whether it also opens the settings of the heating control, `/control/v1`.' }),
  revoked: Nullable(Timestamp('Since then it opens nothing.')),
})
export type KeyEntry = Static<typeof KeyEntry>

export const NewKey = Type.Object(
  {
    name: Name('', 'Home Assistant'),
    permission: Permission,
    expires_at: Nullable(Timestamp('Null: never.')),
    building_ids: Type.Optional(Nullable(BuildingIds)),
    control: Type.Optional(Type.Boolean({ description: 'Also the settings of the heating control; no unless given.' })),
  },
  { additionalProperties: false },
)
export type NewKey = Static<typeof NewKey>

export const CreatedKey = Type.Object({ ...KeyEntry.properties, value: Type.String({ description: 'Shown once.' }) })
export type CreatedKey = Static<typeof CreatedKey>
