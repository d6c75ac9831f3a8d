import type { OverridePut } from '@hypocaust/domain'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { endOverride, putOverride, storedOverride } from '../../../house/rooms/override.ts'
import { overrideView } from '../../../house/rooms/schedule-inputs.ts'
import { partOrNull } from '../part-or-null.ts'
import { sendNull } from '../send-null.ts'
import { findNamedRoom, type InRoom, type RoomParts } from './rooms.ts'
import {
  conditional,
  DELETE_ERRORS,
  ENDED,
  errorResponses,
  ifMatching,
  PUT_ERRORS,
  ReadHeaders,
  Ref,
  RoomParams,
  readResponses,
  successOrNull,
  writeHeaders,
} from './schemas.ts'

const IF_MATCH = ifMatching('override')

export function overrideRoutes(app: FastifyInstance, { store, clock, onBuildingChanged }: RoomParts): void {
  const path = '/buildings/:buildingId/rooms/:roomId/override'
  const onRequest = (request: FastifyRequest<InRoom>) => findNamedRoom(store, request)
  const about = { tags: ['Rooms'], params: RoomParams }
  const { answer, seen } = partOrNull(app, {
    name: 'override',
    schema: 'Override',
    stored: (roomId) => storedOverride(store, roomId),
    shown: (stored) => overrideView(stored, clock.now()),
  })

  app.get<InRoom>(
    path,
    {
      config: { actions: ['view'] },
      onRequest,
      schema: {
        operationId: 'getOverride',
        summary: 'The override of a room',
        description: 'Null when there is none.',
        ...about,
        headers: ReadHeaders,
        response: readResponses(successOrNull('The override, or null.', 'Override'), ['not_found']),
      },
    },
    (request, reply) => answer(request.room.id, reply),
  )

  app.put<InRoom & { Body: OverridePut }>(
    path,
    {
      config: { actions: ['steer'] },
      onRequest,
      schema: {
        operationId: 'putOverride',
        summary: 'Another target, or off, until a time',
        description:
          'Ends by itself, or by a later PATCH of the target, the mode or manual power. The fields of the room stay what they are; `power` and `hvac_action` follow shortly after.',
        ...about,
        headers: writeHeaders(IF_MATCH),
        body: Ref('OverridePut'),
        response: { 200: successOrNull('The override.', 'Override'), ...errorResponses(conditional(PUT_ERRORS)) },
      },
    },
    async ({ roomScope, body, headers }, reply) => {
      await putOverride(store, clock, roomScope, body, await seen(roomScope.roomId, headers['if-match']))
      onBuildingChanged(roomScope.buildingId)
      return answer(roomScope.roomId, reply)
    },
  )

  app.delete<InRoom>(
    path,
    {
      config: { actions: ['steer'] },
      onRequest,
      schema: {
        operationId: 'deleteOverride',
        summary: 'End the override of a room',
        description: 'The answer is null, also when there was none.',
        ...about,
        headers: writeHeaders(IF_MATCH),
        response: { 200: ENDED, ...errorResponses(conditional(DELETE_ERRORS)) },
      },
    },
    async ({ roomScope, headers }, reply) => {
      await endOverride(store, clock, roomScope, await seen(roomScope.roomId, headers['if-match']))
      onBuildingChanged(roomScope.buildingId)
      return sendNull(reply)
    },
  )
}
