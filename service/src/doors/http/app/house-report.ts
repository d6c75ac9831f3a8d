import { Balancing, DesignQuery, HouseReport, HouseReportQuery } from '@hypocaust/domain'
import type { FastifyInstance } from 'fastify'
import { Replays } from '../../../house/replays/replays.ts'
import { balancing } from '../../../house/reports/balancing.ts'
import { houseReport } from '../../../house/reports/house-report.ts'
import { designOutdoorC, REPORT_COST, reportQuestion } from '../report-query.ts'
import { ofBuilding } from './answers.ts'
import type { HouseParts } from './buildings.ts'
import type { InBuilding } from './scope.ts'

/** The pages House report and Balancing. */
export function appHouseReportRoutes(app: FastifyInstance, { store, clock }: HouseParts): void {
  const replays = new Replays()
  app.addHook('onClose', () => replays.stop())
  const config = { actions: ['set_up' as const], ...REPORT_COST }

  app.get<InBuilding & { Querystring: HouseReportQuery }>(
    '/buildings/:buildingId/house-report',
    {
      config,
      schema: {
        hide: true,
        summary: 'What a house loses, and what it needs at design weather',
        params: ofBuilding,
        querystring: HouseReportQuery,
        response: { 200: HouseReport },
      },
    },
    ({ params: { buildingId }, query }) =>
      houseReport({ store, replays }, buildingId, reportQuestion(query), clock.now()),
  )

  app.get<InBuilding & { Querystring: DesignQuery }>(
    '/buildings/:buildingId/balancing',
    {
      config,
      schema: {
        hide: true,
        summary: 'By how much the water of each loop should change',
        params: ofBuilding,
        querystring: DesignQuery,
        response: { 200: Balancing },
      },
    },
    ({ params: { buildingId }, query }) =>
      balancing({ store, replays }, buildingId, designOutdoorC(query.outdoor_temperature), clock.now()),
  )
}
