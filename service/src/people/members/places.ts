import { UUID_PATTERN } from '@hypocaust/domain'
import { isActive, type Membership } from '../../house/membership.ts'
import type { Store } from '../../store/store.ts'

/** What a path names, by the parameter that has its id. */
export type Named = 'buildingId' | 'roomId' | 'gatewayId' | 'alertId'

/** Where something is, and what the person who asks is there. */
export interface Place extends Membership {
  buildingId: string
  /** Where it belongs to one room. */
  roomId: string | null
}

export interface Sought {
  name: Named
  id: string
  accountId: string
  nowMs: number
}

/** Undefined also where the person is no member: what is in a foreign building does not exist. */
export async function placeOf(store: Store, sought: Sought): Promise<Place | undefined> {
  if (!UUID_PATTERN.test(sought.id)) return undefined
  return select(store, sought).executeTakeFirst()
}

const MEMBERSHIP = ['members.role', 'members.rooms', 'members.buildingId'] as const

function select({ db }: Store, { name, id, accountId, nowMs }: Sought) {
  const own = db.selectFrom('members').where('members.accountId', '=', accountId).where(isActive(nowMs))
  switch (name) {
    case 'buildingId':
      return own
        .where('members.buildingId', '=', id)
        .select(MEMBERSHIP)
        .select((eb) => eb.val<string | null>(null).as('roomId'))
    case 'roomId':
      return own
        .innerJoin('rooms', 'rooms.buildingId', 'members.buildingId')
        .where('rooms.id', '=', id)
        .select(MEMBERSHIP)
        .select('rooms.id as roomId')
    case 'gatewayId':
      return own
        .innerJoin('gateways', 'gateways.buildingId', 'members.buildingId')
        .where('gateways.id', '=', id)
        .select(MEMBERSHIP)
        .select((eb) => eb.val<string | null>(null).as('roomId'))
    case 'alertId':
      return own
        .innerJoin('alerts', 'alerts.buildingId', 'members.buildingId')
        .where('alerts.id', '=', id)
        .select([...MEMBERSHIP, 'alerts.roomId'])
  }
}
