import {
  AppOutlook,
  AppOutlooks,
  AppPlan,
  AppPromises,
  AppWarmUp,
  HOUR_MS,
  localTime,
  minuteOf,
  momentOf,
  WarmUpQuery,
} from '@hypocaust/domain'
import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { errors } from '../../../base/errors.ts'
import { findBuilding } from '../../../house/buildings/buildings.ts'
import { outlookOf, outlooksOf, planOf, warmUpOf } from '../../../house/heating/outlook.ts'
import { promisesOf } from '../../../house/heating/promises.ts'
import { OUTLOOK_COST, OUTLOOKS_COST } from '../cost.ts'
import { appOutlookView, planView, warmUpView } from '../outlook-view.ts'
import { ofBuilding, ofRoom } from './answers.ts'
import { appBuildingOf, type HouseParts } from './buildings.ts'
import { roomOf } from './rooms.ts'
import type { InBuilding, InRoom } from './scope.ts'

/** Nearer ones are tomorrow's: a floor needs a while, and the plan sees a day and a few hours. */
const PREVIEWED_FROM_MS = 3 * HOUR_MS

/** What lies ahead of the rooms. */
export function appOutlookRoutes(app: FastifyInstance, parts: HouseParts): void {
  outlookRoutes(app, parts)
  planRoutes(app, parts)
  warmUpRoute(app, parts)
}

function outlookRoutes(app: FastifyInstance, parts: HouseParts): void {
  const { store, clock, availability } = parts

  app.get<InRoom>(
    '/rooms/:roomId/outlook',
    {
      config: { actions: ['view'], cost: OUTLOOK_COST },
      schema: {
        hide: true,
        summary: 'What a room is heated towards, and what comes of it',
        params: ofRoom,
        response: { 200: AppOutlook },
      },
    },
    async ({ roomScope }) => {
      const [room, outlook] = await Promise.all([
        roomOf(store, clock, roomScope),
        outlookOf(store, availability, roomScope, clock.now()),
      ])
      return appOutlookView(outlook, room.power, room.area_m2)
    },
  )

  app.get<InBuilding>(
    '/buildings/:buildingId/outlooks',
    {
      config: { actions: ['view'], ...OUTLOOKS_COST },
      schema: {
        hide: true,
        summary: 'The outlook of every room of a building, by its id',
        params: ofBuilding,
        response: { 200: AppOutlooks },
      },
    },
    async ({ signedIn, params: { buildingId } }) => {
      const [building, outlooks] = await Promise.all([
        appBuildingOf(parts, signedIn.accountId, buildingId),
        outlooksOf(store, availability, buildingId, clock.now()),
      ])
      return Object.fromEntries(
        building.rooms.flatMap(({ id, power, area_m2 }) => {
          const outlook = outlooks.get(id)
          return outlook ? [[id, appOutlookView(outlook, power, area_m2)]] : []
        }),
      )
    },
  )
}

function planRoutes(app: FastifyInstance, { store, clock, availability }: HouseParts): void {
  app.get<InRoom>(
    '/rooms/:roomId/plan',
    {
      config: { actions: ['view'], cost: OUTLOOK_COST },
      schema: {
        hide: true,
        summary: 'What the plan of a room expects, step by step',
        params: ofRoom,
        response: { 200: AppPlan },
      },
    },
    async ({ roomScope }) => {
      const { plan, prices } = await planOf(store, availability, roomScope, clock.now())
      return planView(plan, prices)
    },
  )

  app.get<InRoom>(
    '/rooms/:roomId/promises',
    {
      config: { actions: ['view'] },
      schema: {
        hide: true,
        summary: 'On how many of the last mornings a room was as warm as promised',
        params: ofRoom,
        response: { 200: AppPromises },
      },
    },
    ({ roomScope }) => promisesOf(store, roomScope),
  )
}

function warmUpRoute(app: FastifyInstance, { store, clock, availability }: HouseParts): void {
  app.get<InRoom & { Querystring: WarmUpQuery }>(
    '/rooms/:roomId/warm-up',
    {
      config: { actions: ['view'] },
      schema: {
        hide: true,
        summary: 'From when a floor would be heated for a step that is being edited',
        params: ofRoom,
        querystring: WarmUpQuery,
        response: { 200: AppWarmUp, 204: Type.Null({ description: 'The room has not been measured yet.' }) },
      },
    },
    async ({ roomScope, query }, reply) => {
      const building = await findBuilding(store, roomScope.buildingId)
      if (!building) throw errors.noSuchRoom(roomScope.roomId)
      const nowMs = clock.now()
      const step = {
        atMs: nextAt(building.timezone, query.at, nowMs + PREVIEWED_FROM_MS),
        fromC: Number(query.from),
        toC: Number(query.to),
      }
      if (step.toC <= step.fromC) throw errors.invalidValue('to must be above from.')
      const [room, warmUp] = await Promise.all([
        roomOf(store, clock, roomScope),
        warmUpOf(store, availability, roomScope, nowMs, step),
      ])
      return warmUp ? warmUpView(warmUp, room.area_m2) : reply.code(204).send()
    },
  )
}

/** When the clock of the building next shows this time. */
function nextAt(timeZone: string, clock: string, fromMs: number): number {
  const { day } = localTime(timeZone, fromMs)
  const today = momentOf(timeZone, day, minuteOf(clock))
  return today >= fromMs ? today : momentOf(timeZone, day + 1, minuteOf(clock))
}
