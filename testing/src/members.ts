import type { Permission, Role } from '@hypocaust/domain'
import type { Clock } from '../../service/src/base/clock.ts'
import { createKey } from '../../service/src/people/keys/keys.ts'
import type { Store } from '../../service/src/store/store.ts'
import { addAccount } from './houses.ts'

interface NewMember {
  buildingId: string
  email: string
  role: Role
  /** Of a guest. */
  roomIds?: string[]
  endsAt?: number | null
}

export interface SettledMember {
  accountId: string
  email: string
  readKey: string
  writeKey: string
}

/** A person with an account, keys, and a role in a building. */
export async function settleMember(store: Store, clock: Clock, member: NewMember): Promise<SettledMember> {
  const { buildingId, email, role, endsAt = null } = member
  const accountId = await addAccount(store, email)
  const rooms = role === 'guest' ? JSON.stringify(member.roomIds ?? []) : null
  const row = { buildingId, accountId, role, rooms, endsAt, createdAt: clock.now() }
  await store.db.insertInto('members').values(row).execute()
  const keyFor = async (permission: Permission) =>
    (await createKey(store, clock, { accountId, name: `${permission} key`, permission, expiresAt: null })).value
  return { accountId, email, readKey: await keyFor('read'), writeKey: await keyFor('write') }
}
