import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Clock } from '../../../base/clock.ts'
import { errors } from '../../../base/errors.ts'
import { energyOf } from '../../../house/heat/energy.ts'
import { seesRoom } from '../../../house/membership.ts'
import type { Store } from '../../../store/store.ts'
import { costOfSpan } from '../cost.ts'
import { daySpanOf, EnergyQuery } from '../energy-query.ts'
import { findNamedBuilding, type InBuilding } from './buildings.ts'
import { findNamedRoom, type InRoom } from './rooms.ts'
import { BuildingParams, QUERY_ERRORS, ReadHeaders, RoomParams, readResponses, success } from './schemas.ts'

/** After the routes of buildings and rooms, which declare what a request carries. */
export function energyRoutes(app: FastifyInstance, { store, clock }: { store: Store; clock: Clock }): void {
  const energyFor = ({ building, query }: FastifyRequest, isSeen: (roomId: string) => boolean) =>
    energyOf(store, building.id, daySpanOf(query as EnergyQuery, building.timezone, clock.now()), isSeen)

  app.get<InBuilding & { Querystring: EnergyQuery }>(
    '/buildings/:buildingId/energy',
    {
      config: { actions: ['view'], cost: costOfSpan(clock) },
      onRequest: (request) => findNamedBuilding(store, request),
      schema: {
        operationId: 'getEnergy',
        summary: 'Heat and cost of a building, room by room',
        description:
          'An estimate, scaled by a heat meter where one reports. Not a bill. Days are those of the building.',
        tags: ['Buildings'],
        params: BuildingParams,
        querystring: EnergyQuery,
        headers: ReadHeaders,
        response: readResponses(success('The heat.', 'Energy'), QUERY_ERRORS),
      },
    },
    async (request) => energyFor(request, (roomId) => seesRoom(request.reached?.membership ?? NOBODY, roomId)),
  )

  app.get<InRoom & { Querystring: EnergyQuery }>(
    '/buildings/:buildingId/rooms/:roomId/energy',
    {
      config: { actions: ['view'], cost: costOfSpan(clock) },
      onRequest: [
        (request: FastifyRequest<InRoom>) => findNamedBuilding(store, request),
        (request: FastifyRequest<InRoom>) => findNamedRoom(store, request),
      ],
      schema: {
        operationId: 'getRoomEnergy',
        summary: 'Heat and cost of a room',
        description:
          'An estimate, scaled by a heat meter where one reports. Not a bill. Days are those of the building.',
        tags: ['Rooms'],
        params: RoomParams,
        querystring: EnergyQuery,
        headers: ReadHeaders,
        response: readResponses(success('The heat.', 'RoomEnergy'), QUERY_ERRORS),
      },
    },
    async (request) => {
      const { rooms } = await energyFor(request, (roomId) => roomId === request.room.id)
      if (!rooms[0]) throw errors.noSuchRoom(request.params.roomId)
      return rooms[0]
    },
  )
}

const NOBODY = { role: 'guest', rooms: '[]' } as const
