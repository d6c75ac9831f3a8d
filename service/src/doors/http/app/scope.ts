import type { FastifyInstance, FastifyRequest } from 'fastify'
import { errors } from '../../../base/errors.ts'
import { findBuilding } from '../../../house/buildings/buildings.ts'
import { buildingOfRoom } from '../../../house/rooms/app-rooms.ts'
import type { RoomScope } from '../../../house/rooms/write.ts'
import type { Store } from '../../../store/store.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The room named in the path and its building, found before the body is read. */
    roomScope: RoomScope
  }
}

export interface InBuilding {
  Params: { buildingId: string }
}

export interface InRoom {
  Params: { roomId: string }
}

/** A building or room of another account does not exist. */
export function scopesOf(app: FastifyInstance, store: Store) {
  app.decorateRequest('roomScope')
  return {
    buildingExists: async (request: FastifyRequest<InBuilding>) => {
      const { accountId } = request.signedIn
      const { buildingId } = request.params
      if (!(await findBuilding(store, { accountId, buildingId }))) throw errors.noSuchBuilding(buildingId)
    },
    roomExists: async (request: FastifyRequest<InRoom>) => {
      const { roomId } = request.params
      const buildingId = await buildingOfRoom(store, { accountId: request.signedIn.accountId, roomId })
      if (buildingId === undefined) throw errors.noSuchRoom(roomId)
      request.roomScope = { buildingId, roomId }
    },
  }
}

export type Scopes = ReturnType<typeof scopesOf>
