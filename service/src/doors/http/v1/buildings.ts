import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import type { Clock } from '../../../base/clock.ts'
import { errors } from '../../../base/errors.ts'
import {
  type Availability,
  type BuildingRow,
  buildingsOf,
  buildingView,
  findBuilding,
} from '../../../house/buildings/buildings.ts'
import { reaches } from '../../../people/keys/keys.ts'
import type { Store } from '../../../store/store.ts'
import { refuseMoved } from './access.ts'
import { BuildingParams, ReadHeaders, readResponses, success } from './schemas.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The building named in the path, found before the body is read. */
    building: BuildingRow
  }
}

export type InBuilding = { Params: Static<typeof BuildingParams> }

/** Ids are accepted in any case, and answered as they were sent where there is no such building. */
export async function findNamedBuilding(store: Store, request: FastifyRequest<InBuilding>): Promise<void> {
  const { buildingId } = request.params
  const building = await findBuilding(store, buildingId.toLowerCase())
  if (!building) throw errors.noSuchBuilding(buildingId)
  request.building = building
}

interface BuildingParts {
  store: Store
  clock: Clock
  availability: Availability
}

export function buildingRoutes(app: FastifyInstance, { store, clock, availability }: BuildingParts): void {
  app.decorateRequest('building')

  app.get(
    '/buildings',
    {
      schema: {
        operationId: 'listBuildings',
        summary: 'All buildings the key can reach',
        description: 'Also the way to validate a key.',
        tags: ['Buildings'],
        headers: ReadHeaders,
        response: readResponses(success('The buildings the key can reach.', 'Building', 'list')),
      },
    },
    async (request) => {
      const { apiKey } = request
      const rows = await buildingsOf(store, apiKey.accountId, clock.now())
      const reached = rows.filter(({ id }) => reaches(apiKey, id))
      if (reached.length === 0) await refuseMoved(store, clock, request)
      return reached.map((row) => buildingView(row, availability, clock.now()))
    },
  )

  app.get<InBuilding>(
    '/buildings/:buildingId',
    {
      config: { actions: ['view'] },
      onRequest: (request) => findNamedBuilding(store, request),
      schema: {
        operationId: 'getBuilding',
        summary: 'One building',
        tags: ['Buildings'],
        params: BuildingParams,
        headers: ReadHeaders,
        response: readResponses(success('The building.', 'Building'), ['not_found']),
      },
    },
    async (request) => buildingView(request.building, availability, clock.now()),
  )
}
