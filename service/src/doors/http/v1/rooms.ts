import { type Room, type RoomPatch, type RoomPatches, UUID_PATTERN } from '@hypocaust/domain'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import type { Clock } from '../../../base/clock.ts'
import { errors } from '../../../base/errors.ts'
import { diagnosisOf } from '../../../house/diagnosis/diagnosis.ts'
import { explainRoom } from '../../../house/heating/explanation.ts'
import { requireFields, roomsSeen } from '../../../house/membership.ts'
import { historyOf } from '../../../house/readings/history.ts'
import { patchRoom, patchRooms } from '../../../house/rooms/manage.ts'
import type { RoomLists } from '../../../house/rooms/room-lists.ts'
import { findRoom, type RoomRow, roomsOf } from '../../../house/rooms/rooms.ts'
import { roomView } from '../../../house/rooms/view.ts'
import type { ReachedBuilding } from '../../../people/keys/keys.ts'
import type { Store } from '../../../store/store.ts'
import { costOfSpan } from '../cost.ts'
import { diagnosisView } from '../diagnosis-view.ts'
import { markOf, meetsMark } from '../etag.ts'
import { explanationView } from '../explanation-view.ts'
import type { RateLimits } from '../limits.ts'
import { sendNull } from '../send-null.ts'
import { HistoryQuery, historyView, spanOf } from './history.ts'
import { sendKept } from './kept-answer.ts'
import {
  BuildingParams,
  errorResponses,
  PUT_ERRORS,
  QUERY_ERRORS,
  ReadHeaders,
  Ref,
  RoomParams,
  readResponses,
  success,
  successOrNull,
  WRITE_ERRORS,
  writeHeaders,
} from './schemas.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The room named in the path, found before the body is read. */
    room: RoomRow
  }
}

interface InBuilding {
  Params: Static<typeof BuildingParams>
}

export interface InRoom {
  Params: Static<typeof RoomParams>
}

/** A transaction of many rooms; few enough for a scene at every press of a button. */
const PATCHES_COST = 5

/** As for buildings, ids are accepted in any case. The building was looked up together with the key. */
export async function findNamedRoom(store: Store, request: FastifyRequest<InRoom>): Promise<void> {
  const { reached, params } = request
  if (!reached) throw errors.noSuchBuilding(params.buildingId)
  const scope = { buildingId: reached.id, roomId: params.roomId.toLowerCase() }
  const room = UUID_PATTERN.test(scope.roomId) ? await findRoom(store, scope) : undefined
  if (!room) throw errors.noSuchRoom(params.roomId)
  request.room = room
  request.roomScope = scope
}

/** What a PATCH can change; `hvac_mode` follows from the power. */
const markOfRoom = ({ name, target_temperature, preset_mode, manual_power, sensor_id }: Room): string =>
  markOf([name, target_temperature, preset_mode, manual_power, sensor_id])

function marked(request: FastifyRequest, room: Room): Room {
  request.settingsMark = markOfRoom(room)
  return room
}

export interface RoomParts {
  store: Store
  clock: Clock
  /** Called once a change is on disk; what follows from it follows after the response. */
  onBuildingChanged(buildingId: string): void
}

export function roomRoutes(app: FastifyInstance, parts: RoomParts, limits: RateLimits, lists: RoomLists): void {
  app.decorateRequest('room')
  app.decorateRequest('roomScope')
  listRoute(app, limits, lists)
  readRoutes(app, parts)
  patchRoute(app, parts)
  patchRoomsRoute(app, parts)
}

function listRoute(app: FastifyInstance, limits: RateLimits, lists: RoomLists): void {
  app.get<InBuilding>(
    '/buildings/:buildingId/rooms',
    {
      config: { actions: ['view'], costsByAnswer: true },
      schema: {
        operationId: 'listRooms',
        summary: 'All rooms of a building',
        description: 'Each with the latest reading of its sensor. Poll every 30 to 60 seconds; send `If-None-Match`.',
        tags: ['Rooms'],
        params: BuildingParams,
        headers: ReadHeaders,
        response: readResponses(success('The rooms.', 'Room', 'list'), ['not_found']),
      },
    },
    async (request, reply) => {
      const { reached, params } = request
      if (!reached) throw errors.noSuchBuilding(params.buildingId)
      return sendKept(request, reply, limits, await lists.of(reached, reached.membership))
    },
  )
}

/** A room, its past, and why its floor does what it does. */
function readRoutes(app: FastifyInstance, { store, clock }: RoomParts): void {
  const roomExists = (request: FastifyRequest<InRoom>) => findNamedRoom(store, request)

  app.get<InRoom>(
    '/buildings/:buildingId/rooms/:roomId',
    {
      config: { actions: ['view'] },
      onRequest: roomExists,
      schema: {
        operationId: 'getRoom',
        summary: 'One room',
        tags: ['Rooms'],
        params: RoomParams,
        headers: ReadHeaders,
        response: readResponses(success('The room.', 'Room'), ['not_found']),
      },
    },
    async (request) => marked(request, roomView(request.room, clock.now())),
  )

  app.get<InRoom & { Querystring: HistoryQuery }>(
    '/buildings/:buildingId/rooms/:roomId/history',
    {
      config: { actions: ['view'], cost: costOfSpan(clock) },
      onRequest: roomExists,
      schema: {
        operationId: 'getHistory',
        summary: 'A room’s past',
        description:
          'Temperature, humidity, dew point, humidity at the coldest surface, power, setpoint and outdoor temperature between two times.',
        tags: ['Rooms'],
        params: RoomParams,
        querystring: HistoryQuery,
        headers: ReadHeaders,
        response: readResponses(success('The history.', 'History'), QUERY_ERRORS),
      },
    },
    async (request) => historyView(await historyOf(store, request.room, spanOf(request.query))),
  )

  app.get<InRoom>(
    '/buildings/:buildingId/rooms/:roomId/explanation',
    {
      config: { actions: ['view'] },
      onRequest: roomExists,
      schema: {
        operationId: 'getExplanation',
        summary: 'Why the floor of a room does what it does',
        description: 'The heating control’s latest decision for the room, as data and as a sentence.',
        tags: ['Rooms'],
        params: RoomParams,
        headers: ReadHeaders,
        response: readResponses(
          successOrNull('The decision; null while nothing has been decided for the room.', 'Explanation'),
          ['not_found'],
        ),
      },
    },
    async (request, reply) => {
      const explanation = await explainRoom(store, request.room.id, clock.now())
      return explanation ? explanationView(explanation) : sendNull(reply)
    },
  )

  app.get<InRoom>(
    '/buildings/:buildingId/rooms/:roomId/diagnosis',
    {
      config: { actions: ['view'] },
      onRequest: roomExists,
      schema: {
        operationId: 'getDiagnosis',
        summary: 'What is probably wrong with the heating of a room',
        description:
          'Causes with their probabilities, what shows them, and what to check first. `causes` is empty when nothing is probably wrong. Worked out about once a day from the last ten days of all rooms of the building.',
        tags: ['Rooms'],
        params: RoomParams,
        headers: ReadHeaders,
        response: readResponses(
          successOrNull('The diagnosis; null while too little of the room is known.', 'Diagnosis'),
          ['not_found'],
        ),
      },
    },
    async ({ roomScope, reached }, reply) => {
      if (!reached) throw errors.noSuchBuilding(roomScope.buildingId)
      const diagnosed = await diagnosisOf(store, roomScope, clock.now())
      return diagnosed ? diagnosisView(diagnosed, reached.membership) : sendNull(reply)
    },
  )
}

function patchRoute(app: FastifyInstance, { store, clock, onBuildingChanged }: RoomParts): void {
  app.patch<InRoom & { Body: RoomPatch }>(
    '/buildings/:buildingId/rooms/:roomId',
    {
      config: { actions: ['steer'] },
      onRequest: (request) => findNamedRoom(store, request),
      schema: {
        operationId: 'patchRoom',
        summary: 'Change settings of a room',
        description:
          'Only the fields sent change; one bad field, and nothing changes. The change is on disk before the answer is sent. `power` and `hvac_action` may follow shortly after. A `target_temperature` is a wish for now: it holds until the next step of the programme, in an absence until it ends, and is the base of the programme from then on.',
        tags: ['Rooms'],
        params: RoomParams,
        headers: writeHeaders(
          'The `ETag` of the room you have; if its settings have changed since, nothing is written and the answer is `412`. A new reading is no such change.',
        ),
        body: Ref('RoomPatch'),
        response: {
          200: success('The updated room.', 'Room'),
          ...errorResponses(WRITE_ERRORS),
        },
      },
    },
    async (request) => {
      const { room: seen, roomScope, body, headers, reached } = request
      if (reached) requireFields(reached.membership, body)
      const ifMatch = headers['if-match']
      if (ifMatch !== undefined && !meetsMark(ifMatch, markOfRoom(roomView(seen, clock.now()))))
        throw errors.preconditionFailed('room')
      const room = await patchRoom(store, clock, roomScope, body, ifMatch === undefined ? undefined : seen)
      onBuildingChanged(roomScope.buildingId)
      return marked(request, roomView(room, clock.now()))
    },
  )
}

function patchRoomsRoute(app: FastifyInstance, { store, clock, onBuildingChanged }: RoomParts): void {
  app.patch<InBuilding & { Body: RoomPatches }>(
    '/buildings/:buildingId/rooms',
    {
      config: { actions: ['steer'], cost: PATCHES_COST },
      schema: {
        operationId: 'patchRooms',
        summary: 'Change settings of several rooms',
        description: `As \`PATCH\` of each room, but all in one transaction: one bad field, or one room that is not there, and nothing changes. Costs ${PATCHES_COST} writes, however many rooms. It cannot be made conditional.`,
        tags: ['Rooms'],
        params: BuildingParams,
        body: Ref('RoomPatches'),
        response: {
          200: success('The updated rooms, in the order in which they were sent.', 'Room', 'list'),
          ...errorResponses([...PUT_ERRORS, 'unknown_sensor']),
        },
      },
    },
    async (request) => {
      const { reached, params, body } = request
      if (!reached) throw errors.noSuchBuilding(params.buildingId)
      const patches = body.rooms.map(({ id, ...patch }) => ({ roomId: id.toLowerCase(), patch }))
      await requireRooms(store, reached, patches)
      const rooms = await patchRooms(store, clock, reached.id, patches)
      onBuildingChanged(reached.id)
      return rooms.map((room) => roomView(room, clock.now()))
    },
  )
}

/** Each is there, once, and the key's holder may change in it what is to be changed. */
async function requireRooms(
  store: Store,
  { id, membership }: ReachedBuilding,
  patches: { roomId: string; patch: RoomPatch }[],
): Promise<void> {
  const known = new Set(roomsSeen(membership, await roomsOf(store, id), (room) => room.id).map((room) => room.id))
  const named = new Set<string>()
  for (const { roomId, patch } of patches) {
    if (!known.has(roomId)) throw errors.noSuchRoom(roomId)
    if (named.has(roomId)) throw errors.invalidValue(`rooms: the room ${roomId} occurs twice.`)
    named.add(roomId)
    requireFields(membership, patch)
  }
}
