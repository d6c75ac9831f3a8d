import type { FastifyInstance } from 'fastify'
import type { Static } from 'typebox'
import type { Clock } from '../../../base/clock.ts'
import { errors } from '../../../base/errors.ts'
import { type Availability, buildingsOf, buildingView, findBuilding } from '../../../house/buildings/buildings.ts'
import type { Store } from '../../../store/store.ts'
import { BuildingParams, ReadHeaders, readResponses, success } from './schemas.ts'

export interface BuildingParts {
  store: Store
  clock: Clock
  availability: Availability
}

export function buildingRoutes(app: FastifyInstance, { store, clock, availability }: BuildingParts): void {
  app.get(
    '/buildings',
    {
      schema: {
        operationId: 'listBuildings',
        summary: 'All buildings of the key’s holder',
        description: 'Also the way to validate a key.',
        tags: ['Buildings'],
        headers: ReadHeaders,
        response: readResponses(success('The buildings the key can reach.', 'Building', 'list')),
      },
    },
    async (request) => {
      const rows = await buildingsOf(store, request.apiKey.accountId)
      return rows.map((row) => buildingView(row, availability, clock.now()))
    },
  )

  app.get<{ Params: Static<typeof BuildingParams> }>(
    '/buildings/:buildingId',
    {
      schema: {
        operationId: 'getBuilding',
        summary: 'One building',
        tags: ['Buildings'],
        params: BuildingParams,
        headers: ReadHeaders,
        response: readResponses(success('The building.', 'Building'), ['not_found']),
      },
    },
    async (request) => {
      const { buildingId } = request.params
      const row = await findBuilding(store, { accountId: request.apiKey.accountId, buildingId })
      if (!row) throw errors.noSuchBuilding(buildingId)
      return buildingView(row, availability, clock.now())
    },
  )
}
