import { BuildingEnergy, BuildingFlexibility, HeatSourceNow } from '@hypocaust/domain'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { errors } from '../../../base/errors.ts'
import { Flexibility } from '../../../house/flexibility/flexibility.ts'
import { energyOf } from '../../../house/heat/energy.ts'
import { sourceNow } from '../../../house/heat/source-now.ts'
import { seesRoom } from '../../../house/membership.ts'
import { costOfSpan, FLEXIBILITY_COST } from '../cost.ts'
import { daySpanOf, EnergyQuery } from '../energy-query.ts'
import { ofBuilding, textOf } from './answers.ts'
import type { HouseParts } from './buildings.ts'
import { energyCsv } from './csv.ts'
import type { InBuilding } from './scope.ts'

export function appEnergyRoutes(app: FastifyInstance, parts: HouseParts): void {
  const { store, clock } = parts
  const flexibility = new Flexibility(parts)
  app.addHook('onClose', () => flexibility.stop())
  type Asked = InBuilding & { Querystring: EnergyQuery }
  const energyFor = async ({ params: { buildingId }, query, membership }: FastifyRequest<Asked>) => {
    const { timezone } = await store.db
      .selectFrom('buildings')
      .select('timezone')
      .where('id', '=', buildingId)
      .executeTakeFirstOrThrow(() => errors.noSuchBuilding(buildingId))
    const span = daySpanOf(query, timezone, clock.now())
    return energyOf(store, buildingId, span, (roomId) => seesRoom(membership, roomId))
  }

  app.get<Asked>(
    '/buildings/:buildingId/energy',
    {
      config: { actions: ['view'], cost: costOfSpan(clock) },
      schema: {
        hide: true,
        summary: 'Heat and cost of a building, room by room',
        params: ofBuilding,
        querystring: EnergyQuery,
        response: { 200: BuildingEnergy },
      },
    },
    energyFor,
  )

  app.get<Asked>(
    '/buildings/:buildingId/energy.csv',
    {
      config: { actions: ['view'], cost: costOfSpan(clock) },
      schema: {
        hide: true,
        summary: 'The same as a table',
        params: ofBuilding,
        querystring: EnergyQuery,
        response: textOf('text/csv', 'One line a room and day, decimal points.'),
      },
    },
    async (request, reply) => {
      reply.type('text/csv; charset=utf-8').header('content-disposition', 'attachment')
      return energyCsv(await energyFor(request))
    },
  )

  app.get<InBuilding>(
    '/buildings/:buildingId/heat-source',
    {
      config: { actions: ['view'] },
      schema: {
        hide: true,
        summary: 'Supply temperature of a building, and what it is decided by',
        params: ofBuilding,
        response: { 200: HeatSourceNow },
      },
    },
    ({ params: { buildingId }, membership }) =>
      sourceNow(parts, buildingId, clock.now(), (roomId) => seesRoom(membership, roomId)),
  )

  app.get<InBuilding>(
    '/buildings/:buildingId/flexibility',
    {
      config: { actions: ['view'], ...FLEXIBILITY_COST },
      schema: {
        hide: true,
        summary: 'What a building can do for the grid, and what it has done',
        params: ofBuilding,
        response: { 200: BuildingFlexibility },
      },
    },
    ({ params: { buildingId } }) => flexibility.of(buildingId),
  )
}
