import { FleetQuery, UUID_PATTERN } from '@hypocaust/domain'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { errors } from '../../../base/errors.ts'
import { type Availability, buildingsOf } from '../../../house/buildings/buildings.ts'
import { Flexibility } from '../../../house/flexibility/flexibility.ts'
import { reaches } from '../../../people/keys/keys.ts'
import { FLEET_COST, FLEXIBILITY_COST } from '../cost.ts'
import { findNamedBuilding, type InBuilding } from '../v1/buildings.ts'
import { BuildingParams, QUERY_ERRORS, ReadHeaders, readResponses, success } from '../v1/schemas.ts'
import type { ProgrammeParts } from './programme.ts'

/** What buildings can do for the grid, and what they have done. */
export function flexibilityRoutes(app: FastifyInstance, parts: ProgrammeParts & { availability: Availability }): void {
  const { store, clock } = parts
  const flexibility = new Flexibility(parts)
  app.addHook('onClose', () => flexibility.stop())
  const about = { tags: ['Flexibility'], headers: ReadHeaders }

  app.get<InBuilding>(
    '/buildings/:buildingId/flexibility',
    {
      config: { actions: ['view'], ...FLEXIBILITY_COST },
      onRequest: (request: FastifyRequest<InBuilding>) => findNamedBuilding(store, request),
      schema: {
        operationId: 'getFlexibility',
        summary: 'What a building can do for the grid, and what it has done',
        description:
          'From the plans of its rooms, worked out anew every five minutes. Less is called by a power limit of 0 W with basis agreed; more by a gateway that reports SG-Ready or own sun. Offers exclude one another.',
        ...about,
        params: BuildingParams,
        response: readResponses(success('The offers and the record.', 'Flexibility'), ['not_found', 'not_permitted']),
      },
    },
    ({ building }) => flexibility.of(building.id),
  )

  app.get<{ Querystring: FleetQuery }>(
    '/flexibility',
    {
      config: { cost: FLEET_COST },
      schema: {
        operationId: 'getFleetFlexibility',
        summary: 'What all buildings of the key can do for the grid together',
        description: 'The offers of up to 10 buildings, added up where the power is known.',
        ...about,
        querystring: FleetQuery,
        response: readResponses(success('The sums.', 'FleetFlexibility'), [...QUERY_ERRORS, 'not_permitted']),
      },
    },
    async ({ apiKey, query }) => {
      const after = query.after?.toLowerCase()
      if (after !== undefined && !UUID_PATTERN.test(after))
        throw errors.invalidValue('after must be next of an earlier answer.')
      const reached = (await buildingsOf(store, apiKey.accountId, clock.now())).filter(({ id }) => reaches(apiKey, id))
      return flexibility.ofFleet(
        reached.map(({ id }) => id),
        after,
      )
    },
  )
}
