import type { Programme, ProgrammeCopies } from '@hypocaust/domain'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Clock } from '../../../base/clock.ts'
import { programmeFeed } from '../../../house/calendars/programme-feed.ts'
import { changeRoom, copyPlan } from '../../../house/rooms/manage.ts'
import { planRowOf, programmeOf } from '../../../house/rooms/schedule-inputs.ts'
import type { Store } from '../../../store/store.ts'
import { partOrNull } from '../part-or-null.ts'
import { sendNull } from '../send-null.ts'
import { findNamedRoom, type InRoom } from '../v1/rooms.ts'
import {
  conditional,
  DELETE_ERRORS,
  errorResponses,
  PUT_ERRORS,
  ReadHeaders,
  Ref,
  RoomParams,
  readResponses,
  success,
  successOrNull,
  writeHeaders,
} from '../v1/schemas.ts'

export interface ProgrammeParts {
  store: Store
  clock: Clock
  onBuildingChanged(buildingId: string): void
}

const NONE = {
  description: 'There is none any more.',
  content: { 'application/json': { schema: { type: 'null' }, examples: { removed: { value: null } } } },
}

const IF_PROGRAMME =
  'The `ETag` of the programme you have, also where it is null; if it has changed since, nothing is written and the answer is `412`.'

/** When a room is warm. */
export function programmeRoutes(app: FastifyInstance, { store, clock, onBuildingChanged }: ProgrammeParts): void {
  const path = '/buildings/:buildingId/rooms/:roomId/programme'
  const onRequest = (request: FastifyRequest<InRoom>) => findNamedRoom(store, request)
  const about = { tags: ['Programme'], params: RoomParams }
  const { answer, seen } = partOrNull(app, {
    name: 'programme',
    schema: 'Programme',
    stored: (roomId) => planRowOf(store, roomId),
    shown: programmeOf,
  })

  const seenPlan = async (roomId: string, ifMatch: string | undefined) => {
    const row = await seen(roomId, ifMatch)
    return row && { what: 'programme', columns: { programme: row.programme, nightMode: row.nightMode } }
  }

  app.get<InRoom>(
    path,
    {
      config: { actions: ['view'] },
      onRequest,
      schema: {
        operationId: 'getProgramme',
        summary: 'The programme of a room',
        description: 'Null when there is none. A night mode is shown as the programme that it is.',
        ...about,
        headers: ReadHeaders,
        response: readResponses(successOrNull('The programme, or null.', 'Programme'), ['not_found', 'not_permitted']),
      },
    },
    ({ roomScope }, reply) => answer(roomScope.roomId, reply),
  )

  app.put<InRoom & { Body: Programme }>(
    path,
    {
      config: { actions: ['plan'] },
      onRequest,
      schema: {
        operationId: 'putProgramme',
        summary: 'Set the programme of a room',
        description: 'Replaces the programme or night mode that was set before. It must have at least one step.',
        ...about,
        headers: writeHeaders(IF_PROGRAMME),
        body: Ref('Programme'),
        response: { 200: successOrNull('The programme.', 'Programme'), ...errorResponses(conditional(PUT_ERRORS)) },
      },
    },
    async ({ roomScope, body: programme, headers }, reply) => {
      const seen = await seenPlan(roomScope.roomId, headers['if-match'])
      await changeRoom(store, clock, roomScope, { programme }, seen)
      onBuildingChanged(roomScope.buildingId)
      return answer(roomScope.roomId, reply)
    },
  )

  app.delete<InRoom>(
    path,
    {
      config: { actions: ['plan'] },
      onRequest,
      schema: {
        operationId: 'deleteProgramme',
        summary: 'Remove the programme of a room',
        description: 'The room is held at its target day and night. The answer is null, also when there was none.',
        ...about,
        headers: writeHeaders(IF_PROGRAMME),
        response: { 200: NONE, ...errorResponses(conditional(DELETE_ERRORS)) },
      },
    },
    async ({ roomScope, headers }, reply) => {
      const seen = await seenPlan(roomScope.roomId, headers['if-match'])
      await changeRoom(store, clock, roomScope, { programme: null, night_mode: null }, seen)
      onBuildingChanged(roomScope.buildingId)
      return sendNull(reply)
    },
  )

  app.get<InRoom>(
    `${path}/calendar`,
    {
      config: { actions: ['view'] },
      onRequest,
      schema: {
        operationId: 'getProgrammeCalendar',
        summary: 'The programme of a room as a calendar',
        description:
          'What the room is planned to be for four weeks, in the iCalendar format: programme, absences and calendars, without overrides and who is home.',
        ...about,
        headers: ReadHeaders,
        response: readResponses(success('The calendar.', 'ProgrammeCalendar'), ['not_found', 'not_permitted']),
      },
    },
    async ({ roomScope }) => ({ content: await programmeFeed(store, roomScope.roomId, clock.now()) }),
  )

  app.post<InRoom & { Body: ProgrammeCopies }>(
    `${path}/copies`,
    {
      config: { actions: ['plan'] },
      onRequest,
      schema: {
        operationId: 'copyProgramme',
        summary: 'Copy the programme of a room to other rooms',
        description: 'All of them or none. A room without a programme makes the others rooms without one.',
        ...about,
        body: Ref('ProgrammeCopies'),
        response: { 200: success('The rooms that have it now.', 'ProgrammeCopies'), ...errorResponses(PUT_ERRORS) },
      },
    },
    async (request) => {
      const { roomScope, body } = request
      const roomIds = body.room_ids.map((id) => id.toLowerCase())
      await copyPlan(store, clock, roomScope, roomIds)
      onBuildingChanged(roomScope.buildingId)
      return { room_ids: roomIds }
    },
  )
}
