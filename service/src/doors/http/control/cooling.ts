import type { BuildingCooling, CoolingPut } from '@hypocaust/domain'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { errors } from '../../../base/errors.ts'
import { putCooling, seenCooling } from '../../../house/buildings/cooling.ts'
import { coolingOf } from '../../../house/cooling/view.ts'
import { roomsSeen } from '../../../house/membership.ts'
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

const IF_COOLING =
  'The `ETag` of the settings you have; if they have changed since, nothing is written and the answer is `412`.'

/** What a PUT can change; what was measured since is no reason to refuse one. */
const markOfCooling = ({ season, changeover, rooms }: BuildingCooling): string => markOf([season, changeover, rooms])

/** Season, targets and state of a building whose source can cool. */
export function coolingRoutes(app: FastifyInstance, { store, clock, onBuildingChanged }: ProgrammeParts): void {
  const path = '/buildings/:buildingId/cooling'
  const onRequest = (request: FastifyRequest<InBuilding>) => findNamedBuilding(store, request)
  const about = { tags: ['Cooling'], params: BuildingParams }

  const answer = async (request: FastifyRequest<InBuilding>): Promise<BuildingCooling> => {
    const { building, reached } = request
    if (!reached) throw errors.noSuchBuilding(building.id)
    const all = await coolingOf(store, building.id, clock.now())
    const seen = <Room extends { room_id: string }>(rooms: Room[]) =>
      roomsSeen(reached.membership, rooms, ({ room_id }) => room_id)
    const shown = { ...all, rooms: seen(all.rooms), state: { ...all.state, rooms: seen(all.state.rooms) } }
    request.settingsMark = markOfCooling(shown)
    return shown
  }

  app.get<InBuilding>(
    path,
    {
      config: { actions: ['view'] },
      onRequest,
      schema: {
        operationId: 'getCooling',
        summary: 'Season, cooling targets and state of a building',
        ...about,
        headers: ReadHeaders,
        response: readResponses(success('The settings and what the building does now.', 'Cooling'), [
          'not_found',
          'not_permitted',
        ]),
      },
    },
    answer,
  )

  app.put<InBuilding & { Body: CoolingPut }>(
    path,
    {
      config: { actions: ['plan'] },
      onRequest,
      schema: {
        operationId: 'putCooling',
        summary: 'Choose the season and what rooms are cooled to',
        description:
          'The building cools only while a gateway that is online can cool, and a room only while its humidity and the temperature of the water are known and far enough apart.',
        ...about,
        headers: writeHeaders(IF_COOLING),
        body: Ref('CoolingPut'),
        response: {
          200: success('The settings afterwards, and what the building does now.', 'Cooling'),
          ...errorResponses(conditional(PUT_ERRORS)),
        },
      },
    },
    async (request) => {
      const { building, body, headers } = request
      const ifMatch = headers['if-match']
      const seen = ifMatch === undefined ? undefined : await seenCooling(store, building.id)
      if (ifMatch !== undefined && !meetsMark(ifMatch, markOfCooling(await answer(request))))
        throw errors.preconditionFailed('cooling settings')
      await putCooling(store, clock, building.id, body, seen)
      onBuildingChanged(building.id)
      return answer(request)
    },
  )
}
