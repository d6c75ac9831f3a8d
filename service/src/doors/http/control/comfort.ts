import type { BuildingComfort, RoomComfort, RoomComfortPatch } from '@hypocaust/domain'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { errors } from '../../../base/errors.ts'
import { changeBuilding } from '../../../house/buildings/manage.ts'
import { requireFields } from '../../../house/membership.ts'
import { changeRoom } from '../../../house/rooms/manage.ts'
import type { RoomScope } from '../../../house/rooms/write.ts'
import type { Store } from '../../../store/store.ts'
import { findNamedBuilding, type InBuilding } from '../v1/buildings.ts'
import { findNamedRoom, type InRoom } from '../v1/rooms.ts'
import {
  BuildingParams,
  errorResponses,
  PUT_ERRORS,
  ReadHeaders,
  Ref,
  RoomParams,
  readResponses,
  success,
} from '../v1/schemas.ts'
import type { ProgrammeParts } from './programme.ts'

export type ComfortParts = ProgrammeParts

/** How closely rooms are held at their setpoints. */
export function comfortRoutes(app: FastifyInstance, parts: ComfortParts): void {
  roomComfortRoutes(app, parts)
  buildingComfortRoutes(app, parts)
}

function roomComfortRoutes(app: FastifyInstance, { store, clock, onBuildingChanged }: ComfortParts): void {
  const path = '/buildings/:buildingId/rooms/:roomId/comfort'
  const onRequest = (request: FastifyRequest<InRoom>) => findNamedRoom(store, request)
  const about = { tags: ['Comfort'], params: RoomParams }

  app.get<InRoom>(
    path,
    {
      config: { actions: ['view'] },
      onRequest,
      schema: {
        operationId: 'getRoomComfort',
        summary: 'Comfort band, limit and type of the floor of a room',
        ...about,
        headers: ReadHeaders,
        response: readResponses(success('The settings.', 'RoomComfort'), ['not_found']),
      },
    },
    ({ roomScope }) => comfortOf(store, roomScope),
  )

  app.patch<InRoom & { Body: RoomComfortPatch }>(
    path,
    {
      config: { actions: ['plan', 'set_up'] },
      onRequest,
      schema: {
        operationId: 'patchRoomComfort',
        summary: 'Change comfort band or limit of the floor of a room',
        description: 'Only the fields sent change; one bad field, and nothing changes.',
        ...about,
        body: Ref('RoomComfortPatch'),
        response: { 200: success('The settings afterwards.', 'RoomComfort'), ...errorResponses(PUT_ERRORS) },
      },
    },
    async ({ roomScope, reached, body }) => {
      if (reached) requireFields(reached.membership, body)
      await changeRoom(store, clock, roomScope, body)
      onBuildingChanged(roomScope.buildingId)
      return comfortOf(store, roomScope)
    },
  )
}

function buildingComfortRoutes(app: FastifyInstance, { store, clock, onBuildingChanged }: ComfortParts): void {
  const path = '/buildings/:buildingId/comfort'
  const onRequest = (request: FastifyRequest<InBuilding>) => findNamedBuilding(store, request)
  const about = { tags: ['Comfort'], params: BuildingParams }

  app.get<InBuilding>(
    path,
    {
      config: { actions: ['view'] },
      onRequest,
      schema: {
        operationId: 'getBuildingComfort',
        summary: 'How firmly the rooms of a building are held at their setpoints',
        ...about,
        headers: ReadHeaders,
        response: readResponses(success('The setting.', 'BuildingComfort'), ['not_found']),
      },
    },
    ({ building }) => buildingComfortOf(store, building.id),
  )

  app.put<InBuilding & { Body: BuildingComfort }>(
    path,
    {
      config: { actions: ['plan'] },
      onRequest,
      schema: {
        operationId: 'putBuildingComfort',
        summary: 'Choose between comfort and saving',
        ...about,
        body: Ref('BuildingComfort'),
        response: { 200: success('The setting afterwards.', 'BuildingComfort'), ...errorResponses(PUT_ERRORS) },
      },
    },
    async ({ building, body }) => {
      await changeBuilding(store, clock, building.id, body)
      onBuildingChanged(building.id)
      return buildingComfortOf(store, building.id)
    },
  )
}

async function comfortOf({ db }: Store, { buildingId, roomId }: RoomScope): Promise<RoomComfort> {
  const row = await db
    .selectFrom('rooms')
    .select(['comfortBandK', 'maxFloorC', 'floorType'])
    .where('id', '=', roomId)
    .where('buildingId', '=', buildingId)
    .executeTakeFirst()
  if (!row) throw errors.noSuchRoom(roomId)
  return { comfort_band: row.comfortBandK, max_floor_temperature: row.maxFloorC, floor_type: row.floorType }
}

async function buildingComfortOf({ db }: Store, buildingId: string): Promise<BuildingComfort> {
  const row = await db.selectFrom('buildings').select('comfort').where('id', '=', buildingId).executeTakeFirst()
  if (!row) throw errors.noSuchBuilding(buildingId)
  return { comfort: row.comfort }
}
