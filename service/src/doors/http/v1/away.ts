import type { AwayPut } from '@hypocaust/domain'
import type { FastifyInstance } from 'fastify'
import { awayIn, putAway, storedAway } from '../../../house/buildings/away.ts'
import type { AwayRow } from '../../../house/rooms/schedule-inputs.ts'
import { buildingPartRoutes } from './building-part.ts'
import type { RoomParts } from './rooms.ts'

export function awayRoutes(app: FastifyInstance, parts: RoomParts): void {
  const { store, clock } = parts
  buildingPartRoutes<AwayRow, AwayPut>(app, parts, {
    path: 'away',
    name: 'absence',
    action: 'away',
    schema: 'Away',
    putSchema: 'AwayPut',
    get: {
      operationId: 'getAway',
      summary: 'The absence of a building',
      description: 'Now or to come; null when there is none.',
    },
    put: {
      operationId: 'putAway',
      summary: 'Set the absence of a building',
      description:
        'The rooms may cool, and are warm again by the return. Targets stay as they are. Replaces an absence that was set before.',
    },
    delete: {
      operationId: 'deleteAway',
      summary: 'End the absence of a building',
      description: 'Also cancels one to come. The answer is null, also when there was none.',
    },
    stored: (buildingId) => storedAway(store, buildingId),
    shown: (stored) => awayIn(stored, clock.now()),
    write: (buildingId, put, seen) => putAway(store, clock, buildingId, put, seen),
  })
}
