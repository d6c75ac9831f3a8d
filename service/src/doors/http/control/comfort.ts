import type { BuildingComfort, RoomComfort, RoomComfortPatch } from '@hypocaust/domain'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Selectable } from 'kysely'
import { errors } from '../../../base/errors.ts'
import { changeBuilding } from '../../../house/buildings/manage.ts'
import { requireFields } from '../../../house/membership.ts'
import { changeRoom } from '../../../house/rooms/manage.ts'
import type { RoomScope } from '../../../house/rooms/write.ts'
import type { Store } from '../../../store/store.ts'
import type { RoomTable } from '../../../store/tables/rooms.ts'
import { requireTag } from '../etag.ts'
import { serialiserOf } from '../schema-compilers.ts'
import { findNamedBuilding, type InBuilding } from '../v1/buildings.ts'
import { findNamedRoom, type InRoom } from '../v1/rooms.ts'
import {
  BuildingParams,
  conditional,
  errorResponses,
  PUT_ERRORS,
  ReadHeaders,
  Ref,
  RoomParams,
  readResponses,
  success,
  writeHeaders,
} from '../v1/schemas.ts'
import type { ProgrammeParts } from './programme.ts'

export type ComfortParts = ProgrammeParts

const IF_COMFORT =
  'The `ETag` of the settings you have; if they have changed since, nothing is written and the answer is `412`.'

/** How closely rooms are held at their setpoints. */
export function comfortRoutes(app: FastifyInstance, parts: ComfortParts): void {
  roomComfortRoutes(app, parts)
  buildingComfortRoutes(app, parts)
}

function roomComfortRoutes(app: FastifyInstance, { store, clock, onBuildingChanged }: ComfortParts): void {
  const path = '/buildings/:buildingId/rooms/:roomId/comfort'
  const onRequest = (request: FastifyRequest<InRoom>) => findNamedRoom(store, request)
  const about = { tags: ['Comfort'], params: RoomParams }
  const serialise = serialiserOf(app, Ref('RoomComfort'))

  const seenComfort = async (scope: RoomScope, ifMatch: string | undefined) => {
    if (ifMatch === undefined) return undefined
    const columns = await columnsOf(store, scope)
    requireTag(ifMatch, comfortOf(columns), serialise, 'comfort settings')
    return { what: 'comfort settings', columns }
  }

  app.get<InRoom>(
    path,
    {
      config: { actions: ['view'] },
      onRequest,
      schema: {
        operationId: 'getRoomComfort',
        summary: 'Comfort band, temperatures and type of the floor, blinds, and settings against mould of a room',
        ...about,
        headers: ReadHeaders,
        response: readResponses(success('The settings.', 'RoomComfort'), ['not_found', 'not_permitted']),
      },
    },
    async ({ roomScope }) => comfortOf(await columnsOf(store, roomScope)),
  )

  app.patch<InRoom & { Body: RoomComfortPatch }>(
    path,
    {
      config: { actions: ['plan', 'set_up'] },
      onRequest,
      schema: {
        operationId: 'patchRoomComfort',
        summary: 'Change comfort band, temperatures of the floor, blinds or settings against mould of a room',
        description: 'Only the fields sent change; one bad field, and nothing changes.',
        ...about,
        headers: writeHeaders(IF_COMFORT),
        body: Ref('RoomComfortPatch'),
        response: {
          200: success('The settings afterwards.', 'RoomComfort'),
          ...errorResponses(conditional(PUT_ERRORS)),
        },
      },
    },
    async ({ roomScope, reached, body, headers }) => {
      if (reached) requireFields(reached.membership, body)
      await changeRoom(store, clock, roomScope, body, await seenComfort(roomScope, headers['if-match']))
      onBuildingChanged(roomScope.buildingId)
      return comfortOf(await columnsOf(store, roomScope))
    },
  )
}

function buildingComfortRoutes(app: FastifyInstance, { store, clock, onBuildingChanged }: ComfortParts): void {
  const path = '/buildings/:buildingId/comfort'
  const onRequest = (request: FastifyRequest<InBuilding>) => findNamedBuilding(store, request)
  const about = { tags: ['Comfort'], params: BuildingParams }
  const serialise = serialiserOf(app, Ref('BuildingComfort'))

  const seenComfort = async (buildingId: string, ifMatch: string | undefined) => {
    if (ifMatch === undefined) return undefined
    const seen = await buildingComfortOf(store, buildingId)
    requireTag(ifMatch, seen, serialise, 'comfort setting')
    return seen
  }

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
        response: readResponses(success('The setting.', 'BuildingComfort'), ['not_found', 'not_permitted']),
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
        headers: writeHeaders(IF_COMFORT),
        body: Ref('BuildingComfort'),
        response: {
          200: success('The setting afterwards.', 'BuildingComfort'),
          ...errorResponses(conditional(PUT_ERRORS)),
        },
      },
    },
    async ({ building, body, headers }) => {
      await changeBuilding(store, clock, building.id, body, await seenComfort(building.id, headers['if-match']))
      onBuildingChanged(building.id)
      return buildingComfortOf(store, building.id)
    },
  )
}

const COMFORT_COLUMNS = [
  'comfortBandK',
  'maxFloorC',
  'floorType',
  'surfaceFactor',
  'mouldWarmingK',
  'floorTimes',
  'targetOf',
  'blinds',
] as const
type ComfortColumns = Pick<Selectable<RoomTable>, (typeof COMFORT_COLUMNS)[number]>

async function columnsOf({ db }: Store, { buildingId, roomId }: RoomScope): Promise<ComfortColumns> {
  const row = await db
    .selectFrom('rooms')
    .select(COMFORT_COLUMNS)
    .where('id', '=', roomId)
    .where('buildingId', '=', buildingId)
    .executeTakeFirst()
  if (!row) throw errors.noSuchRoom(roomId)
  return row
}

const comfortOf = (columns: ComfortColumns): RoomComfort => ({
  comfort_band: columns.comfortBandK,
  max_floor_temperature: columns.maxFloorC,
  floor_type: columns.floorType,
  surface_factor: columns.surfaceFactor,
  mould_warming: columns.mouldWarmingK,
  minimum_floor_temperature: columns.floorTimes === null ? null : JSON.parse(columns.floorTimes),
  target_of: columns.targetOf,
  blinds: columns.blinds === null ? null : JSON.parse(columns.blinds),
})

async function buildingComfortOf({ db }: Store, buildingId: string): Promise<BuildingComfort> {
  const row = await db.selectFrom('buildings').select('comfort').where('id', '=', buildingId).executeTakeFirst()
  if (!row) throw errors.noSuchBuilding(buildingId)
  return { comfort: row.comfort }
}
