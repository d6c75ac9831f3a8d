import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { Clock } from '../../../base/clock.ts'
import { errors } from '../../../base/errors.ts'
import { buildingsReached, type StampedBuilding } from '../../../people/keys/reach.ts'
import type { Store } from '../../../store/store.ts'
import { refuseMoved } from './access.ts'
import { exampleOf } from './examples.ts'
import { BuildingParams } from './schemas.ts'

/** Of a request that is about several buildings: what its answer carries along for each has to fit into the next one. */
export const MOST_BUILDINGS = 50

/** In the query of a request that is about one building or about all. */
export const BuildingId = Type.Optional(
  Type.String({
    description: `Only this building. Left out, all buildings that the key reaches, at most ${MOST_BUILDINGS}.`,
    examples: [exampleOf(BuildingParams.properties.buildingId)],
  }),
)

interface Parts {
  store: Store
  clock: Clock
}

interface Named {
  Querystring: { building_id?: string }
}

/** The building that is named, or all that the key reaches; one more than may be. */
export function namedBuildings(
  { store, clock }: Parts,
  { query, apiKey }: FastifyRequest<Named>,
): Promise<StampedBuilding[]> {
  const only = query.building_id?.toLowerCase()
  return buildingsReached(store, apiKey, clock.now(), { only, most: MOST_BUILDINGS + 1 })
}

/** Refuses a building that the key does not reach, one that has moved, and too many. */
export async function requireNamed(
  { store, clock }: Parts,
  { query, apiKey, url }: FastifyRequest<Named>,
  buildings: StampedBuilding[],
): Promise<void> {
  const { building_id: named } = query
  if (buildings.length === 0) await refuseMoved(store, clock, { apiKey, url }, named)
  if (named !== undefined && buildings.length === 0) throw errors.noSuchBuilding(named)
  if (buildings.length > MOST_BUILDINGS)
    throw errors.invalidValue(
      `building_id: this key reaches more than ${MOST_BUILDINGS} buildings; name one, or use a key that is limited to some.`,
    )
}
