import type { Action } from '@hypocaust/domain'
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
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

interface Words {
  operationId: string
  summary: string
  description: string
}

/** Something that a building has one of or none, such as an absence. */
interface BuildingPart<Stored, Put> {
  path: string
  /** As the refusal of a condition names it. */
  name: string
  /** What setting and ending it needs. */
  action: Action
  schema: string
  putSchema: string
  get: Words
  put: Words
  delete: Words
  stored(buildingId: string): Promise<Stored>
  shown(stored: Stored): object | null
  /** Null ends it; `seen`: only if it is still this one. */
  write(buildingId: string, put: Put | null, seen: Stored | undefined): Promise<void>
  /** Follows a change that is on disk and of which the heating control knows. */
  written?(buildingId: string, log: FastifyBaseLogger): Promise<void>
}

export function buildingPartRoutes<Stored, Put>(
  app: FastifyInstance,
  { store, onBuildingChanged }: RoomParts,
  part: BuildingPart<Stored, Put>,
): void {
  const path = `/buildings/:buildingId/${part.path}`
  const onRequest = (request: FastifyRequest<InBuilding>) => findNamedBuilding(store, request)
  const about = { tags: ['Buildings'], params: BuildingParams }
  const { answer, seen } = partOrNull(app, part)
  const named = `The ${part.name}`
  const headers = writeHeaders(ifMatching(part.name))

  app.get<InBuilding>(
    path,
    {
      config: { actions: ['view'] },
      onRequest,
      schema: {
        ...part.get,
        ...about,
        headers: ReadHeaders,
        response: readResponses(successOrNull(`${named}, or null.`, part.schema), ['not_found']),
      },
    },
    (request, reply) => answer(request.building.id, reply),
  )

  app.put<InBuilding & { Body: unknown }>(
    path,
    {
      config: { actions: [part.action] },
      onRequest,
      schema: {
        ...part.put,
        ...about,
        headers,
        body: Ref(part.putSchema),
        response: { 200: successOrNull(`${named}.`, part.schema), ...errorResponses(conditional(PUT_ERRORS)) },
      },
    },
    async ({ building, body, headers, log }, reply) => {
      await part.write(building.id, body as Put, await seen(building.id, headers['if-match']))
      onBuildingChanged(building.id)
      await part.written?.(building.id, log)
      return answer(building.id, reply)
    },
  )

  app.delete<InBuilding>(
    path,
    {
      config: { actions: [part.action] },
      onRequest,
      schema: {
        ...part.delete,
        ...about,
        headers,
        response: { 200: ENDED, ...errorResponses(conditional(DELETE_ERRORS)) },
      },
    },
    async ({ building, headers, log }, reply) => {
      await part.write(building.id, null, await seen(building.id, headers['if-match']))
      onBuildingChanged(building.id)
      await part.written?.(building.id, log)
      return sendNull(reply)
    },
  )
}
