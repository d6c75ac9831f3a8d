import { AppLoops, LoopConfirmation, LoopDetails, LoopTest } from '@hypocaust/domain'
import type { FastifyInstance } from 'fastify'
import { confirmLoops, describeLoop, startSearch, startTest, stopRun } from '../../../house/loops/commands.ts'
import { loopsOf } from '../../../house/loops/view.ts'
import { ofBuilding } from './answers.ts'
import type { HouseParts } from './buildings.ts'
import type { InBuilding } from './scope.ts'

/** Which loop warms which room, and how that is found out. */
export function appLoopRoutes(app: FastifyInstance, { store, clock, onBuildingChanged }: HouseParts): void {
  const config = { actions: ['set_up' as const] }
  const response = { 200: AppLoops }
  const changed = (buildingId: string): Promise<AppLoops> => {
    onBuildingChanged(buildingId)
    return loopsOf(store, buildingId)
  }
  const schemaOf = (summary: string) => ({ hide: true, summary, params: ofBuilding, response })

  app.get<InBuilding>(
    '/buildings/:buildingId/loops',
    { config, schema: schemaOf('List the loops of a building with their rooms and tests') },
    ({ params }) => loopsOf(store, params.buildingId),
  )

  app.post<InBuilding & { Body: LoopTest }>(
    '/buildings/:buildingId/loops/test',
    { config, schema: { ...schemaOf('Open one loop for some minutes'), body: LoopTest } },
    async ({ params: { buildingId }, body }) => {
      await startTest(store, clock, buildingId, body)
      return changed(buildingId)
    },
  )

  app.post<InBuilding>(
    '/buildings/:buildingId/loops/search',
    { config, schema: schemaOf('Find out which loop warms which room') },
    async ({ params: { buildingId } }) => {
      await startSearch(store, clock, buildingId)
      return changed(buildingId)
    },
  )

  app.delete<InBuilding>(
    '/buildings/:buildingId/loops/run',
    { config, schema: schemaOf('Stop the test or the search') },
    async ({ params: { buildingId } }) => {
      await stopRun(store, clock, buildingId)
      return changed(buildingId)
    },
  )

  app.put<InBuilding & { Body: LoopConfirmation }>(
    '/buildings/:buildingId/loops/rooms',
    { config, schema: { ...schemaOf('Confirm which loops warm which rooms'), body: LoopConfirmation } },
    async ({ params: { buildingId }, body }) => {
      await confirmLoops(store, clock, buildingId, body)
      return changed(buildingId)
    },
  )

  app.put<InBuilding & { Body: LoopDetails }>(
    '/buildings/:buildingId/loops/details',
    { config, schema: { ...schemaOf('Enter what was built in for a loop'), body: LoopDetails } },
    async ({ params: { buildingId }, body }) => {
      await describeLoop(store, buildingId, body)
      return loopsOf(store, buildingId)
    },
  )
}
