import { AppScreed, ScreedRecord, ScreedStart } from '@hypocaust/domain'
import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { startScreed, stopScreed } from '../../../house/screed/commands.ts'
import { screedOf, screedRecordOf } from '../../../house/screed/view.ts'
import { ofBuilding } from './answers.ts'
import type { HouseParts } from './buildings.ts'
import type { InBuilding } from './scope.ts'

interface ScreedParts extends HouseParts {
  /** What the key is made from that signs records. */
  authSecret: string
}

/** The heat-up of a new screed, and its records. */
export function appScreedRoutes(app: FastifyInstance, parts: ScreedParts): void {
  const { store, authSecret, onBuildingChanged } = parts
  const config = { actions: ['set_up' as const] }
  const schemaOf = (summary: string) => ({ hide: true, summary, params: ofBuilding, response: { 200: AppScreed } })
  const changed = (buildingId: string): Promise<AppScreed> => {
    onBuildingChanged(buildingId)
    return screedOf(parts, buildingId)
  }

  app.get<InBuilding>(
    '/buildings/:buildingId/screed',
    { config, schema: schemaOf('Read the heat-up of a screed and its records') },
    ({ params }) => screedOf(parts, params.buildingId),
  )

  app.post<InBuilding & { Body: ScreedStart }>(
    '/buildings/:buildingId/screed',
    { config, schema: { ...schemaOf('Start the heat-up of a screed'), body: ScreedStart } },
    async ({ params: { buildingId }, body }) => {
      await startScreed(parts, buildingId, body)
      return changed(buildingId)
    },
  )

  app.delete<InBuilding>(
    '/buildings/:buildingId/screed',
    { config, schema: schemaOf('Stop the heat-up of a screed') },
    async ({ params: { buildingId } }) => {
      await stopScreed(parts, buildingId)
      return changed(buildingId)
    },
  )

  const ofRecord = Type.Object({
    ...ofBuilding.properties,
    recordId: Type.String({ description: 'The `id` of the record.' }),
  })
  app.get<{ Params: { buildingId: string; recordId: string } }>(
    '/buildings/:buildingId/screed/records/:recordId',
    {
      config,
      schema: {
        hide: true,
        summary: 'Read the signed record of a heat-up',
        params: ofRecord,
        response: { 200: ScreedRecord },
      },
    },
    ({ params }) => screedRecordOf(store, authSecret, params),
  )
}
