import type { PresencePut } from '@hypocaust/domain'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { presenceView, reportPresence, storedPresence } from '../../../house/buildings/presence.ts'
import { partOrNull } from '../part-or-null.ts'
import { findNamedBuilding, type InBuilding } from './buildings.ts'
import type { RoomParts } from './rooms.ts'
import {
  BuildingParams,
  conditional,
  errorResponses,
  ifMatching,
  PUT_ERRORS,
  ReadHeaders,
  Ref,
  readResponses,
  success,
  writeHeaders,
} from './schemas.ts'

/** Who is home, from Home Assistant, a router or phones. */
export function presenceRoutes(app: FastifyInstance, { store, clock, onBuildingChanged }: RoomParts): void {
  const path = '/buildings/:buildingId/presence'
  const onRequest = (request: FastifyRequest<InBuilding>) => findNamedBuilding(store, request)
  const about = { tags: ['Buildings'], params: BuildingParams }
  const { answer, seen } = partOrNull(app, {
    name: 'presence',
    schema: 'Presence',
    stored: (buildingId) => storedPresence(store, buildingId),
    shown: (stored) => presenceView(stored, clock.now()),
  })

  app.get<InBuilding>(
    path,
    {
      config: { actions: ['away'] },
      onRequest,
      schema: {
        operationId: 'getPresence',
        summary: 'Who is home, and what follows when nobody is',
        description:
          'The people and devices that were reported, each as it was last. Not shown to guests. The rule is chosen on the website.',
        ...about,
        headers: ReadHeaders,
        response: readResponses(success('Who is home.', 'Presence'), ['not_found', 'not_permitted']),
      },
    },
    (request, reply) => answer(request.building.id, reply),
  )

  app.put<InBuilding & { Body: PresencePut }>(
    path,
    {
      config: { actions: ['away'] },
      onRequest,
      schema: {
        operationId: 'putPresence',
        summary: 'Report who is home',
        description:
          'A name that is not known yet is added, at most thirty of a building; people who are not named stay as they are, so that several sources can report. Report again at least every few hours, also without a change: a person who was not reported for a day counts as home. Nothing follows until a rule is chosen on the website.',
        ...about,
        headers: writeHeaders(ifMatching('presence')),
        body: Ref('PresencePut'),
        response: { 200: success('Who is home now.', 'Presence'), ...errorResponses(conditional(PUT_ERRORS)) },
      },
    },
    async ({ building, body, headers }, reply) => {
      await reportPresence(store, clock, building.id, body, await seen(building.id, headers['if-match']))
      onBuildingChanged(building.id)
      return answer(building.id, reply)
    },
  )
}
