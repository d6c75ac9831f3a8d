import type { BuildingHotWater, HotWaterPut } from '@hypocaust/domain'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { errors } from '../../../base/errors.ts'
import type { Availability } from '../../../house/buildings/buildings.ts'
import { hotWaterOf, putHotWater, storedHotWater } from '../../../house/buildings/hot-water.ts'
import { markOf, meetsMark } from '../etag.ts'
import { findNamedBuilding, type InBuilding } from '../v1/buildings.ts'
import {
  BuildingParams,
  conditional,
  errorResponses,
  PUT_ERRORS,
  ReadHeaders,
  Ref,
  readResponses,
  success,
  writeHeaders,
} from '../v1/schemas.ts'
import type { ProgrammeParts } from './programme.ts'

const IF_HOT_WATER =
  'The `ETag` of the settings you have; if they have changed since, nothing is written and the answer is `412`.'

/** The tank of a building: how hot it is to be when, and what it does now. */
export function hotWaterRoutes(app: FastifyInstance, parts: ProgrammeParts & { availability: Availability }): void {
  const { store, clock, availability, onBuildingChanged } = parts
  const path = '/buildings/:buildingId/hot-water'
  const onRequest = (request: FastifyRequest<InBuilding>) => findNamedBuilding(store, request)
  const about = { tags: ['Hot water'], params: BuildingParams }

  const answer = async (request: FastifyRequest<InBuilding>): Promise<BuildingHotWater> => {
    const shown = await hotWaterOf(store, request.building.id, availability, clock.now())
    request.settingsMark = markOf(shown.settings)
    return shown
  }

  app.get<InBuilding>(
    path,
    {
      config: { actions: ['view'] },
      onRequest,
      schema: {
        operationId: 'getHotWater',
        summary: 'Settings and state of the hot water of a building',
        ...about,
        headers: ReadHeaders,
        response: readResponses(success('The settings and what the tank does now.', 'HotWater'), [
          'not_found',
          'not_permitted',
        ]),
      },
    },
    answer,
  )

  app.put<InBuilding & { Body: HotWaterPut }>(
    path,
    {
      config: { actions: ['plan'] },
      onRequest,
      schema: {
        operationId: 'putHotWater',
        summary: 'Choose how hot the tank is to be, and when',
        description:
          'The control asks for charges where a gateway can ask the source for them, and else foresees when the source makes hot water. The own control of the source stays in charge: it is never kept from heating the tank. Settings in which legionella grow are refused with the reason.',
        ...about,
        headers: writeHeaders(IF_HOT_WATER),
        body: Ref('HotWaterPut'),
        response: {
          200: success('The settings afterwards, and what the tank does now.', 'HotWater'),
          ...errorResponses(conditional(PUT_ERRORS)),
        },
      },
    },
    async (request) => {
      const { building, body, headers } = request
      const ifMatch = headers['if-match']
      const seen = ifMatch === undefined ? undefined : { hotWater: await storedHotWater(store, building.id) }
      if (ifMatch !== undefined && !meetsMark(ifMatch, markOf((await answer(request)).settings)))
        throw errors.preconditionFailed('hot water settings')
      await putHotWater(store, clock, building.id, body, seen)
      onBuildingChanged(building.id)
      return answer(request)
    },
  )
}
