import { DesignQuery, HouseReportQuery } from '@hypocaust/domain'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Clock } from '../../../base/clock.ts'
import { Replays } from '../../../house/replays/replays.ts'
import { balancing } from '../../../house/reports/balancing.ts'
import { houseReport } from '../../../house/reports/house-report.ts'
import type { Store } from '../../../store/store.ts'
import { designOutdoorC, REPORT_COST, reportQuestion } from '../report-query.ts'
import { findNamedBuilding, type InBuilding } from './buildings.ts'
import { BuildingParams, QUERY_ERRORS, ReadHeaders, readResponses, success } from './schemas.ts'

/** What a house is like, for those who plan its heating. */
export function houseReportRoutes(app: FastifyInstance, { store, clock }: { store: Store; clock: Clock }): void {
  const replays = new Replays()
  app.addHook('onClose', () => replays.stop())
  const onRequest = (request: FastifyRequest<InBuilding>) => findNamedBuilding(store, request)
  const config = { actions: ['set_up' as const], ...REPORT_COST }
  const about = { tags: ['Buildings'], params: BuildingParams, headers: ReadHeaders }

  app.get<InBuilding & { Querystring: HouseReportQuery }>(
    '/buildings/:buildingId/house-report',
    {
      config,
      onRequest,
      schema: {
        operationId: 'getHouseReport',
        summary: 'What a house loses, and what it needs at design weather',
        description:
          'From the learned models of the rooms and their last two weeks. Kilowatts only where a heat meter counted all of it. An answer takes a second or more.',
        ...about,
        querystring: HouseReportQuery,
        response: readResponses(success('The report.', 'HouseReport'), [...QUERY_ERRORS, 'not_permitted']),
      },
    },
    ({ building, query }) => houseReport({ store, replays }, building.id, reportQuestion(query), clock.now()),
  )

  app.get<InBuilding & { Querystring: DesignQuery }>(
    '/buildings/:buildingId/balancing',
    {
      config,
      onRequest,
      schema: {
        operationId: 'getBalancing',
        summary: 'By how much the water of each loop should change',
        description:
          'From the learned models of the rooms and their last two weeks, without flow meters. An answer takes a second or more.',
        ...about,
        querystring: DesignQuery,
        response: readResponses(success('The advice.', 'Balancing'), [...QUERY_ERRORS, 'not_permitted']),
      },
    },
    ({ building, query }) =>
      balancing({ store, replays }, building.id, designOutdoorC(query.outdoor_temperature), clock.now()),
  )
}
