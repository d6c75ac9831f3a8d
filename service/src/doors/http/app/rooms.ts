import {
  AppRoom,
  AppRoomPatch,
  DAY_S,
  NewRoom,
  RoomAir,
  RoomDiagnosis,
  RoomExplanation,
  RoomHistory,
} from '@hypocaust/domain'
import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import type { Clock } from '../../../base/clock.ts'
import { errors } from '../../../base/errors.ts'
import { airOf } from '../../../house/air/air.ts'
import { diagnosisOf } from '../../../house/diagnosis/diagnosis.ts'
import { explainRoom } from '../../../house/heating/explanation.ts'
import { requireFields } from '../../../house/membership.ts'
import { historyOf } from '../../../house/readings/history.ts'
import { appRoomsOf } from '../../../house/rooms/app-rooms.ts'
import { addRoom, changeRoom, removeRoom } from '../../../house/rooms/manage.ts'
import type { RoomScope } from '../../../house/rooms/write.ts'
import { endedWithRooms } from '../../../people/alerts/removed-rooms.ts'
import type { Store } from '../../../store/store.ts'
import { costOfSpan } from '../cost.ts'
import { diagnosisView } from '../diagnosis-view.ts'
import { explanationView } from '../explanation-view.ts'
import { DONE, ofBuilding, ofRoom, textOf } from './answers.ts'
import type { HouseParts } from './buildings.ts'
import { csvOf } from './csv.ts'
import type { InBuilding, InRoom } from './scope.ts'

const MAX_SPAN_S = 3 * 366 * DAY_S
const Span = Type.Object(
  {
    from: Type.String({ pattern: '^\\d{1,11}$', description: 'Epoch seconds.' }),
    to: Type.String({ pattern: '^\\d{1,11}$', description: 'Epoch seconds.' }),
  },
  { additionalProperties: false },
)
type Span = { from: string; to: string }

/** Where nothing has been decided for the room. */
const NOTHING_YET = { 204: Type.Null({ description: 'Nothing has been decided for this room yet.' }) }

export function appRoomRoutes(app: FastifyInstance, parts: HouseParts): void {
  addRoute(app, parts)
  changeRoute(app, parts)
  removeRoute(app, parts)
  historyRoute(app, parts)
  historyTableRoute(app, parts)
  explanationRoute(app, parts)
  diagnosisRoute(app, parts)
  airRoute(app, parts)
}

function addRoute(app: FastifyInstance, { store, clock, onBuildingChanged, quotas }: HouseParts): void {
  app.post<InBuilding & { Body: NewRoom }>(
    '/buildings/:buildingId/rooms',
    {
      config: { actions: ['set_up'] },
      schema: { hide: true, summary: 'Add a room', params: ofBuilding, body: NewRoom, response: { 200: AppRoom } },
    },
    async ({ params: { buildingId }, body }) => {
      const roomId = await addRoom(store, clock, buildingId, body, quotas)
      onBuildingChanged(buildingId)
      return roomOf(store, clock, { buildingId, roomId })
    },
  )
}

function changeRoute(app: FastifyInstance, { store, clock, onBuildingChanged }: HouseParts): void {
  app.patch<InRoom & { Body: AppRoomPatch }>(
    '/rooms/:roomId',
    {
      config: { actions: ['steer'] },
      schema: { hide: true, summary: 'Change a room', params: ofRoom, body: AppRoomPatch, response: { 200: AppRoom } },
    },
    async ({ roomScope, membership, body }) => {
      requireFields(membership, body)
      await changeRoom(store, clock, roomScope, body)
      onBuildingChanged(roomScope.buildingId)
      return roomOf(store, clock, roomScope)
    },
  )
}

function removeRoute(app: FastifyInstance, { store, clock, onBuildingChanged }: HouseParts): void {
  app.delete<InRoom>(
    '/rooms/:roomId',
    {
      config: { actions: ['set_up'] },
      schema: { hide: true, summary: 'Remove a room', params: ofRoom, response: DONE },
    },
    async ({ roomScope }, reply) => {
      const ended = await endedWithRooms(store, [roomScope.roomId], clock.now())
      await removeRoom(store, clock, roomScope, ended)
      onBuildingChanged(roomScope.buildingId)
      return reply.code(204).send()
    },
  )
}

function historyRoute(app: FastifyInstance, { store, clock }: HouseParts): void {
  app.get<InRoom & { Querystring: Span }>(
    '/rooms/:roomId/history',
    {
      config: { actions: ['view'], cost: costOfSpan(clock) },
      schema: {
        hide: true,
        summary: 'Temperature, setpoint and power of a room over time',
        params: ofRoom,
        querystring: Span,
        response: { 200: RoomHistory },
      },
    },
    async ({ roomScope, query }) => {
      const room = await roomOf(store, clock, roomScope)
      return historyOf(store, room, spanOf(query))
    },
  )
}

function historyTableRoute(app: FastifyInstance, { store, clock }: HouseParts): void {
  app.get<InRoom & { Querystring: Span }>(
    '/rooms/:roomId/history.csv',
    {
      config: { actions: ['view'], cost: costOfSpan(clock) },
      schema: {
        hide: true,
        summary: 'The same as a table',
        params: ofRoom,
        querystring: Span,
        response: textOf('text/csv', 'One line a step, decimal points, times in UTC.'),
      },
    },
    async ({ roomScope, query }, reply) => {
      const room = await roomOf(store, clock, roomScope)
      const history = await historyOf(store, room, spanOf(query))
      reply.type('text/csv; charset=utf-8').header('content-disposition', 'attachment')
      return csvOf(history)
    },
  )
}

function explanationRoute(app: FastifyInstance, { store, clock }: HouseParts): void {
  app.get<InRoom>(
    '/rooms/:roomId/explanation',
    {
      config: { actions: ['view'] },
      schema: {
        hide: true,
        summary: 'Why the floor of a room is doing what it does',
        params: ofRoom,
        response: { 200: RoomExplanation, ...NOTHING_YET },
      },
    },
    async ({ roomScope }, reply) => {
      const explanation = await explainRoom(store, roomScope.roomId, clock.now())
      return explanation ? explanationView(explanation) : reply.code(204).send()
    },
  )
}

function diagnosisRoute(app: FastifyInstance, { store, clock }: HouseParts): void {
  app.get<InRoom>(
    '/rooms/:roomId/diagnosis',
    {
      config: { actions: ['view'] },
      schema: {
        hide: true,
        summary: 'What is probably wrong with the heating of a room',
        params: ofRoom,
        response: { 200: RoomDiagnosis, 204: Type.Null({ description: 'Too little of this room is known yet.' }) },
      },
    },
    async ({ roomScope, membership }, reply) => {
      const diagnosed = await diagnosisOf(store, roomScope, clock.now())
      return diagnosed ? diagnosisView(diagnosed, membership) : reply.code(204).send()
    },
  )
}

function airRoute(app: FastifyInstance, { store, clock }: HouseParts): void {
  app.get<InRoom>(
    '/rooms/:roomId/air',
    {
      config: { actions: ['view'] },
      schema: {
        hide: true,
        summary: 'How humid a room is, whether mould may grow, and whether airing helps',
        params: ofRoom,
        response: { 200: RoomAir },
      },
    },
    async ({ roomScope: { buildingId, roomId } }) => {
      const air = (await airOf(store, buildingId, clock.now())).get(roomId)
      if (!air) throw errors.noSuchRoom(roomId)
      return air
    },
  )
}

export async function roomOf(store: Store, clock: Clock, { buildingId, roomId }: RoomScope): Promise<AppRoom> {
  const room = (await appRoomsOf(store, buildingId, clock.now())).find(({ id }) => id === roomId)
  if (!room) throw errors.noSuchRoom(roomId)
  return room
}

function spanOf({ from, to }: Span) {
  const length = Number(to) - Number(from)
  if (length <= 0 || length > MAX_SPAN_S) throw errors.invalidValue('to must be after from, and within three years')
  return { fromMs: Number(from) * 1000, toMs: Number(to) * 1000 }
}
