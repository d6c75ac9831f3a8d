import type { AwayPut, OverridePut } from '@hypocaust/domain'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../../base/clock.ts'
import { awayOf, putAway } from '../../../house/buildings/away.ts'
import { endOverrides, putOverride } from '../../../house/rooms/override.ts'
import { findOverride } from '../../../house/rooms/wishes.ts'
import type { Store } from '../../../store/store.ts'
import { sendNull } from '../send-null.ts'
import { findNamedBuilding, type InBuilding } from './buildings.ts'
import { findNamedRoom, type InRoom } from './rooms.ts'
import {
  BuildingParams,
  DELETE_ERRORS,
  errorResponses,
  PUT_ERRORS,
  ReadHeaders,
  Ref,
  RoomParams,
  readResponses,
  successOrNull,
} from './schemas.ts'

interface WishParts {
  store: Store
  clock: Clock
  /** Called once a change is on disk; what follows from it follows after the response. */
  onBuildingChanged(buildingId: string): void
}

const ENDED = {
  description: 'There is none any more.',
  content: { 'application/json': { schema: { type: 'null' }, examples: { ended: { value: null } } } },
}

/** What counts for a while: absences of a building and overrides of a room. */
export function wishRoutes(app: FastifyInstance, parts: WishParts): void {
  awayRoutes(app, parts)
  overrideRoutes(app, parts)
}

function awayRoutes(app: FastifyInstance, { store, clock, onBuildingChanged }: WishParts): void {
  const path = '/buildings/:buildingId/away'
  const onRequest = (request: FastifyRequest<InBuilding>) => findNamedBuilding(store, request)
  const about = { tags: ['Buildings'], params: BuildingParams }

  const answer = async (buildingId: string, reply: FastifyReply) =>
    (await awayOf(store, buildingId, clock.now())) ?? sendNull(reply)

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
        summary: 'Nobody is in for a while',
        description:
          'The rooms may cool, and are warm again by the return. Targets stay as they are. Replaces an absence that was set before.',
        ...about,
        body: Ref('AwayPut'),
        response: { 200: successOrNull('The absence.', 'Away'), ...errorResponses(PUT_ERRORS) },
      },
    },
    async ({ building, body }, reply) => {
      await putAway(store, clock, building.id, body)
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
        summary: 'Somebody is in again',
        description: 'Ends the absence, or cancels one to come. The answer is null, also when there was none.',
        ...about,
        response: { 200: ENDED, ...errorResponses(DELETE_ERRORS) },
      },
    },
    async ({ building }, reply) => {
      await putAway(store, clock, building.id, null)
      onBuildingChanged(building.id)
      return sendNull(reply)
    },
  )
}

function overrideRoutes(app: FastifyInstance, { store, clock, onBuildingChanged }: WishParts): void {
  const path = '/buildings/:buildingId/rooms/:roomId/override'
  const onRequest = (request: FastifyRequest<InRoom>) => findNamedRoom(store, request)
  const about = { tags: ['Rooms'], params: RoomParams }

  const answer = async (roomId: string, reply: FastifyReply) =>
    (await findOverride(store, roomId, clock.now())) ?? sendNull(reply)

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
        body: Ref('OverridePut'),
        response: { 200: successOrNull('The override.', 'Override'), ...errorResponses(PUT_ERRORS) },
      },
    },
    async ({ roomScope, body }, reply) => {
      await putOverride(store, clock, roomScope, body)
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
        response: { 200: ENDED, ...errorResponses(DELETE_ERRORS) },
      },
    },
    async ({ roomScope: { buildingId, roomId } }, reply) => {
      await endOverrides(store, clock, buildingId, [roomId])
      onBuildingChanged(buildingId)
      return sendNull(reply)
    },
  )
}
