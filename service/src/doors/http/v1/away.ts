import type { AwayPut } from '@hypocaust/domain'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { awayIn, putAway, storedAway } from '../../../house/buildings/away.ts'
import { partOrNull } from '../part-or-null.ts'
import { sendNull } from '../send-null.ts'
import { findNamedBuilding, type InBuilding } from './buildings.ts'
import type { RoomParts } from './rooms.ts'
import {
  BuildingParams,
  conditional,
  DELETE_ERRORS,
  ENDED,
  errorResponses,
  ifMatching,
  PUT_ERRORS,
  ReadHeaders,
  Ref,
  readResponses,
  successOrNull,
  writeHeaders,
} from './schemas.ts'

const IF_MATCH = ifMatching('absence')

export function awayRoutes(app: FastifyInstance, { store, clock, onBuildingChanged }: RoomParts): void {
  const path = '/buildings/:buildingId/away'
  const onRequest = (request: FastifyRequest<InBuilding>) => findNamedBuilding(store, request)
  const about = { tags: ['Buildings'], params: BuildingParams }
  const { answer, seen } = partOrNull(app, {
    name: 'absence',
    schema: 'Away',
    stored: (buildingId) => storedAway(store, buildingId),
    shown: (stored) => awayIn(stored, clock.now()),
  })

  app.get<InBuilding>(
    path,
    {
      config: { actions: ['view'] },
      onRequest,
      schema: {
        operationId: 'getAway',
        summary: 'The absence of a building',
        description: 'Now or to come; null when there is none.',
        ...about,
        headers: ReadHeaders,
        response: readResponses(successOrNull('The absence, or null.', 'Away'), ['not_found']),
      },
    },
    (request, reply) => answer(request.building.id, reply),
  )

  app.put<InBuilding & { Body: AwayPut }>(
    path,
    {
      config: { actions: ['away'] },
      onRequest,
      schema: {
        operationId: 'putAway',
        summary: 'Set the absence of a building',
        description:
          'The rooms may cool, and are warm again by the return. Targets stay as they are. Replaces an absence that was set before.',
        ...about,
        headers: writeHeaders(IF_MATCH),
        body: Ref('AwayPut'),
        response: { 200: successOrNull('The absence.', 'Away'), ...errorResponses(conditional(PUT_ERRORS)) },
      },
    },
    async ({ building, body, headers }, reply) => {
      await putAway(store, clock, building.id, body, await seen(building.id, headers['if-match']))
      onBuildingChanged(building.id)
      return answer(building.id, reply)
    },
  )

  app.delete<InBuilding>(
    path,
    {
      config: { actions: ['away'] },
      onRequest,
      schema: {
        operationId: 'deleteAway',
        summary: 'End the absence of a building',
        description: 'Also cancels one to come. The answer is null, also when there was none.',
        ...about,
        headers: writeHeaders(IF_MATCH),
        response: { 200: ENDED, ...errorResponses(conditional(DELETE_ERRORS)) },
      },
    },
    async ({ building, headers }, reply) => {
      await putAway(store, clock, building.id, null, await seen(building.id, headers['if-match']))
      onBuildingChanged(building.id)
      return sendNull(reply)
    },
  )
}
