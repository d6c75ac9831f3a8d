import Type, { type Static } from 'typebox'
import { Name } from './names.ts'
import { Nullable, OneOf, Timestamp, Uuid } from './schema.ts'

export const PERMISSIONS = ['read', 'write'] as const

export const Permission = OneOf(PERMISSIONS, '`write` includes reading, and can switch the heating off.')
export type Permission = Static<typeof Permission>

export const Key = Type.Object(
  {
    id: Uuid('Names the key, for instance to revoke it.', '019bb0f4-6e02-7f10-b1c2-0a1b2c3d4e5f'),
    name: Name('What the holder called it.', 'Home Assistant'),
    permission: Permission,
    expires_at: Nullable(Timestamp('Null: it does not expire.', '2027-01-10T08:15:03.000Z')),
  },
  { description: 'The key in use; never its value.' },
)
export type Key = Static<typeof Key>
