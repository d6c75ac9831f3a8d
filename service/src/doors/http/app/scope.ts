import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../../base/clock.ts'
import { errors, type ServiceError } from '../../../base/errors.ts'
import { actingAs } from '../../../house/change-log/actor.ts'
import { requirePermission, seesRoom } from '../../../house/membership.ts'
import type { RoomScope } from '../../../house/rooms/write.ts'
import { type Named, type Place, placeOf } from '../../../people/members/places.ts'
import type { Store } from '../../../store/store.ts'
import { requireActions } from '../actions.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The room named in the path and its building, found before the body is read. */
    roomScope: RoomScope
    /** What the person who asks is in the building that the path leads to. */
    membership: Place
  }
}

export interface InBuilding {
  Params: { buildingId: string }
}

export interface InRoom {
  Params: { roomId: string }
}

/** What a path can name, and the error where there is no such thing for the person who asks. */
const NAMED: Record<Named, (id: string) => ServiceError> = {
  roomId: errors.noSuchRoom,
  gatewayId: (id) => errors.noSuch('gateway', id),
  alertId: (id) => errors.noSuch('alert', id),
  buildingId: errors.noSuchBuilding,
}
const NAMES = Object.keys(NAMED) as Named[]

/** Whatever a path names must be in a building of the person who asks, in a role that allows what the route does. */
export function requireMembership(app: FastifyInstance, store: Store, clock: Clock): void {
  requireActions(app, NAMES)
  app.decorateRequest('roomScope')
  app.decorateRequest('membership')
  app.addHook('onRequest', async (request) => {
    const params = request.params as Partial<Record<Named, string>>
    const name = NAMES.find((each) => params[each] !== undefined)
    const id = name && params[name]
    if (name === undefined || id === undefined) return
    const { accountId } = request.signedIn
    const place = await placeOf(store, { name, id, accountId, nowMs: clock.now() })
    if (!place || (place.roomId !== null && !seesRoom(place, place.roomId))) throw NAMED[name](id)
    requirePermission(place, ...(request.routeOptions.config.actions ?? []))
    request.membership = place
    if (name === 'roomId') request.roomScope = { buildingId: place.buildingId, roomId: id }
  })
  // After the body was read: what follows is the handler, and all it does is done by this person.
  app.addHook('preHandler', ({ signedIn: { accountId, email }, membership }, _reply, done) =>
    actingAs({ kind: 'person', name: email, accountId, ...(membership && { role: membership.role }) }, done),
  )
}
