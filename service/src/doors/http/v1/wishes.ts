import type { AwayPut, OverridePut } from '@hypocaust/domain'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../../base/clock.ts'
import { awayIn, awayOf, putAway, storedAway } from '../../../house/buildings/away.ts'
import { endOverride, putOverride, storedOverride } from '../../../house/rooms/override.ts'
import { findOverride, overrideView } from '../../../house/rooms/wishes.ts'
import type { Store } from '../../../store/store.ts'
import { requireTag } from '../etag.ts'
import { serialiserOf } from '../schema-compilers.ts'
import { sendNull } from '../send-null.ts'
import { findNamedBuilding, type InBuilding } from './buildings.ts'
import { findNamedRoom, type InRoom } from './rooms.ts'
import {
  BuildingParams,
  conditional,
  DELETE_ERRORS,
  errorResponses,
  PUT_ERRORS,
  ReadHeaders,
  Ref,
  RoomParams,
  readResponses,
  successOrNull,
  writeHeaders,
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

const IF_ABSENCE =
  'The `ETag` of the absence you have, also where it is null; if it has changed since, nothing is written and the answer is `412`.'
const IF_OVERRIDE = IF_ABSENCE.replace('absence', 'override')

/** What counts for a while: absences of a building and overrides of a room. */
export function wishRoutes(app: FastifyInstance, parts: WishParts): void {
  awayRoutes(app, parts)
  overrideRoutes(app, parts)
}

function awayRoutes(app: FastifyInstance, { store, clock, onBuildingChanged }: WishParts): void {
  const path = '/buildings/:buildingId/away'
  const onRequest = (request: FastifyRequest<InBuilding>) => findNamedBuilding(store, request)
  const about = { tags: ['Buildings'], params: BuildingParams }

  const serialise = serialiserOf(app, Ref('Away'))

  const answer = async (buildingId: string, reply: FastifyReply) =>
    (await awayOf(store, buildingId, clock.now())) ?? sendNull(reply)

  const seenAway = async (buildingId: string, ifMatch: string | undefined) => {
    if (ifMatch === undefined) return undefined
    const stored = await storedAway(store, buildingId)
    requireTag(ifMatch, awayIn(stored, clock.now()), serialise, 'absence')
    return stored
  }

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
        headers: writeHeaders(IF_ABSENCE),
        body: Ref('AwayPut'),
        response: { 200: successOrNull('The absence.', 'Away'), ...errorResponses(conditional(PUT_ERRORS)) },
      },
    },
    async ({ building, body, headers }, reply) => {
      await putAway(store, clock, building.id, body, await seenAway(building.id, headers['if-match']))
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
        headers: writeHeaders(IF_ABSENCE),
        response: { 200: ENDED, ...errorResponses(conditional(DELETE_ERRORS)) },
      },
    },
    async ({ building, headers }, reply) => {
      await putAway(store, clock, building.id, null, await seenAway(building.id, headers['if-match']))
      onBuildingChanged(building.id)
      return sendNull(reply)
    },
  )
}

function overrideRoutes(app: FastifyInstance, { store, clock, onBuildingChanged }: WishParts): void {
  const path = '/buildings/:buildingId/rooms/:roomId/override'
  const onRequest = (request: FastifyRequest<InRoom>) => findNamedRoom(store, request)
  const about = { tags: ['Rooms'], params: RoomParams }

  const serialise = serialiserOf(app, Ref('Override'))

  const answer = async (roomId: string, reply: FastifyReply) =>
    (await findOverride(store, roomId, clock.now())) ?? sendNull(reply)

  const seenOverride = async (roomId: string, ifMatch: string | undefined) => {
    if (ifMatch === undefined) return undefined
    const stored = await storedOverride(store, roomId)
    requireTag(ifMatch, overrideView(stored, clock.now()), serialise, 'override')
    return stored
  }

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
        headers: writeHeaders(IF_OVERRIDE),
        body: Ref('OverridePut'),
        response: { 200: successOrNull('The override.', 'Override'), ...errorResponses(conditional(PUT_ERRORS)) },
      },
    },
    async ({ roomScope, body, headers }, reply) => {
      await putOverride(store, clock, roomScope, body, await seenOverride(roomScope.roomId, headers['if-match']))
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
        headers: writeHeaders(IF_OVERRIDE),
        response: { 200: ENDED, ...errorResponses(conditional(DELETE_ERRORS)) },
      },
    },
    async ({ roomScope, headers }, reply) => {
      await endOverride(store, clock, roomScope, await seenOverride(roomScope.roomId, headers['if-match']))
      onBuildingChanged(roomScope.buildingId)
      return sendNull(reply)
    },
  )
}
