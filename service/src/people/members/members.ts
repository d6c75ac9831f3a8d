import { ENDS_AFTER_DAYS, hasChosenRooms, type MemberEntry, type RoleGrant, timestampOf } from '@hypocaust/domain'
import { DAY_MS } from '@hypocaust/domain/facts'
import { type Compilable, sql } from 'kysely'
import type { Clock } from '../../base/clock.ts'
import { errors } from '../../base/errors.ts'
import { recordFound } from '../../house/change-log/record.ts'
import { isActive } from '../../house/membership.ts'
import { raiseRevision } from '../../house/revisions.ts'
import type { Limit } from '../../store/batch.ts'
import { isStoreError, type Store, type StoreError, type WriteResult } from '../../store/store.ts'
import type { Grant, MemberScope } from './grant.ts'
import { roleChange } from './record-role.ts'

/** The members of a building at the moment, as `readerId` sees them. */
export async function membersOf(
  { db }: Store,
  buildingId: string,
  readerId: string,
  nowMs: number,
): Promise<MemberEntry[]> {
  const rows = await db
    .selectFrom('members')
    .innerJoin('user', 'user.id', 'members.accountId')
    .select(['members.accountId', 'user.email', 'user.name', 'role', 'rooms', 'endsAt', 'members.createdAt'])
    .where('members.buildingId', '=', buildingId)
    .where(isActive(nowMs))
    .orderBy('members.createdAt')
    .orderBy('members.accountId')
    .execute()
  return rows.map(({ accountId, email, name, role, rooms, endsAt, createdAt }) => ({
    id: accountId,
    email,
    name,
    is_self: accountId === readerId,
    role,
    room_ids: rooms === null ? null : JSON.parse(rooms),
    until: endsAt === null ? null : timestampOf(endsAt),
    since: timestampOf(createdAt),
  }))
}

/** As it is stored: the rooms of a guest, the end of roles that have one. Refuses what does not go together. */
export async function grantOf({ db }: Store, buildingId: string, grant: RoleGrant, nowMs: number): Promise<Grant> {
  const { role, room_ids: roomIds = null, until } = grant
  const days = ENDS_AFTER_DAYS[role]
  const usual = days === undefined ? null : nowMs + days * DAY_MS
  const endsAt = until === undefined ? usual : until === null ? null : Date.parse(until)
  if (endsAt !== null && !(endsAt > nowMs)) throw errors.invalidValue('until must be in the future.')
  if (role === 'owner' && endsAt !== null) throw errors.invalidValue('until: the role of an owner does not end.')
  if (days !== undefined && endsAt === null) throw errors.invalidValue(`until: the role ${role} needs an end.`)
  if (!hasChosenRooms(role)) {
    if (roomIds !== null) throw errors.invalidValue(`room_ids: the role ${role} has all rooms.`)
    return { role, rooms: null, endsAt }
  }
  if (roomIds === null || roomIds.length === 0) throw errors.invalidValue('room_ids: a guest needs at least one room.')
  const known = await db.selectFrom('rooms').select('id').where('buildingId', '=', buildingId).execute()
  const missing = roomIds.find((id) => !known.some((room) => room.id === id))
  if (missing !== undefined) throw errors.noSuchRoom(missing)
  return { role, rooms: JSON.stringify(roomIds), endsAt }
}

export async function changeMember(store: Store, clock: Clock, scope: MemberScope, grant: RoleGrant): Promise<void> {
  const nowMs = clock.now()
  const columns = await grantOf(store, scope.buildingId, grant, nowMs)
  const change = ofMember(store.db.updateTable('members').set(columns), scope).where(isActive(nowMs))
  const entry = recordFound(store, nowMs, [roleChange(store, scope, columns)])
  const [, changed] = await commitMembers(store, nowMs, scope.buildingId, [entry, change])
  if (changed?.affectedRows === 0) throw errors.noSuch('member', scope.accountId)
}

/** Also how a person leaves. */
export async function removeMember(store: Store, clock: Clock, scope: MemberScope): Promise<void> {
  const nowMs = clock.now()
  const entry = recordFound(store, nowMs, [roleChange(store, scope, null)])
  const writes = [entry, ofMember(store.db.deleteFrom('members'), scope)]
  const [, removed] = await commitMembers(store, nowMs, scope.buildingId, writes)
  if (removed?.affectedRows === 0) throw errors.noSuch('member', scope.accountId)
}

const ofMember = <Query extends { where(column: string, sign: '=', value: string): Query }>(
  query: Query,
  { buildingId, accountId }: MemberScope,
): Query => query.where('buildingId', '=', buildingId).where('accountId', '=', accountId)

/**
 * All or nothing, with the building's revision. After every change the building still has an owner: the
 * database counts in the same transaction, and changes of one building's members run one after the other.
 */
export async function commitMembers(
  store: Store,
  nowMs: number,
  buildingId: string,
  writes: Compilable[],
  limits: Limit[] = [],
): Promise<WriteResult[]> {
  const revised = raiseRevision.with(store, { buildingId, nowMs })
  const rest = [withdrawInvitations(store, buildingId), passOnAccount(store, buildingId)]
  try {
    const [, ...results] = await store.batch([revised, ...writes, ...rest], [...limits, hasOwner(store, buildingId)])
    return results
  } catch (error) {
    if (isStoreError(error, 'limit') && (error as StoreError).message === LAST_OWNER) throw errors.lastOwner()
    throw error
  }
}

const LAST_OWNER = 'last owner'

/** Buildings without an owner, of this one: at most none. */
const hasOwner = ({ db }: Store, buildingId: string): Limit => ({
  ownerId: buildingId,
  name: LAST_OWNER,
  most: 0,
  count: db
    .selectFrom('buildings')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('id', '=', buildingId)
    .where((eb) => eb.not(eb.exists(ownersOf({ db }, buildingId)))),
})

const ownersOf = ({ db }: Pick<Store, 'db'>, buildingId: string) =>
  db
    .selectFrom('members')
    .select('accountId')
    .where('members.buildingId', '=', buildingId)
    .where('members.role', '=', 'owner')

/** What a person has offered who is no owner any more. */
const withdrawInvitations = (store: Store, buildingId: string): Compilable =>
  store.db
    .deleteFrom('invitations')
    .where('buildingId', '=', buildingId)
    .where('acceptedBy', 'is', null)
    .where('invitedBy', 'not in', ownersOf(store, buildingId))

/**
 * The account of a building is one of its owners: if it no longer is, the next owner's. Under that account the
 * building's key may be taken; then it gets the end of its id as a suffix.
 */
function passOnAccount({ db }: Store, buildingId: string): Compilable {
  const next = sql<string>`(select account_id from members where building_id = ${buildingId} and role = 'owner'
    order by created_at, account_id limit 1)`
  const isTaken = sql`exists (select 1 from buildings as other where other.account_id = ${next}
    and other.key = buildings.key and other.id <> buildings.id)`
  return db
    .updateTable('buildings')
    .set({ accountId: next, key: sql<string>`case when ${isTaken} then key || '-' || substr(id, 31) else key end` })
    .where('id', '=', buildingId)
    .where('accountId', 'not in', ownersOf({ db }, buildingId))
    .where((eb) => eb.exists(ownersOf({ db }, buildingId)))
}
