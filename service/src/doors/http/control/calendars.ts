import { Calendar, type CalendarPut } from '@hypocaust/domain'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { CalendarDesk, type CalendarDoorParts, MAX_CALENDAR_BODY_BYTES } from '../calendars.ts'
import { sendNull } from '../send-null.ts'
import { findNamedBuilding, type InBuilding } from '../v1/buildings.ts'
import { exampleOf } from '../v1/examples.ts'
import {
  BuildingParams,
  DELETE_ERRORS,
  errorResponses,
  PUT_ERRORS,
  ReadHeaders,
  Ref,
  readResponses,
  success,
} from '../v1/schemas.ts'

interface InCalendar {
  Params: { buildingId: string; calendarId: string }
}

const CalendarParams = Type.Object({
  ...BuildingParams.properties,
  calendarId: Type.String({
    description: 'The `id` of a calendar, in upper or lower case.',
    examples: [exampleOf(Calendar.properties.id)],
  }),
})

const REMOVED = {
  description: 'There is no such calendar any more.',
  content: { 'application/json': { schema: { type: 'null' }, examples: { removed: { value: null } } } },
}

/** Calendars that the programme follows. */
export function calendarRoutes(app: FastifyInstance, parts: CalendarDoorParts): void {
  const { store } = parts
  const desk = new CalendarDesk(parts)
  const path = '/buildings/:buildingId/calendars'
  const config = { actions: ['plan' as const] }
  const common = { config, onRequest: (request: FastifyRequest<InBuilding>) => findNamedBuilding(store, request) }
  const ofOne = {
    config,
    async onRequest(request: FastifyRequest<InCalendar>) {
      await findNamedBuilding(store, request)
      await desk.require(request.building.id, request.params.calendarId)
    },
  }
  const tags = ['Calendars']

  app.get<InBuilding>(
    path,
    {
      ...common,
      schema: {
        operationId: 'getCalendars',
        summary: 'The calendars of a building, and their next events',
        description: 'Addresses are secrets and are not shown.',
        ...{ tags, params: BuildingParams, headers: ReadHeaders },
        response: readResponses(success('The calendars.', 'Calendars'), ['not_found', 'not_permitted']),
      },
    },
    ({ building }) => desk.list(building.id),
  )

  app.post<InBuilding & { Body: CalendarPut }>(
    path,
    {
      ...common,
      bodyLimit: MAX_CALENDAR_BODY_BYTES,
      schema: {
        operationId: 'addCalendar',
        summary: 'Add a calendar to a building',
        description:
          'The calendar is read before the answer is sent, and about every half hour afterwards. One that cannot be read is added too; `problem` says why.',
        ...{ tags, params: BuildingParams },
        body: Ref('CalendarPut'),
        response: { 200: success('The calendar.', 'Calendar'), ...errorResponses(PUT_ERRORS) },
      },
    },
    ({ building, body }) => desk.add(building.id, body),
  )

  app.put<InCalendar & { Body: CalendarPut }>(
    `${path}/:calendarId`,
    {
      ...ofOne,
      bodyLimit: MAX_CALENDAR_BODY_BYTES,
      schema: {
        operationId: 'putCalendar',
        summary: 'Change a calendar of a building',
        description: 'Its address or content stays unless another is sent.',
        ...{ tags, params: CalendarParams },
        body: Ref('CalendarPut'),
        response: { 200: success('The calendar afterwards.', 'Calendar'), ...errorResponses(PUT_ERRORS) },
      },
    },
    ({ building, params, body }) => desk.put(building.id, params.calendarId.toLowerCase(), body),
  )

  app.delete<InCalendar>(
    `${path}/:calendarId`,
    {
      ...ofOne,
      schema: {
        operationId: 'deleteCalendar',
        summary: 'Remove a calendar from a building',
        description: 'Nothing follows from its events any more. The answer is null.',
        ...{ tags, params: CalendarParams },
        response: { 200: REMOVED, ...errorResponses([...DELETE_ERRORS, 'invalid_value']) },
      },
    },
    async (request, reply) => {
      await desk.remove(request.building.id, request.params.calendarId.toLowerCase())
      return sendNull(reply)
    },
  )
}
