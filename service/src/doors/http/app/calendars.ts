import { Calendar, CalendarPut, Calendars, CreatedProgrammeLink, ProgrammeLink } from '@hypocaust/domain'
import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { errors } from '../../../base/errors.ts'
import { programmeFeed } from '../../../house/calendars/programme-feed.ts'
import { linksOf, makeLink, revokeLink, roomOfLink } from '../../../people/links/programme-links.ts'
import { CalendarDesk, type CalendarDoorParts, MAX_CALENDAR_BODY_BYTES } from '../calendars.ts'
import { rateLimits } from '../common-limits.ts'
import { DONE, idOf, ofBuilding, ofRoom, textOf } from './answers.ts'
import type { InBuilding, InRoom } from './scope.ts'
import { siteOf } from './site.ts'

interface AppCalendarParts extends CalendarDoorParts {
  publicUrl: string | undefined
}

interface InCalendar {
  Params: { buildingId: string; calendarId: string }
}

interface OfLink {
  Params: { roomId: string; linkId: string }
}

const ofCalendar = Type.Object({ ...ofBuilding.properties, ...idOf('calendarId', 'calendar').properties })
const ofLink = Type.Object({ ...ofRoom.properties, ...idOf('linkId', 'link').properties })
/** Of one room in a minute; a calendar that subscribes asks every few hours. */
const LINK_READS = 60
const CALENDAR_FILE = textOf('text/calendar', 'What the room is planned to be for four weeks.')

/** Calendars that the programme follows, and the programme as a calendar. */
export function appCalendarRoutes(app: FastifyInstance, parts: AppCalendarParts): void {
  calendarRoutes(app, parts)
  feedRoute(app, parts)
  linkRoutes(app, parts)
}

function calendarRoutes(app: FastifyInstance, parts: AppCalendarParts): void {
  const desk = new CalendarDesk(parts)
  const path = '/buildings/:buildingId/calendars'
  const config = { actions: ['plan' as const] }
  const about = { hide: true, params: ofBuilding }

  app.get<InBuilding>(
    path,
    { config, schema: { ...about, summary: 'The calendars of a building', response: { 200: Calendars } } },
    ({ params: { buildingId } }) => desk.list(buildingId),
  )

  app.post<InBuilding & { Body: CalendarPut }>(
    path,
    {
      config,
      bodyLimit: MAX_CALENDAR_BODY_BYTES,
      schema: { ...about, summary: 'Add a calendar, and read it', body: CalendarPut, response: { 200: Calendar } },
    },
    ({ params: { buildingId }, body }) => desk.add(buildingId, body),
  )

  app.put<InCalendar & { Body: CalendarPut }>(
    `${path}/:calendarId`,
    {
      config,
      bodyLimit: MAX_CALENDAR_BODY_BYTES,
      schema: {
        hide: true,
        summary: 'Change a calendar, and read it again; the address stays unless another is sent',
        params: ofCalendar,
        body: CalendarPut,
        response: { 200: Calendar },
      },
    },
    ({ params: { buildingId, calendarId }, body }) => desk.put(buildingId, calendarId, body),
  )

  app.delete<InCalendar>(
    `${path}/:calendarId`,
    { config, schema: { hide: true, summary: 'Remove a calendar', params: ofCalendar, response: DONE } },
    async ({ params: { buildingId, calendarId } }, reply) => {
      await desk.remove(buildingId, calendarId)
      return reply.code(204).send()
    },
  )
}

function feedRoute(app: FastifyInstance, { store, clock }: AppCalendarParts): void {
  app.get<InRoom>(
    '/rooms/:roomId/programme.ics',
    {
      config: { actions: ['view'] },
      schema: { hide: true, summary: 'The programme of a room as a calendar', params: ofRoom, response: CALENDAR_FILE },
    },
    async ({ params: { roomId } }, reply) => {
      reply.type('text/calendar; charset=utf-8').header('content-disposition', 'attachment')
      return programmeFeed(store, roomId, clock.now())
    },
  )
}

function linkRoutes(app: FastifyInstance, { store, clock, publicUrl }: AppCalendarParts): void {
  const path = '/rooms/:roomId/programme/links'
  const config = { actions: ['plan' as const] }
  const about = { hide: true, params: ofRoom }

  app.get<InRoom>(
    path,
    {
      config,
      schema: {
        ...about,
        summary: 'The links that the person has made to the programme of a room',
        response: { 200: Type.Array(ProgrammeLink) },
      },
    },
    ({ signedIn: { accountId }, params: { roomId } }) => linksOf(store, { accountId, roomId }),
  )

  app.post<InRoom>(
    path,
    {
      config,
      schema: {
        ...about,
        summary: 'Make a link under which a calendar can subscribe to the programme; returned only once',
        response: { 200: CreatedProgrammeLink },
      },
    },
    async (request) => {
      const { signedIn, params } = request
      const site = siteOf(request, publicUrl)
      const maker = { accountId: signedIn.accountId, roomId: params.roomId }
      const { secret, ...link } = await makeLink(store, maker, clock.now())
      return { ...link, url: `${site}/app/programmes/${secret}.ics` }
    },
  )

  app.delete<OfLink>(
    `${path}/:linkId`,
    { config, schema: { hide: true, summary: 'Revoke a link, at once', params: ofLink, response: DONE } },
    async ({ signedIn: { accountId }, params: { roomId, linkId } }, reply) => {
      await revokeLink(store, { accountId, roomId }, linkId)
      return reply.code(204).send()
    },
  )
}

/** Open without a session: the link itself is the secret. */
export function openProgrammeRoute(
  app: FastifyInstance,
  { store, clock }: Pick<AppCalendarParts, 'store' | 'clock'>,
): void {
  const limits = rateLimits('programme links', { read: LINK_READS, write: 0 }, store, clock)

  app.get<{ Params: { file: string } }>(
    '/programmes/:file',
    {
      schema: {
        hide: true,
        security: [],
        summary: 'The programme of a room, for a calendar that subscribes to it',
        params: Type.Object({ file: Type.String({ description: 'The secret of a link, with the ending `.ics`.' }) }),
        response: CALENDAR_FILE,
      },
    },
    async ({ params: { file } }, reply) => {
      const roomId = await roomOfLink(store, file.replace(/\.ics$/, ''), clock.now())
      if (roomId === null) throw errors.noSuch('link', '[hidden]')
      const { exceeded, resetS } = await limits.spend(roomId, 'read')
      if (exceeded) throw errors.rateLimited(resetS)
      reply.type('text/calendar; charset=utf-8').header('cache-control', 'private, no-cache')
      return programmeFeed(store, roomId, clock.now())
    },
  )
}
