import { type Action, type AppRoomPatch, actionsOfRoomPatch, hasChosenRooms, mayDo, type Role } from '@hypocaust/domain'
import type { Compilable, Expression, ExpressionBuilder, SqlBool } from 'kysely'
import { errors } from '../base/errors.ts'
import type { Store } from '../store/store.ts'
import type { Tables } from '../store/tables.ts'

/** What a person is in a building. */
export interface Membership {
  role: Role
  /** Ids of the rooms of a guest, as JSON, as they are stored. */
  rooms: string | null
}

/** Of what acts for the house itself. */
export const WHOLE_HOUSE: Membership = { role: 'owner', rooms: null }

/** Belongs into every statement that reads memberships: one that has ended is none. */
export const isActive =
  (nowMs: number) =>
  (eb: ExpressionBuilder<Tables, 'members'>): Expression<SqlBool> =>
    eb.or([eb('members.endsAt', 'is', null), eb('members.endsAt', '>', nowMs)])

/** Whether a member can see a room; for the others it does not exist. */
export function seesRoom({ role, rooms }: Membership, roomId: string): boolean {
  return !hasChosenRooms(role) || (JSON.parse(rooms ?? '[]') as string[]).includes(roomId)
}

/** The rooms of a list that a member can see. */
export function roomsSeen<Room>(membership: Membership, rooms: Room[], idOf: (room: Room) => string): Room[] {
  return hasChosenRooms(membership.role) ? rooms.filter((room) => seesRoom(membership, idOf(room))) : rooms
}

/** Decides every permission: one of the actions must be allowed. Where a person is no member, nothing exists. */
export function requirePermission({ role }: Membership, ...actions: Action[]): void {
  const [first] = actions
  if (first !== undefined && !actions.some((action) => mayDo(role, action))) throw errors.notPermitted(role, first)
}

/** All of them must be allowed: a change is carried out as a whole. */
export function requireAll({ role }: Membership, actions: Action[]): void {
  const refused = actions.find((action) => !mayDo(role, action))
  if (refused) throw errors.notPermitted(role, refused)
}

/** Whether a member may change these fields of a room. */
export const requireFields = (membership: Membership, patch: AppRoomPatch): void =>
  requireAll(membership, actionsOfRoomPatch(patch))

/** Belongs into the transaction that makes a building. */
export const insertOwner = ({ db }: Store, buildingId: string, accountId: string, createdAt: number): Compilable =>
  db.insertInto('members').values({ buildingId, accountId, role: 'owner', rooms: null, endsAt: null, createdAt })
