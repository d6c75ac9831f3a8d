import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { errors } from '../../../base/errors.ts'
import { recentLines } from '../../../base/recent-lines.ts'
import { appBuildingsOf } from '../../../house/buildings/manage.ts'
import { problemReport } from '../../../house/problem-report.ts'
import { ofBuilding, textOf } from './answers.ts'
import type { HouseParts } from './buildings.ts'
import type { InBuilding } from './scope.ts'

/** The file of `hypocaust report`, about one building and without what belongs to the operator or to others. */
export function reportRoutes(app: FastifyInstance, { store, clock, availability }: HouseParts): void {
  app.get<InBuilding & { Querystring: { room_id?: string } }>(
    '/buildings/:buildingId/report',
    {
      config: { actions: ['report'] },
      schema: {
        hide: true,
        summary: 'Download a problem report about a building',
        params: ofBuilding,
        querystring: Type.Object({
          room_id: Type.Optional(Type.String({ description: 'With the last day of this room.' })),
        }),
        response: textOf('application/json', 'A file to attach to a problem report.'),
      },
    },
    async ({ signedIn: { accountId }, params: { buildingId }, query: { room_id: roomId } }, reply) => {
      const nowMs = clock.now()
      const [found] = await appBuildingsOf(store, accountId, { buildingId }, availability, nowMs)
      if (!found) throw errors.noSuchBuilding(buildingId)
      const { location: _, ...building } = found
      const room = building.rooms.find(({ id }) => id === roomId)
      if (roomId !== undefined && !room) throw errors.noSuchRoom(roomId)
      const known = [buildingId, ...building.rooms.map(({ id }) => id)]
      const report = await problemReport(store, nowMs, {
        buildingId,
        ...(room && { room }),
        more: { building },
        // A line of another building is for its owner alone.
        log: recentLines().filter((line) => known.some((id) => line.includes(id))),
      })
      reply.type('application/json; charset=utf-8').header('content-disposition', 'attachment')
      return `${JSON.stringify(report, null, 2)}\n`
    },
  )
}
